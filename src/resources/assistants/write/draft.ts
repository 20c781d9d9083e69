import type { z } from 'zod'
import { toPlatformAssistant } from '../../../voice-platform/mapping/assistant.ts'
import type { LiveAssistantBody, Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { promptOf, systemPromptIn } from '../rendering/prompt.ts'
import { renderer } from '../rendering/render.ts'
import { keptWithout, type Sources } from '../rendering/sources.ts'
import type { AssistantConfig, AssistantType, Build, ChatMessage, StoredMetadata } from '../schema.ts'
import { mergeFields } from './merge.ts'
import { keptUnder, type ProviderPart } from './provider-parts.ts'
import { configFieldNames, type WriteBody } from './write-body.ts'

/** An assistant as it is about to be saved, before its texts are rendered. */
export interface Draft {
  name: string
  type: AssistantType
  templateId: number | null
  personalityId: number | null
  baseConfigId: number | null
  industryTemplateId: number | null
  layer2Key: string | null
  kept: Sources | null
  build: Build | null
  webhookUrl: string | null
  metadata: StoredMetadata
  config: AssistantConfig
}

export const emptyDraft: Draft = {
  name: '',
  type: 'demo',
  templateId: null,
  personalityId: null,
  baseConfigId: null,
  industryTemplateId: null,
  layer2Key: null,
  kept: null,
  build: null,
  webhookUrl: null,
  metadata: {},
  config: {},
}

type Body = z.output<typeof WriteBody>

const sentOrStored = <T>(sent: T | undefined, stored: T): T => (sent === undefined ? stored : sent)

function mergeMetadata(stored: StoredMetadata, body: Body): StoredMetadata {
  const { variable_values, ...kept } = stored
  const { webhook_url: _ownColumn, ...sent } = body.metadata ?? {}
  const variables = mergeFields({ variable_values }, { variable_values: body.variableValues }).variable_values
  const metadata: StoredMetadata = body.metadata === null ? {} : mergeFields(kept, sent)
  return variables && Object.keys(variables).length > 0 ? { ...metadata, variable_values: variables } : metadata
}

function mergeWebhook(stored: string | null, body: Body): string | null {
  if (body.metadata === null) return null
  return sentOrStored(body.metadata?.webhook_url, stored)
}

/** The stored assistant with a write body's fields put onto it; `model.tools` are ids like `model.toolIds`. */
export function applyBody(stored: Draft, body: Body): Draft {
  const sent: Settings = {}
  const fields: Settings = body
  for (const field of configFieldNames) if (fields[field] !== undefined) sent[field] = fields[field]
  return {
    personalityId: stored.personalityId,
    baseConfigId: stored.baseConfigId,
    industryTemplateId: stored.industryTemplateId,
    layer2Key: stored.layer2Key,
    kept: body.template_id === undefined ? stored.kept : keptWithout(stored.kept, ['template']),
    build: stored.build,
    name: body.name,
    type: body.type === null ? emptyDraft.type : sentOrStored(body.type, stored.type),
    templateId: sentOrStored(body.template_id, stored.templateId),
    webhookUrl: mergeWebhook(stored.webhookUrl, body),
    metadata: mergeMetadata(stored.metadata, body),
    config: mergeFields(stored.config, sent),
  }
}

/**
 * Provider selections are platform-managed: they come from the base config, under the assistant's own settings. What
 * was built has its own.
 */
function withSelections({ config, build }: Draft, base: Settings | undefined): AssistantConfig {
  if (!base) return config
  const part = (name: ProviderPart) => {
    const selected = base[name]
    const own: Settings = config[name] ?? {}
    if (typeof selected !== 'object' || selected === null || (build && own.provider !== undefined)) return config[name]
    return { ...keptUnder(name, { ...selected }, own), ...own }
  }
  return { ...config, model: part('model'), voice: part('voice'), transcriber: part('transcriber') }
}

/**
 * The messages that the remote object gets: the prompt of the template or the builder first, other messages sent kept
 * after it; without them those that were sent. A personality's own prompt ends the system message. All rendered.
 */
function messagesOf({ config, build }: Draft, sources: Sources, render: (text: string) => string) {
  const { template, preset, industry, personality } = sources
  const sent: ChatMessage[] = config.model?.messages ?? []
  const ownPrompt = systemPromptIn(sent)
  // The builder's layers, highest first: the same order as in `mergeLayers`.
  const layered = [build?.request.system_prompt, template?.prompt, promptOf(preset?.overrides), industry?.prompt]
  const given = layered.find((text) => text != null)
  const prompt = [given ?? ownPrompt, personality?.prompt].filter((text) => text != null && text !== '')
  const others =
    given !== undefined
      ? sent.filter(({ role }) => role !== 'system')
      : sent.filter((message) => message.content !== ownPrompt)
  const system = prompt.length > 0 ? [{ role: 'system', content: prompt.join('\n\n') }] : []
  return [...system, ...others].map(({ role, content }) => ({ role, content: render(content) }))
}

/** Characters of one spoken text, and of all messages together, once rendered. */
const maxRenderedText = 10_000
const maxRenderedMessages = 200_000

/**
 * The whole live body of a draft, texts rendered from template, variables and metadata.
 * Throws 422 on the field whose rendered text is too long.
 */
export function liveBody(
  assistantId: string,
  draft: Draft,
  sources: Sources,
  options: { backgroundSoundBaseUrl: string | undefined },
): LiveAssistantBody {
  const { template, baseConfig } = sources
  const { config, metadata, name } = draft
  const render = renderer(name, metadata)
  const rendered = (field: string, text: string | null | undefined) =>
    text == null ? null : render(field, maxRenderedText)(text)
  const { variable_values: _local, ...shared } = metadata
  return toPlatformAssistant(
    {
      externalRef: assistantId,
      name,
      firstMessage: rendered('firstMessage', config.firstMessage ?? template?.firstMessage),
      endCallMessage: rendered('endCallMessage', config.endCallMessage ?? template?.endCallMessage),
      voicemailMessage: rendered('voicemailMessage', config.voicemailMessage),
      messages: messagesOf(draft, sources, render('model.messages', maxRenderedMessages)),
      serverUrl: draft.webhookUrl,
      metadata: shared,
      config: withSelections(draft, baseConfig?.config),
    },
    options,
  )
}
