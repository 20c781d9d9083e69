import { isObject, type Json } from '../../../json/object.ts'
import { same } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { AssistantRowData } from '../read/find.ts'
import { plainRecord } from '../read/record.ts'
import { switchesTemplate } from './draft.ts'
import { configFieldNames } from './schema.ts'

/** Fields that a record shows with their placeholders beside the rendered text. */
export const rawFields: ReadonlySet<string> = new Set(['firstMessage', 'endCallMessage'])

/** Whether a text is one that the record shows in this place, with its placeholders or rendered. */
export function isShownText(row: AssistantRowData, field: 'firstMessage' | 'endCallMessage', text: unknown): boolean {
  const { first_message, first_message_raw, end_call_message, end_call_message_raw } = plainRecord(row)
  const shown = {
    firstMessage: [first_message, first_message_raw],
    endCallMessage: [end_call_message, end_call_message_raw],
  }
  return shown[field].some((one) => one === text)
}

/** Texts that a template brings: said together with another template, they are the assistant's own from then on. */
const templated: ReadonlySet<string> = new Set(['firstMessage', 'endCallMessage', 'model'])

const inRecord = (field: string) =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) + (rawFields.has(field) ? '_raw' : '')

/**
 * What a record shows, in the write body's names and with every secret. Of its tools nothing where others were attached
 * outside: who names one of these takes it over, and who leaves it out takes it away.
 */
export function shownBy(row: AssistantRowData): Json {
  const { model, ...others } = plainRecord(row)
  const own = row.config.model?.toolIds ?? model.toolIds
  const areShown = same({ toolIds: own }, { toolIds: model.toolIds })
  const record: Json = { ...others, model: { ...model, toolIds: areShown ? model.toolIds : undefined } }
  return Object.fromEntries(configFieldNames.map((field) => [field, record[inRecord(field)]]))
}

/** What a sent value says that is not shown already; undefined for nothing. A null clears, whatever is shown. */
function newIn(shown: unknown, sent: unknown): unknown {
  if (sent === null) return null
  if (!isObject(sent)) return Bun.deepEquals(shown, sent) ? undefined : sent
  const before = isObject(shown) ? shown : {}
  const said = Object.entries(sent).filter(([key, value]) => value === null || !Bun.deepEquals(before[key], value))
  return said.length === 0 ? undefined : Object.fromEntries(said)
}

const isNone = (choice: unknown) => choice == null || (Array.isArray(choice) && choice.length === 0)

/** What is sent of a model, without an empty choice of tools for an assistant that shows and has none. */
function withoutEmptyChoice({ config, live }: AssistantRowData, sent: unknown): unknown {
  if (!isObject(sent)) return sent
  const { tools, toolIds, ...others } = sent
  const choices = [tools, toolIds, live.model?.toolIds, config.model?.toolIds, config.model?.tools]
  return choices.every(isNone) ? others : sent
}

/** A body that may name the entries that an assistant is rendered from. */
interface Repeating {
  template_id?: number | null
  personality_id?: number | null
}

/**
 * A body without the settings that it repeats as the record shows them: who reads a record, changes one field and sends
 * all of it makes neither a template's texts nor a default the assistant's own. What objects hold is looked at key by
 * key, as it merges (contract: assistants 27).
 */
export function withoutUnchangedFields<Body extends Repeating>(row: AssistantRowData, body: Body): Body {
  const { template_id: templateId, personality_id: personalityId } = body
  const isSwitched = switchesTemplate(row, templateId)
  const shown = shownBy(row)
  const said = Object.entries(body).flatMap(([field, value]) => {
    if (field === 'personality_id' && personalityId === row.personalityId) return []
    if (!Object.hasOwn(shown, field) || (isSwitched && templated.has(field))) return [[field, value]]
    if ((field === 'firstMessage' || field === 'endCallMessage') && isShownText(row, field, value)) return []
    const rest = newIn(shown[field], field === 'model' ? withoutEmptyChoice(row, value) : value)
    return rest === undefined ? [] : [[field, rest]]
  })
  return Object.fromEntries(said)
}
