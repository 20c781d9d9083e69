import type { ErrorName } from '../../../api/errors/api-error.ts'
import { liveWrite } from '../../../api/errors/live-write.ts'

/** A failed live write of an assistant as the operation's own error. */
export const assistantWrite = <T>(failed: ErrorName, write: Promise<T>): Promise<T> =>
  liveWrite({ busy: 'assistant_busy', failed }, write)
