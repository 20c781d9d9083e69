import { type Bounds, createFairShare, type Leave } from '../../runtime/fair-share.ts'
import type { Queue, Slots } from '../../runtime/slots.ts'
import { ApiError } from '../errors/api-error.ts'

const retryAfterSeconds = 5

/** The 429 of work for which there is no slot. */
export const noRoom = () => new ApiError('too_many_requests', { headers: { 'retry-after': String(retryAfterSeconds) } })

/** Runs `work` and gives its slot back. Throws 429 without one. */
async function runIn<T>(slot: Leave | undefined, work: () => Promise<T>): Promise<T> {
  if (!slot) throw noRoom()
  try {
    return await work()
  } finally {
    slot()
  }
}

/** Slots shared by everyone, with a fair share for each key. */
export function createSlots(bounds: Bounds): Slots {
  const share = createFairShare(bounds)
  return {
    requireRoom(key) {
      if (!share.hasRoom(String(key))) throw noRoom()
    },
    run: async (key, work) => runIn(share.take(String(key)), work),
  }
}

/** Slots that are waited for, with a fair share for each key. */
export function createQueue(bounds: Bounds): Queue {
  const share = createFairShare(bounds)
  return { run: async (key, signal, work) => runIn(await share.wait(String(key), signal), work) }
}
