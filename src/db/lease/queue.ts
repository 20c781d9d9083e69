import { unlessAborted } from '../../runtime/deadline.ts'
import type { Database } from '../client.ts'

const queues = new WeakMap<Database, Map<string, Promise<void>>>()

/**
 * Waits for the callers of this process that asked for `key` before, in order.
 * Returns `leave`, which lets the next one in and must be called.
 * @throws the reason of `abandon`, when that comes first; the place in the queue is given up too.
 */
export async function enterQueue(db: Database, key: string, abandon: AbortSignal): Promise<() => void> {
  const queue = queues.get(db) ?? new Map<string, Promise<void>>()
  queues.set(db, queue)
  const before = queue.get(key)
  const turn = Promise.withResolvers<void>()
  const after = before ? before.then(() => turn.promise) : turn.promise
  queue.set(key, after)
  void after.then(() => {
    if (queue.get(key) === after) queue.delete(key)
  })
  try {
    if (before) await unlessAborted(before, abandon)
    return turn.resolve
  } catch (error) {
    turn.resolve()
    throw error
  }
}
