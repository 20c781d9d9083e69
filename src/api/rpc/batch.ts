/** Calls in one tRPC request. */
export const maxBatchSize = 50

/** What tRPC says of a request with more; it has no code of its own. */
export const batchTooLarge = 'Batch call exceeds maximum size'

/** Calls of a request that run at once. */
export const maxBatchAtOnce = 8

/** Characters that the reads of one request give together. */
export const maxBatchLength = 16_000_000
