/** Calls in one tRPC request. */
export const maxBatchSize = 50

/** What tRPC says of a request with more; it has no code of its own. */
export const batchTooLarge = 'Batch call exceeds maximum size'
