import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { validationError } from '../../../api/errors/api-error.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import type { LiveAssistantBody, Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { textsOf } from '../../../voice-platform/mapping/settings.ts'
import { resolveReferences } from '../../references/resolve.ts'
import { attachTools } from '../../tools/attach.ts'
import { loadSources, type Sources } from '../rendering/sources.ts'
import { applyBody, type Draft, liveBody } from './draft.ts'
import { configFieldNames, type WriteBody } from './write-body.ts'

type Body = z.output<typeof WriteBody>

/** Tools that are picked are looked at with what is attached already, not with other references. */
const pickedTool = /^model\.(toolIds\.\d+|tools\.\d+\.toolId)$/

/** The body in the platform's ids. Throws 422 on the path of what the workspace does not have. */
async function resolveBody(ctx: AccountContext, body: Body, workspaceId: number): Promise<Body> {
  const fields: Settings = body
  const sent = Object.fromEntries(configFieldNames.map((field) => [field, fields[field]]))
  return { ...body, ...(await resolveReferences(ctx, workspaceId, sent, ({ path }) => !pickedTool.test(path))) }
}

/** Characters of JSON that all settings and values of an assistant may have: what merges key by key would grow for ever. */
const maxStored = 400_000

/** Throws 422 on the largest field of a draft that is too large to be kept. */
export function refuseTooLarge({ config, metadata }: Pick<Draft, 'config' | 'metadata'>): void {
  const { variable_values: variableValues, ...rest } = metadata
  const sizes = Object.entries({ ...config, metadata: rest, variableValues })
    .map(([field, value]) => ({ field, size: JSON.stringify(value)?.length ?? 0 }))
    .sort((one, other) => other.size - one.size)
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  const [largest] = sizes
  if (total <= maxStored || !largest) return
  const text = `The ${largest.field} field is too large: all settings together may have ${maxStored} characters.`
  throw validationError({ [largest.field]: [text] })
}

/**
 * The stored assistant with a body put onto it. Every object on the platform that the body names is of the workspace
 * that has the assistant. Throws 422 on the path of one that is not, and for tools that cannot be attached.
 */
export async function draftOf(
  ctx: AccountContext,
  stored: Draft & { live?: LiveAssistantBody },
  sent: Body,
  workspaceId: number,
): Promise<Draft> {
  const body = await resolveBody(ctx, sent, workspaceId)
  const draft = applyBody(stored, body)
  refuseTooLarge(draft)
  const attached = textsOf(stored.live?.model?.toolIds).map((id) => id.toLowerCase())
  const chosen = await attachTools(ctx, stored.config.model ?? {}, body.model, attached)
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
