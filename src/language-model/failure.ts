/** A model gave no usable answer. `reason` is safe to log: it holds nothing that a server said. */
export class GenerationFailedError extends Error {
  override readonly name = 'GenerationFailedError'
  /** What a server said may hold its key: the log tells the reason alone. */
  readonly hidesCause = true

  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`The generation failed: ${reason}`, { cause })
  }
}

const named = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if ('lastError' in error && error.lastError instanceof Error) return named(error.lastError)
  return 'statusCode' in error && typeof error.statusCode === 'number'
    ? `${error.name} ${error.statusCode}`
    : error.name
}

/** Whatever a model call threw, as a failed generation. */
export const failedGeneration = (error: unknown): GenerationFailedError =>
  error instanceof GenerationFailedError ? error : new GenerationFailedError(named(error), error)
