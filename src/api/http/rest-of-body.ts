import { createSlots } from '../rate-limit/slots.ts'
import { inTime } from './body.ts'

/** How much more of a body that nobody reads is taken in, and for how long, in all and of silence. */
const maxBytes = 64 * 1024 * 1024
const maxMs = 10_000
const maxSilentMs = 1_000
/** Bodies that are taken in at once: a crowd that sends what nobody wants is let go. */
const maxAtOnce = 32

/** Who asks too much, or while there is no room, gets no more of the server. */
const letGo = new Set([429, 503])

async function take(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  const ends = performance.now() + maxMs
  let size = 0
  while (size <= maxBytes && performance.now() < ends) {
    const piece = await inTime(reader.read(), maxSilentMs)
    if (piece.done) return true
    size += piece.value.length
  }
  return false
}

/** The body that a refused request left unread, and what it was refused with. */
interface Refused {
  body: ReadableStream<Uint8Array>
  /** Bytes that it announced; 0 where it did not. */
  announced: number
  status: number
  address: string
}

/**
 * Makes what takes in the rest of a refused body: many clients read no response before they have sent all, and to them
 * a connection that is closed in the middle is an error. Nothing of it is kept. It gives false where the rest was not
 * taken in: after a 429 or 503, while 32 others are, where there is more than 64 MB, and where it takes more than ten
 * seconds or pauses for one.
 */
export function restTaker(): (refused: Refused) => Promise<boolean> {
  const slots = createSlots({ total: maxAtOnce })
  return async ({ body, announced, status, address }) => {
    if (announced > maxBytes || letGo.has(status)) return false
    const taking = async () => {
      const reader = body.getReader()
      // What is left is let go; after all of it, nothing is.
      return await take(reader).finally(() => reader.cancel())
    }
    // Who breaks off, or pauses, hears nothing more.
    return await slots.run(address, taking).catch(() => false)
  }
}
