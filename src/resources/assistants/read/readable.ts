import { isObject, type Json } from '../../../json/object.ts'
import { Assistant } from '../schema.ts'
import { fittingTo } from './fitting.ts'
import { fittingParts, messagesIn } from './record.ts'

const { shape } = Assistant

/** Fields that are taken from the platform as they are, where a record can show them. */
const fittingFields = fittingTo(
  Object.fromEntries(
    Object.entries({
      voicemailMessage: shape.voicemail_message,
      endCallPhrases: shape.end_call_phrases,
      maxDurationSeconds: shape.max_duration_seconds,
      backgroundSound: shape.background_sound,
      clientMessages: shape.client_messages,
      serverMessages: shape.server_messages,
    }).map(([name, schema]) => [name, schema.nullable()]),
  ),
)

/**
 * A remote object without the values that the record has no type for: somebody else may have written them, and what
 * cannot be shown stays as the record has it.
 */
export function readable(remote: object): Json {
  const { name, model, ...rest } = remote as Json
  const spoken = isObject(model) && Array.isArray(model.messages) && { messages: messagesIn(model.messages) }
  const live: Json = {
    ...rest,
    ...(typeof name === 'string' && { name }),
    ...(model !== undefined && { model: isObject(model) ? { ...model, ...spoken } : model }),
  }
  const shown = Object.entries(fittingParts).flatMap(([field, fitting]) => {
    const part = live[field]
    return isObject(part) ? [[field, fitting(part)]] : []
  })
  return { ...fittingFields(live), ...Object.fromEntries(shown) }
}
