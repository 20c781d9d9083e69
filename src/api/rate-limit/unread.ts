import type { Account } from '../../accounts/account.ts'
import type { Timers } from '../../runtime/timers.ts'
import { breakOff } from '../http/break-off.ts'
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
  /** Told when they go before they have what was made of a body that is sent as it is made. */
  left?: () => unknown
}

/** Whose responses are counted together. */
export const readerKey = ({ workspaceId }: Pick<Account, 'workspaceId'>): string => `workspace:${workspaceId}`

type Bytes = Uint8Array<ArrayBuffer>
type Stream = ReadableStream<Bytes>

/**
 * Counts the bytes of long responses until they were read, so that nobody fills the memory by asking and not reading.
 */
export interface Unread {
  /** Throws 429 with Retry-After while too much waits for a key itself. */
  requireRoom(key: string): void
  /** A body as it is to be sent; undefined when too much waits already. */
  hold(reader: Reader, body: string | Bytes): string | Bytes | Stream | undefined
  /** A body that is still made, as it is to be sent: it breaks off where too much waits. */
  holdMade(reader: Reader, body: Stream): Stream
}

function* piecesOf(bytes: Bytes): Generator<Bytes, undefined> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** Makes the count of one process. */
export function createUnread({ after }: Pick<Timers, 'after'>, { total, perKey } = defaultBounds): Unread {
  const waiting = new Map<string, number>()
  let all = 0

  /** @param held bytes of the same response that wait already */
  const hasRoom = (key: string, bytes: number, held = 0) => {
    const own = waiting.get(key) ?? 0
    // Who has nothing waiting gets one response, however much others leave: as long as that is not all too much.
    const most = own === held ? 2 * total : total
    return own + bytes <= perKey && all + bytes <= most
  }

  const add = (key: string, bytes: number) => {
    all += bytes
    const now = (waiting.get(key) ?? 0) + bytes
    if (now > 0) waiting.set(key, now)
    else waiting.delete(key)
  }

  /**
   * What waits for a reader, counted until its end, or until they have gone or had all the time there is.
   * @param leave ends what is sent to them
   */
  const countFor = ({ key, gone }: Reader, leave: () => void) => {
    let [count, isEnded] = [0, false]
    let stopClock = () => {}
    if (!gone.aborted) gone.addEventListener('abort', leave, { once: true })
    return {
      get isEnded() {
        return isEnded
      },
      hasRoom: (bytes: number) => hasRoom(key, bytes, count),
      add(bytes: number) {
        if (isEnded) return
        add(key, bytes)
        count += bytes
      },
      startClock() {
        if (!isEnded) stopClock = after(readMs, leave)
      },
      end() {
        if (isEnded) return
        isEnded = true
        stopClock()
        gone.removeEventListener('abort', leave)
        add(key, -count)
      },
    }
  }

  /** The bytes as a stream, piece by piece. */
  const counted = (bytes: Bytes, reader: Reader, count: number): Stream => {
    const pieces = piecesOf(bytes)
    const end = () => {
      waits.end()
      pieces.return(undefined)
    }
    const waits = countFor(reader, end)
    waits.add(count)
    waits.startClock()
    if (reader.gone.aborted) end()
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
          if (left > 0) breakOff(controller)
          else controller.close()
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
  }

  /** What is still made is taken at once, so that it waits here where it is counted. */
  const collected = (body: Stream, reader: Reader): Stream => {
    const end = () => {
      waits.end()
      made.cancel().catch(() => {})
    }
    const leave = () => {
      if (waits.isEnded) return
      end()
      if (taken < length) reader.left?.()
    }
    const waits = countFor(reader, leave)
    let [length, count, taken] = [0, 0, 0]
    const counting = new TransformStream<Bytes, Bytes>(
      {
        transform(piece, controller) {
          length += piece.length
          const more = (length < shortest ? 0 : Math.min(length, perKey)) - count
          if (more > 0) {
            if (!reader.must && !waits.hasRoom(more)) throw noRoom()
            waits.add(more)
            count += more
          }
          controller.enqueue(piece)
        },
      },
      undefined,
      { highWaterMark: Number.POSITIVE_INFINITY },
    )
    const made = counting.readable.getReader()
    body.pipeTo(counting.writable).then(waits.startClock, waits.end)
    // That they had gone before is known to whoever asks for this.
    if (reader.gone.aborted) end()
    return new ReadableStream(
      {
        async pull(controller) {
          const piece = await made.read().catch(() => undefined)
          if (piece?.value) {
            taken += piece.value.length
            return controller.enqueue(piece.value)
          }
          if (!piece || waits.isEnded) return breakOff(controller)
          waits.end()
          controller.close()
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    )
  }

  return {
    holdMade: (reader, body) => collected(body, reader),
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
