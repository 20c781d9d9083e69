import { ApiError, type ErrorName } from '../../api/errors/api-error.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { OutcomeUnknownError, ResourceBusyError } from '../../voice-platform/mirror/mirror.ts'

/**
 * A failed live write: what the platform rejects is the caller's 422 (contract: squads 9), everything else `failed`.
 */
export async function squadWrite<T>(failed: ErrorName, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ResourceBusyError) throw new ApiError('squad_busy', { cause: error })
    if (error instanceof OutcomeUnknownError && error.cause instanceof PlatformError) {
      throw new ApiError(failed, { outcomeUnknown: true, cause: error })
    }
    if (!(error instanceof PlatformError)) throw error
    const { kind, status, detail } = error
    const judged = kind === 'rejected' && status !== 401 && status !== 403
    throw new ApiError(judged ? 'squad_invalid' : failed, { detail, cause: error })
  }
}
