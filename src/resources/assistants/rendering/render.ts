import type { AccountContext } from '../../../api/context.ts'
import { validationError } from '../../../api/errors/api-error.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import { isObject } from '../../../json/object.ts'
import { toPlatformAssistant } from '../../../voice-platform/mapping/assistant.ts'
import type { LiveAssistantBody, Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { filler, fillingsOf, isPlainName, nameIn, placeholder } from '../../../voice-platform/mapping/placeholders.ts'
import type { AssistantConfig, ChatMessage } from '../schema.ts'
import type { Draft } from '../write/draft.ts'
import { keptUnder, type ProviderPart } from '../write/provider-parts.ts'
import { isSystem, promptOf } from './prompt.ts'
import { loadSources, type Sources } from './sources.ts'
import { spokenTextsOf, type TemplateTexts, templateTextsOf } from './spoken-texts.ts'

/** The names of the placeholders in a text. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, inside = '']) => nameIn(inside)).filter(isPlainName)

/** Renders texts of one field, which together may have so many characters. Throws 422 on the field. */
export type Renderer = (field: string, max: number) => (text: string) => string

/** Renders texts with the placeholders of an assistant (contract: assistants 33). */
export function renderer(draft: Draft, { personality }: Pick<Sources, 'personality'>): Renderer {
  const fill = filler(draft.name, fillingsOf(draft, personality))
  return (field, max) => {
    const room = { left: max }
    return (text) => {
      const filled = fill(text, room)
      if (filled !== undefined) return filled
      const message = `The ${field} field must have at most ${max} characters once its placeholders are replaced.`
      throw validationError({ [field]: [message] })
    }
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
    if (!isObject(selected)) return config[name]
    // What was built has the settings of a base that selects none, too, unless an editor took them away.
    if (build && (own.provider !== undefined || selected.provider == null)) return config[name]
    return { ...keptUnder(name, selected, own), ...own }
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
  const ownMessage = sent.find(isSystem)
  // The builder's layers, highest first: the same order as in `mergeLayers`.
  const layered = [build?.request.system_prompt, template?.prompt, promptOf(preset?.overrides), industry?.prompt]
  const given = layered.find((text) => text != null)
  const prompt = [given ?? ownMessage?.content, personality?.prompt].filter((text) => text != null && text !== '')
  const others =
    given !== undefined
      ? sent.filter((message) => !isSystem(message))
      : sent.filter((message) => message !== ownMessage)
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
  const spoken = spokenTextsOf(draft, template)
  const render = renderer(draft, sources)
  const rendered = (field: string, text: string | null | undefined) =>
    text == null ? null : render(field, maxRenderedText)(text)
  const { variable_values: _local, ...shared } = metadata
  return toPlatformAssistant(
    {
      externalRef: assistantId,
      name,
      firstMessage: rendered('firstMessage', spoken.firstMessage),
      endCallMessage: rendered('endCallMessage', spoken.endCallMessage),
      voicemailMessage: rendered('voicemailMessage', config.voicemailMessage),
      messages: messagesOf(draft, sources, render('model.messages', maxRenderedMessages)),
      serverUrl: draft.webhookUrl,
      metadata: shared,
      config: withSelections(draft, baseConfig?.config),
    },
    options,
  )
}

/** What a draft becomes on the platform, and what that was rendered from. */
export interface Rendered {
  live: LiveAssistantBody
  sources: Sources
  templateTexts: TemplateTexts | null
}

/**
 * Renders a draft. Throws 422 on `template_id` when there is no such template (contract: assistants 17).
 * @param loaded its sources, where they were loaded before
 */
export async function renderDraft(
  ctx: AccountContext,
  assistantId: string,
  draft: Draft,
  loaded?: Sources,
): Promise<Rendered> {
  const sources = loaded ?? (await loadSources(ctx.db, draft))
  if (draft.templateId !== null && !sources.template) throw notExisting('template_id')
  const live = liveBody(assistantId, draft, sources, ctx.settings)
  return { live, sources, templateTexts: templateTextsOf(sources) }
}
