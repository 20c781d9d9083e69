import type { AccountContext } from '../../../api/context.ts'
import type { Json } from '../../../json/object.ts'
import { isSystem, systemPromptIn } from '../rendering/prompt.ts'
import { renderer } from '../rendering/render.ts'
import { personalityOf, withoutKeptTemplate } from '../rendering/sources.ts'
import type { ChatMessage } from '../schema.ts'
import { type Draft, switchesTemplate } from './draft.ts'
import { withoutOutsideTexts, withRequest } from './request-texts.ts'

/** Characters of a personality's prompt once rendered, which is only compared here. */
const maxEnding = 1_000_000

/** A prompt as it is sent without the personality's, which rendering puts after it again. */
async function withoutPersonality(ctx: AccountContext, stored: Draft, prompt: string): Promise<string> {
  const personality = await personalityOf(ctx.db, stored)
  const render = renderer(stored, { ...(personality && { personality }) })
  const ending = render('model.messages', maxEnding)(personality?.prompt ?? '')
  if (ending === '') return prompt
  if (prompt === ending) return ''
  return prompt.endsWith(`\n\n${ending}`) ? prompt.slice(0, -ending.length - 2) : prompt
}

/** What a body says that decides where its messages go. */
interface Sending {
  template_id?: number | null
  model?: (Json & { messages?: ChatMessage[] | null }) | null
}

/** A body with other messages, or without any where they are as they are stored. */
function withMessages<Body extends Sending>(body: Body, stored: Draft, messages: ChatMessage[]): Body {
  const { messages: _sent, ...model } = body.model ?? {}
  if (!Bun.deepEquals(messages, stored.config.model?.messages ?? [])) {
    return { ...body, model: { ...model, messages } }
  }
  return { ...body, model: Object.keys(model).length > 0 ? model : undefined }
}

/**
 * An update's messages in the place that calls take them from: the body with those that are kept, and how the assistant
 * is built. The prompt of a template stands, whatever system message is sent (contract: assistants 34). One for an
 * assistant that the builder made becomes its own system prompt, above the layers'; null lets the layers speak again
 * (contract: builder 18). One for an assistant that is rendered from the copy of a template that was deleted becomes
 * its own: its record shows no template, and null takes the copy's away.
 */
export async function placeMessages<Body extends Sending>(
  ctx: AccountContext,
  stored: Draft & { live: { model?: { messages?: unknown } } },
  body: Body,
): Promise<{ body: Body; stored: Draft }> {
  const { templateId, kept } = stored
  const build = stored.build && (body.template_id == null ? stored.build : withoutOutsideTexts(stored.build))
  const sent = body.model === null ? null : body.model?.messages
  const wasTemplated = templateId !== null || kept?.template !== undefined
  if (sent === undefined || !(wasTemplated || build)) return { body, stored }
  const speaking = async (own: string | null) =>
    build ? { ...stored, build: withRequest(build, { system_prompt: own }) } : withoutKeptTemplate(ctx.db, stored)
  if (sent === null) return { body, stored: await speaking(null) }

  const isTemplated = (body.template_id === undefined ? templateId : body.template_id) !== null
  const isStanding = isTemplated && build?.request.system_prompt == null
  const isSwitched = switchesTemplate(stored, body.template_id)
  const said = sent.find(isSystem)?.content
  const isNew = said !== undefined && (isSwitched || said !== systemPromptIn(stored.live.model?.messages))
  const own = isNew && !isStanding ? await withoutPersonality(ctx, stored, said) : undefined
  const before = (stored.config.model?.messages ?? []).filter(isSystem)
  const system = own === undefined || build ? before : [{ role: 'system', content: own }]
  const messages = [...system, ...sent.filter((message) => !isSystem(message))]
  return { body: withMessages(body, stored, messages), stored: own === undefined ? stored : await speaking(own) }
}
