import { isObject, type Json } from '../../../json/object.ts'
import { valueAt } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { NamedPlace } from '../../../voice-platform/mirror/agreement/named.ts'
import type { AssistantRowData } from '../read/find.ts'
import { messagesIn } from '../read/record.ts'
import { systemPromptIn } from '../rendering/prompt.ts'
import { textFields } from '../rendering/spoken-texts.ts'

const name: NamedPlace = { path: ['name'] }
/** Where the system prompt and the other messages are. */
export const messages: NamedPlace = { path: ['model', 'messages'] }
const toolIds: NamedPlace = { path: ['model', 'toolIds'] }
const server: NamedPlace = { path: ['server'] }

type Body = { [Field in (typeof textFields)[number]]?: string | null | undefined } & {
  name?: string | undefined
  metadata?: Json | null | undefined
  /** The webhook, where an editor names it beside the metadata. */
  webhookUrl?: string | null | undefined
  model?: Json | null | undefined
}
type Live = Pick<AssistantRowData, 'live'>

/**
 * An update: the assistant as it was, with what was changed outside; what was sent, what of that is new; what it
 * becomes.
 */
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

/** The keys of metadata that are sent, which merge with what is there as in a record; null clears all of them. */
function metadataPlaces(sent: Json | null | undefined, { live }: Live): NamedPlace[] {
  const there: Json = { ...live.metadata }
  return Object.entries(sent === null ? there : { ...sent }).flatMap(([key, value]) => {
    const path = ['metadata', key]
    if (value === undefined || key === 'external_ref' || key === 'webhook_url') return []
    const isMerged = sent !== null && isObject(value) && isObject(there[key])
    return isMerged ? Object.keys(value).map((part) => ({ path: [...path, part] })) : [{ path }]
  })
}

/** Whether a webhook is sent that is not the one of the live object; metadata that is cleared has none. */
function isOtherWebhook({ metadata, webhookUrl }: Body, { live }: Live): boolean {
  const sent = webhookUrl !== undefined ? webhookUrl : metadata === null ? null : metadata?.webhook_url
  return sent !== undefined && (sent ?? null) !== (valueAt(live.server, ['url']) ?? null)
}

/**
 * What an update names of the live object that may be kept there in a form which the record does not take on: texts
 * with placeholders that rendering would replace, the name and metadata that texts are rendered from, tools, and its
 * webhook (contract: drift 10). Nothing is named by what is sent as the live object has it.
 */
export function namedPlaces(update: Update): NamedPlace[] {
  const { row, body, said } = update
  const spoken = textFields.filter((field) => body[field] !== undefined && body[field] !== row.live[field])
  const sent = isObject(body.model) ? body.model.messages : body.model
  const isChosen = isObject(said.model) && (said.model.toolIds !== undefined || said.model.tools !== undefined)
  return [
    ...(body.name === undefined ? [] : [name]),
    ...metadataPlaces(body.metadata, row),
    ...spoken.map((field) => ({ path: [field] })),
    ...(sent !== undefined && areSaid(update, sent) ? [messages] : []),
    ...(isChosen || said.model === null ? [toolIds] : []),
    ...(isOtherWebhook(body, row) ? [server] : []),
  ]
}

/**
 * The name, metadata and texts of a record, but for what the live object has in its own words, as one that was imported
 * may.
 */
export function recordedPlaces(row: Live & Pick<AssistantRowData, 'name' | 'metadata' | 'config'>): NamedPlace[] {
  const { config, live } = row
  const { variable_values: _local, ...metadata } = row.metadata
  const own = textFields.filter((field) => config[field] !== live[field])
  const areOther = !Bun.deepEquals(config.model?.messages ?? [], messagesIn(live.model?.messages))
  return [
    ...(row.name === live.name ? [] : [name]),
    ...Object.keys(metadata).map((key) => ({ path: ['metadata', key] })),
    ...own.map((field) => ({ path: [field] })),
    ...(areOther ? [messages] : []),
  ]
}
