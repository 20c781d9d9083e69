import { ApiError, type ErrorName, type FieldErrors } from '../../../api/errors/api-error.ts'
import { liveWrite } from '../../../api/errors/live-write.ts'
import { cleanSentence, type PlatformError } from '../../../voice-platform/errors.ts'

/** What a message of the platform names, and the field of ours that its error is keyed by. */
const areas: [RegExp, string][] = [
  [/\bfallback/i, 'fallback_destination.number'],
  [/\b(server|webhook)\b/i, 'server.url'],
  [/^assistantId\b/, 'voice_assistant_id'],
  [/^squadId\b/, 'voice_squad_id'],
  [/^workflowId\b/, 'voice_workflow_id'],
  [/^smsEnabled\b/, 'sms_enabled'],
  [/^hooks\b/, 'hooks'],
  [/^name\b/, 'name'],
]

function fieldsOf(texts: readonly string[]): FieldErrors {
  const fields: FieldErrors = {}
  for (const text of texts) {
    const field = areas.find(([pattern]) => pattern.test(text))?.[1]
    if (field !== undefined) fields[field] = [...(fields[field] ?? []), text]
  }
  return fields
}

/** What the platform rejected is the caller's 422 (contract: numbers 26). */
const refused = (error: PlatformError): ApiError | undefined => {
  const { kind, detail, messages } = error
  if (kind !== 'not_found' && kind !== 'rejected') return undefined
  // The platform says each mistake in a text of its own; `detail` is the first.
  const fields = fieldsOf([detail, ...messages.slice(1).map(cleanSentence)])
  return new ApiError('phone_number_rejected', { detail, fields, cause: error })
}

/** A failed live write of a number as the operation's own error. */
export const numberWrite = <T>(failed: ErrorName, write: Promise<T>): Promise<T> =>
  liveWrite({ busy: 'phone_number_busy', failed, refused }, write)

/** The same of a release, which has no body that could be refused (contract: numbers 30). */
export const numberRemoval = <T>(write: Promise<T>): Promise<T> =>
  liveWrite({ busy: 'phone_number_busy', failed: 'phone_number_release_failed' }, write)
