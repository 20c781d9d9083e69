import type { Account } from '../../accounts/account.ts'
import type { Timers } from '../../runtime/timers.ts'
import { noRoom } from './slots.ts'

/** Shorter bodies are not counted: the limits of requests bound them. */
const shortest = 128 * 1024
/** A long body goes on its way in such pieces. */
const pieceBytes = 64 * 1024
/** Somebody reads a response within this time. */
const readMs = 5 * 60_000
const defaultBounds: UnreadBounds = { total: 256 * 1024 * 1024, perKey: 64 * 1024 * 1024 }

/** Bytes that may wait in a process, and of these for one key. */
export interface UnreadBounds {
  total: number
  perKey: number
}

/** Who reads a response. */
export interface Reader {
  key: string
  /** Aborts when they have gone. */
  gone: AbortSignal
  /** What was done has to be told, however much waits. */
  must: boolean
}

/** Whose responses are counted together. */
export const readerKey = ({ workspaceId }: Pick<Account, 'workspaceId'>): string => `workspace:${workspaceId}`

type Bytes = Uint8Array<ArrayBuffer>
type Stream = ReadableStream<Bytes>

/** Counts the bytes of long responses until they were read, so that nobody fills the memory by asking and not reading. */
export interface Unread {
  /** Throws 429 with Retry-After while too much waits for a key itself. */
  requireRoom(key: string): void
  /** A body as it is to be sent; undefined when too much waits already. */
  hold(reader: Reader, body: string | Bytes): string | Bytes | Stream | undefined
}

function* piecesOf(bytes: Bytes): Generator<Bytes, undefined> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** Makes the count of one process. */
export function createUnread({ after }: Pick<Timers, 'after'>, { total, perKey } = defaultBounds): Unread {
  const waiting = new Map<string, number>()
  let all = 0

  const hasRoom = (key: string, bytes: number) => {
    const own = waiting.get(key) ?? 0
    // Who has nothing waiting gets one response, however much others leave: as long as that is not all too much.
    const most = own === 0 ? 2 * total : total
    return own + bytes <= perKey && all + bytes <= most
  }

  const add = (key: string, bytes: number) => {
    all += bytes
    const now = (waiting.get(key) ?? 0) + bytes
    if (now > 0) waiting.set(key, now)
    else waiting.delete(key)
  }

  /** The bytes as a stream that is counted until its end, or until its reader has gone or had all the time there is. */
  const counted = (bytes: Bytes, { key, gone }: Reader, count: number): Stream => {
    add(key, count)
    const pieces = piecesOf(bytes)
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      stopClock()
      gone.removeEventListener('abort', end)
      pieces.return(undefined)
      add(key, -count)
    }
    const stopClock = after(readMs, end)
    if (gone.aborted) end()
    else gone.addEventListener('abort', end, { once: true })
    let left = bytes.length
    return new ReadableStream(
      {
        pull(controller) {
          const { value } = pieces.next()
          if (value) {
            left -= value.length
            return controller.enqueue(value)
          }
          end()
          if (left > 0) controller.error(new Error('The response was not read in time'))
          else controller.close()
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
  }

  return {
    requireRoom(key) {
      if ((waiting.get(key) ?? 0) >= perKey) throw noRoom()
    },
    hold(reader, body) {
      // No character takes more than three bytes.
      if (body.length * 3 < shortest) return body
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
      if (length < shortest) return body
      // One response alone is never too much.
      const count = Math.min(length, perKey)
      if (!reader.must && !hasRoom(reader.key, count)) return undefined
      return counted(typeof body === 'string' ? new TextEncoder().encode(body) : body, reader, count)
    },
  }
}
