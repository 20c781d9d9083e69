/** How much more of a body that nobody reads is taken in, and for how long, in all and of silence. */
const maxBytes = 64 * 1024 * 1024
const maxMs = 10_000
const maxSilentMs = 1_000
/** Bodies that are taken in at once: a crowd that sends what nobody wants is let go. */
const maxAtOnce = 32

/** Who asks too much, or while there is no room, gets no more of the server. */
const letGo = new Set([429, 503])

let taking = 0

async function take(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  const ends = performance.now() + maxMs
  let size = 0
  while (size <= maxBytes && performance.now() < ends) {
    const { promise: silent, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(resolve, maxSilentMs)
    const piece = await Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer))
    if (piece === undefined) break
    if (piece.done) return true
    size += piece.value.length
  }
  await reader.cancel()
  return false
}

/**
 * Takes in what a caller still sends of a body that was refused: many clients read no response before they have sent all, and
 * to them a connection that is closed in the middle is an error. Nothing of it is kept. False where the rest was not taken in:
 * after a 429 or 503, while 32 others are, where there is more than 64 MB, and where it takes more than ten seconds or pauses for one.
 */
export async function takeRest(
  { headers }: Request,
  body: ReadableStream<Uint8Array>,
  status: number,
): Promise<boolean> {
  const isTooMuch = Number(headers.get('content-length') ?? 0) > maxBytes
  if (isTooMuch || letGo.has(status) || taking >= maxAtOnce) return false
  taking += 1
  try {
    return await take(body.getReader())
  } catch {
    // Who breaks off hears nothing more.
    return false
  } finally {
    taking -= 1
  }
}
