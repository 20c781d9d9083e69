import { ApiError, type ErrorName } from '../../api/errors/api-error.ts'
import { judgedBody, liveWrite } from '../../api/errors/live-write.ts'
import type { PlatformError } from '../../voice-platform/errors.ts'

/** What the platform rejects is the caller's 422 (contract: squads 9). */
const refused = (error: PlatformError): ApiError | undefined =>
  judgedBody(error) ? new ApiError('squad_invalid', { detail: error.detail, cause: error }) : undefined

/** A failed live write of a squad as the operation's own error. */
export const squadWrite = <T>(failed: ErrorName, write: Promise<T>): Promise<T> =>
  liveWrite({ busy: 'squad_busy', failed, refused }, write)

/** The same of a delete, which has no body that could be refused (contract: squads 14). */
export const squadRemoval = <T>(write: Promise<T>): Promise<T> =>
  liveWrite({ busy: 'squad_busy', failed: 'squad_delete_failed' }, write)
