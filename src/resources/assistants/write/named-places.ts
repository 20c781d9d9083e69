import { isObject, type Json } from '../../../json/object.ts'
import { valueAt } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { NamedPlace } from '../../../voice-platform/mirror/agreement/named.ts'
import type { AssistantRowData } from '../read/find.ts'
import { messagesIn } from '../read/record.ts'
import { systemPromptIn } from '../rendering/prompt.ts'
import { spokenFields } from '../rendering/spoken.ts'

const texts = [...spokenFields, 'voicemailMessage'] as const
const messages: NamedPlace = { path: ['model', 'messages'] }
const toolIds: NamedPlace = { path: ['model', 'toolIds'] }
const server: NamedPlace = { path: ['server'] }

type Body = { [Field in (typeof texts)[number]]?: string | null | undefined } & {
  metadata?: Json | null | undefined
  model?: Json | null | undefined
}
type Live = Pick<AssistantRowData, 'live'>

/** An update: the assistant as it was, with what was changed outside; what was sent, what of that is new; what it becomes. */
interface Update {
  row: Live & Pick<AssistantRowData, 'templateId' | 'kept' | 'build'>
  body: Body
  said: Pick<Body, 'model'>
  rendered: Live
}

/** Whether messages say otherwise than the live object does. A system message beside a template's says nothing. */
function areSaid({ row, rendered }: Update, sent: unknown): boolean {
  if (Bun.deepEquals(messagesIn(sent), messagesIn(row.live.model?.messages))) return false
  const isTemplated = row.templateId !== null || row.build !== null || row.kept?.template !== undefined
  return !isTemplated || systemPromptIn(sent) === systemPromptIn(rendered.live.model.messages)
}

/** Whether a webhook is sent that is not the one of the live object; metadata that is cleared has none. */
function isOtherWebhook({ metadata }: Body, { live }: Live): boolean {
  const sent = metadata === null ? null : metadata?.webhook_url
  return sent !== undefined && (sent ?? null) !== (valueAt(live.server, ['url']) ?? null)
}

/**
 * What an update names of the live object that may be kept there in a form which the record does not take on: texts with
 * placeholders that rendering would replace, tools, and its webhook (contract: drift 10). Nothing is named by what is sent as the live
 * object has it.
 */
export function namedPlaces(update: Update): NamedPlace[] {
  const { row, body, said } = update
  const spoken = texts.filter((field) => body[field] !== undefined && body[field] !== row.live[field])
  const sent = isObject(body.model) ? body.model.messages : body.model
  const isChosen = isObject(said.model) && (said.model.toolIds !== undefined || said.model.tools !== undefined)
  return [
    ...spoken.map((field) => ({ path: [field] })),
    ...(sent !== undefined && areSaid(update, sent) ? [messages] : []),
    ...(isChosen || said.model === null ? [toolIds] : []),
    ...(isOtherWebhook(body, row) ? [server] : []),
  ]
}

/** The texts of a record, but for those that the live object has in its own words, as one that was imported may. */
export function recordedTexts({ config, live }: Live & Pick<AssistantRowData, 'config'>): NamedPlace[] {
  const own = texts.filter((field) => config[field] !== live[field])
  const areOther = !Bun.deepEquals(config.model?.messages ?? [], messagesIn(live.model?.messages))
  return [...own.map((field) => ({ path: [field] })), ...(areOther ? [messages] : [])]
}
