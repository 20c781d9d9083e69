import { isObject } from '../../../json/object.ts'
import { systemPromptIn } from '../rendering/prompt.ts'
import { keptWithout, type Sources } from '../rendering/sources.ts'
import { type SpokenField, spokenTextsOf, type TemplateTexts } from '../rendering/spoken-texts.ts'
import type { Build, ChatMessage } from '../schema.ts'
import type { Draft } from '../write/draft.ts'
import { withOutsideTexts } from '../write/request-texts.ts'

const isMessage = (item: unknown): item is ChatMessage =>
  isObject(item) && typeof item.role === 'string' && typeof item.content === 'string'

/** The personality's prompt stays its own as long as the text still ends with it. */
function personalityOf(draft: Draft, { personality }: Sources, prompt: string, rendered: string) {
  const ending = personality?.prompt ? rendered : ''
  if (ending !== '' && prompt.endsWith(`\n\n${ending}`)) {
    return { personalityId: draft.personalityId, kept: draft.kept, own: prompt.slice(0, -ending.length - 2) }
  }
  if (ending === '' || !personality) return { personalityId: draft.personalityId, kept: draft.kept, own: prompt }
  return { personalityId: null, kept: { ...draft.kept, personality: { ...personality, prompt: null } }, own: prompt }
}

/** The texts of an assistant that v2 built which are its template's: without it, they are the request's own. */
function broughtTo(build: Build, { config }: Draft, template: TemplateTexts | undefined): Partial<Build['request']> {
  const brought = (field: SpokenField) => {
    const text = template?.[field]
    return text != null && text === build.config[field] && text === config[field] ? text : undefined
  }
  const [first_message, end_call_message] = [brought('firstMessage'), brought('endCallMessage')]
  return {
    ...(build.request.first_message === null && first_message !== undefined && { first_message }),
    ...(build.request.end_call_message === null && end_call_message !== undefined && { end_call_message }),
  }
}

/**
 * Makes the messages of a live object the assistant's own: its prompt is rendered from no template any more. What else
 * the template brought stays: its spoken texts become the assistant's own too, and its base config is kept as a copy.
 */
export function ownPrompt(
  draft: Draft,
  sources: Sources,
  messages: unknown,
  render: (text: string) => string,
): { draft: Draft; sources: Sources } {
  const all = Array.isArray(messages) ? messages.filter(isMessage) : []
  const ending = render(sources.personality?.prompt ?? '')
  const { own, personalityId, kept } = personalityOf(draft, sources, systemPromptIn(all) ?? '', ending)
  const { template, baseConfig } = sources
  const others = all.filter(({ role }) => role !== 'system')
  const system = own === '' ? [] : [{ role: 'system', content: own }]
  const withoutTemplate = keptWithout({ kept, build: draft.build }, ['template'])
  const copies: Sources = {
    ...withoutTemplate,
    ...(draft.baseConfigId === null && baseConfig && { baseConfig }),
  }
  const { firstMessage, endCallMessage } = spokenTextsOf(draft, template)
  const spoken = {
    ...(firstMessage != null && { firstMessage }),
    ...(endCallMessage != null && { endCallMessage }),
  }
  const { build } = draft
  const next: Draft = {
    ...draft,
    templateId: null,
    personalityId,
    kept: Object.keys(copies).length > 0 ? copies : null,
    build: build && withOutsideTexts(build, { system_prompt: own, ...broughtTo(build, draft, template) }),
    config: {
      ...draft.config,
      ...spoken,
      model: { ...draft.config.model, messages: build ? others : [...system, ...others] },
    },
  }
  const { template: _gone, ...left } = sources
  const personality = copies.personality ?? left.personality
  return { draft: next, sources: { ...left, ...(personality && { personality }) } }
}
