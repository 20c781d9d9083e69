import { ApiError } from '../errors/api-error.ts'

/** How much of one kind of work runs at once in this process. */
export interface SlotBounds {
  total: number
  /** Of these, for one key: what a single workspace can take from the others. */
  perKey: number
}

/** Bounds a kind of work that waits on others, so that no workspace and no kind takes every connection. */
export interface Slots {
  /** Runs `work` while it holds a slot. Throws 429 with Retry-After when there is none: nothing queues. */
  run<T>(key: string | number, work: () => Promise<T>): Promise<T>
  /** Throws 429 when `run` would do so now. */
  requireRoom(key: string | number): void
}

const retryAfterSeconds = 5

/** Slots shared by everyone, with a fair share for each key. */
export function createSlots({ total, perKey }: SlotBounds): Slots {
  const taken = new Map<string | number, number>()
  let running = 0

  const requireRoom = (key: string | number) => {
    if (running < total && (taken.get(key) ?? 0) < perKey) return
    throw new ApiError('too_many_requests', { headers: { 'retry-after': String(retryAfterSeconds) } })
  }

  return {
    requireRoom,
    async run(key, work) {
      requireRoom(key)
      running++
      taken.set(key, (taken.get(key) ?? 0) + 1)
      try {
        return await work()
      } finally {
        running--
        const left = (taken.get(key) ?? 1) - 1
        if (left > 0) taken.set(key, left)
        else taken.delete(key)
      }
    },
  }
}

/** Slots of which one key gets a quarter, one at least. */
export const fairSlots = (total: number): Slots => createSlots({ total, perKey: Math.max(1, Math.floor(total / 4)) })
