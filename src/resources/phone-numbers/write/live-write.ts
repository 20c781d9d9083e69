import { ApiError, type ErrorName, type FieldErrors } from '../../../api/errors/api-error.ts'
import { PlatformError } from '../../../voice-platform/errors.ts'
import { OutcomeUnknownError, ResourceBusyError } from '../../../voice-platform/mirror/mirror.ts'

/** What a message of the platform names, and the field of ours that its error is keyed by (rule 5). */
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

function fieldsOf(message: string): FieldErrors {
  const area = areas.find(([pattern]) => pattern.test(message))
  return area ? { [area[1]]: [message] } : {}
}

const isRejection = ({ kind }: PlatformError) => kind === 'not_found' || kind === 'rejected'

/**
 * A failed live write of a number as the operation's error: what the platform rejected is the caller's 422
 * (contract: numbers 26), everything else `failed`.
 */
export async function numberWrite<T>(failed: ErrorName, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ResourceBusyError) throw new ApiError('phone_number_busy', { cause: error })
    if (error instanceof OutcomeUnknownError && error.cause instanceof PlatformError) {
      throw new ApiError(failed, { outcomeUnknown: true, cause: error })
    }
    if (!(error instanceof PlatformError)) throw error
    const { detail } = error
    if (!isRejection(error)) throw new ApiError(failed, { detail, cause: error })
    throw new ApiError('phone_number_rejected', { detail, fields: fieldsOf(detail), cause: error })
  }
}
