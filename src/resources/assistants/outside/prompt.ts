import { isObject } from '../../../json/object.ts'
import { systemPromptIn } from '../rendering/prompt.ts'
import { keptWithout, type Sources } from '../rendering/sources.ts'
import { spokenIn } from '../rendering/spoken.ts'
import type { ChatMessage } from '../schema.ts'
import type { Draft } from '../write/draft.ts'

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
  const { firstMessage, endCallMessage } = spokenIn(draft, template)
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
    build: build && { ...build, request: { ...build.request, system_prompt: own } },
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
