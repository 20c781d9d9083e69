import { ApiError, type ErrorName } from '../../../api/errors/api-error.ts'
import { PlatformError } from '../../../voice-platform/errors.ts'
import { OutcomeUnknownError, ResourceBusyError } from '../../../voice-platform/mirror/mirror.ts'

/** A failed live write as the operation's own error; whatever else was thrown stays as it is. */
export async function liveWrite<T>(failed: ErrorName, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ResourceBusyError) throw new ApiError('assistant_busy', { cause: error })
    if (error instanceof OutcomeUnknownError && error.cause instanceof PlatformError) {
      throw new ApiError(failed, { detail: error.cause.detail, outcomeUnknown: true, cause: error })
    }
    if (error instanceof PlatformError) throw new ApiError(failed, { detail: error.detail, cause: error })
    throw error
  }
}
