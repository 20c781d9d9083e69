import { ApiError } from '../errors/api-error.ts'

/** Calls in one tRPC request. */
export const maxBatchSize = 50

/** What tRPC says of a request with more; it has no code of its own. */
export const batchTooLarge = 'Batch call exceeds maximum size'

/** Calls of a request that run at once. */
export const maxBatchAtOnce = 8

/** Characters that the reads of one request give together. */
const maxBatchLength = 16_000_000

/** Counts what reads of a request give together. Throws 422 when it is more than one response may hold. */
export function createWeight() {
  let length = 0
  return (text: string) => {
    length += text.length
    if (length > maxBatchLength) throw new ApiError('batch_response_too_large')
  }
}
