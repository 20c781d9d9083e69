import { type Bounds, createFairShare } from '../../runtime/fair-share.ts'
import { ApiError } from '../errors/api-error.ts'

/** Bounds a kind of work that waits on others, so that no workspace and no kind takes every connection. */
export interface Slots {
  /** Runs `work` while it holds a slot. Throws 429 with Retry-After when there is none: nothing queues. */
  run<T>(key: string | number, work: () => Promise<T>): Promise<T>
  /** Throws 429 when `run` would do so now. */
  requireRoom(key: string | number): void
}

const retryAfterSeconds = 5

/** What is said where something waits already. */
export const noRoom = () => new ApiError('too_many_requests', { headers: { 'retry-after': String(retryAfterSeconds) } })

/** Slots shared by everyone, with a fair share for each key. */
export function createSlots(bounds: Bounds): Slots {
  const share = createFairShare(bounds)
  return {
    requireRoom(key) {
      if (!share.hasRoom(String(key))) throw noRoom()
    },
    async run(key, work) {
      const leave = share.take(String(key))
      if (!leave) throw noRoom()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

/** The same for work that soon gets its turn: who finds no slot waits for one. */
export interface Queue {
  /** Runs `work` while it holds a slot. Throws 429 with Retry-After when there is none before `signal` aborts. */
  run<T>(key: string | number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Slots that are waited for, with a fair share for each key. */
export function createQueue(bounds: Bounds): Queue {
  const share = createFairShare(bounds)
  return {
    async run(key, signal, work) {
      const leave = await share.wait(String(key), signal)
      if (!leave) throw noRoom()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
