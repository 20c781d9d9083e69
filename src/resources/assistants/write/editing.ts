import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import type { LiveAssistantBody } from '../../../voice-platform/mapping/live-assistant.ts'
import { attachTools } from '../../tools/attach.ts'
import { loadSources, type Sources } from '../rendering/sources.ts'
import { applyBody, type Draft, liveBody } from './draft.ts'
import type { WriteBody } from './write-body.ts'

/** The stored assistant with a body put onto it, its tools checked. Throws 422 for tools that cannot be attached. */
export async function draftOf(ctx: AccountContext, stored: Draft, body: z.output<typeof WriteBody>): Promise<Draft> {
  const draft = applyBody(stored, body)
  const chosen = await attachTools(ctx, stored.config.model ?? {}, body.model)
  if (!chosen) return draft
  const { tools: _picked, ...model } = draft.config.model ?? {}
  return { ...draft, config: { ...draft.config, model: { ...model, ...chosen } } }
}

/** What a draft becomes on the platform, and what that was rendered from. */
export interface Rendered {
  live: LiveAssistantBody
  sources: Sources
}

/**
 * Renders a draft.
 * Throws 422 on `template_id` when there is no such template (contract: assistants 17).
 */
export async function renderDraft(ctx: AccountContext, assistantId: string, draft: Draft): Promise<Rendered> {
  const sources = await loadSources(ctx.db, draft)
  if (draft.templateId !== null && !sources.template) throw notExisting('template_id')
  return { live: liveBody(assistantId, draft, sources, ctx.settings), sources }
}
