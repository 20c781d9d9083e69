import { isObject } from '../../../json/object.ts'
import { valueAt, withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { AssistantRowData } from '../read/find.ts'
import { isSystem } from '../rendering/prompt.ts'
import { spokenFields } from '../rendering/spoken-texts.ts'
import { configFieldNames } from './schema.ts'
import { isShownText, rawFields, shownBy } from './unchanged-fields.ts'

/** A body that may name the entries that an assistant is rendered from. */
interface Body {
  template_id?: number | null | undefined
  personality_id?: number | null | undefined
}

/** The messages of both, of which the first has what the template's prompt stands above and the second all others. */
function messagesBack({ config }: AssistantRowData, stored: AssistantRowData) {
  const own = (stored.config.model?.messages ?? []).filter(isSystem)
  const others = (config.model?.messages ?? []).filter((message) => !isSystem(message))
  return own.length + others.length > 0 ? [...own, ...others] : undefined
}

/**
 * An assistant whose prompt was changed outside, which took it from its template, as one of the template again where a
 * body names that: its texts are the template's again, but for those that were changed outside as well.
 */
function withTemplateBack(row: AssistantRowData, stored: AssistantRowData, body: Body): AssistantRowData {
  const { templateId, personalityId, kept, build } = stored
  if (templateId === null || row.templateId !== null || body.template_id !== templateId) return row
  const isPersonalityBack = row.personalityId === personalityId || body.personality_id === personalityId
  const copies = row.kept?.personality && !isPersonalityBack ? { ...kept, personality: row.kept.personality } : kept
  const brought = spokenFields.filter((field) => isShownText(stored, field, row.config[field]))
  const leaves = [
    ...brought.map((field) => ({ path: [field], to: stored.config[field] })),
    { path: ['model', 'messages'], to: messagesBack(row, stored) },
  ]
  return {
    ...row,
    templateId,
    build,
    kept: copies,
    ...(isPersonalityBack && { personalityId }),
    config: withLeaves(row.config, leaves),
    live: withLeaves(row.live, [{ path: ['model', 'messages'], to: stored.live.model?.messages }]),
  }
}

/**
 * An assistant with what was changed outside, `row`, as it was stored before wherever a body gives back what the record
 * showed then: that is set, without a template's text or a default becoming the assistant's own.
 */
export function withReverted(outside: AssistantRowData, stored: AssistantRowData, body: Body): AssistantRowData {
  if (outside === stored) return outside
  const row = withTemplateBack(outside, stored, body)
  if (row.templateId !== stored.templateId) return row
  const isShown = (one: AssistantRowData, field: string, value: unknown) =>
    rawFields.has(field) ? isShownText(one, field as 'firstMessage', value) : Bun.deepEquals(shownBy(one)[field], value)
  const back = Object.entries(body).flatMap(([field, value]) => {
    const isPlain = configFieldNames.some((name) => name === field) && value !== null && !isObject(value)
    return isPlain && isShown(stored, field, value) && !isShown(row, field, value) ? [field] : []
  })
  const asBefore = <Part extends object>(now: Part, before: object): Part =>
    withLeaves(
      now,
      back.map((field) => ({ path: [field], to: valueAt(before, [field]) })),
    )
  if (back.length === 0) return row
  return { ...row, config: asBefore(row.config, stored.config), live: asBefore(row.live, stored.live) }
}
