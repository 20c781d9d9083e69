/**
 * A write failed in a way that leaves open whether it was made: it may have been, or may still be. `cause` is the
 * failure itself. Everything else that a write throws says that it was not made and will not be.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
