import { isDatabaseFault } from '../../db/unreachable.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { OutcomeUnknownError, ResourceBusyError } from '../../voice-platform/mirror/mirror.ts'
import { ApiError, type ErrorName } from './api-error.ts'

/** The errors of a resource's live writes. */
export interface LiveWriteErrors {
  /** Other writers have not ended. */
  busy: ErrorName
  /** Whatever else went wrong. */
  failed: ErrorName
  /** What the platform refused because of the body, where that is the caller's; undefined: it is not. */
  refused?(error: PlatformError): ApiError | undefined
}

/**
 * A failed live write as the operation's own error; whatever else was thrown, or what our database failed at, stays as
 * it is.
 */
export async function liveWrite<T>({ busy, failed, refused }: LiveWriteErrors, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    // The embedded platform keeps its objects in our database.
    if (isDatabaseFault(error)) throw error
    if (error instanceof ResourceBusyError) throw new ApiError(busy, { cause: error })
    if (error instanceof OutcomeUnknownError && error.cause instanceof PlatformError) {
      throw new ApiError(failed, { detail: error.cause.detail, outcomeUnknown: true, cause: error })
    }
    if (!(error instanceof PlatformError)) throw error
    throw refused?.(error) ?? new ApiError(failed, { detail: error.detail, cause: error })
  }
}
