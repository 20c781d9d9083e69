import { unlessLate } from '../runtime/deadline.ts'
import type { OperationMeta } from './meta.ts'

/** A request's work took longer than it may; what it does is not waited for any longer. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError'
  override readonly message = 'The request took longer than it may'
}

/**
 * Waits for an operation's work for `ms` milliseconds at most (0: without a limit). Turns have times of their own.
 * Throws RequestTimeoutError, and what the work throws.
 */
export async function inRequestTime<T>(work: Promise<T>, ms: number, { rate }: OperationMeta): Promise<T> {
  if (ms === 0 || rate !== undefined) return work
  return unlessLate(work, ms, () => new RequestTimeoutError())
}
