import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { findPage } from '../assistants/read/list.ts'
import { readable } from '../assistants/read/readable.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import { templateTextsOf } from '../assistants/rendering/spoken-texts.ts'
import { createFromDraft } from '../assistants/write/create.ts'
import { deleteAssistant } from '../assistants/write/delete.ts'
import { emptyDraft } from '../assistants/write/draft.ts'
import { messages, namedPlaces } from '../assistants/write/named-places.ts'
import { changeAssistant } from '../assistants/write/update.ts'
import { requireSettableUrl } from '../assistants/write/webhook-url.ts'
import { callerAsOwner } from '../users/owner.ts'
import { build } from './build.ts'
import { requireCustomFields } from './custom-fields.ts'
import { validBody } from './preview.ts'
import { builtRecordOf, builtRecords, rebuiltRecordOf } from './record.ts'
import type { BuildBody, BuiltListQuery, RebuildInput } from './schema.ts'
import { spokenTexts } from './spoken-texts.ts'
import { withoutUnchangedTexts } from './unchanged-texts.ts'

/** A page of the caller's assistants, each with how it was built (contract: builder 4). */
export async function listBuilt(ctx: AccountContext, query: z.output<typeof BuiltListQuery>) {
  const { rows, pagination } = await findPage(ctx, query, ({ page }) => page)
  return { data: await builtRecords(ctx.db, rows), pagination }
}

/**
 * Creates an assistant from its layers, live platform first (contract: builder 7).
 * Throws 422 for references that do not exist, without a base config, and for what the merged configuration breaks, 403
 * for viewers and at the quota, 500 when the live write fails.
 */
export async function createBuilt(ctx: AccountContext, body: BuildBody) {
  const owner = callerAsOwner(ctx)
  const built = await build(ctx, { ...emptyDraft, workspaceId: owner.workspaceId }, body)
  requireCustomFields(built)
  validBody(ctx, built)
  const { draft } = built
  const created = await createFromDraft(ctx, { draft, owner, source: 'v2' })
  const data = await builtRecordOf(ctx.db, created)
  return data
}

/**
 * One assistant with its live configuration and how it was built (contract: builder 8).
 * Throws 404, 502 when the platform cannot be read.
 */
export async function getBuilt(ctx: AccountContext, input: { assistantId: string }) {
  const row = await requireAssistant(ctx, input.assistantId)
  const live = await ctx.platform.assistants.get(row.voiceAssistantId, { signal: ctx.signal }).catch((cause) => {
    throw new ApiError('v2_load_failed', { cause })
  })
  return await builtRecordOf(ctx.db, { ...row, live: { ...row.live, ...readable(live) } as typeof row.live })
}

/**
 * Changes what is sent and applies the layers again, live platform first (contract: builder 9).
 * Throws 404, 403 for viewers, 422 for an assistant that v2 did not build, for references that do not exist,
 * for required custom fields that lose their value and for what the merged configuration breaks, 500 when the live
 * write fails.
 */
export async function updateBuilt(ctx: AccountContext, input: z.output<typeof RebuildInput>) {
  await requireAssistant(ctx, input.assistantId)
  const options = { action: 'updated', source: 'v2', failed: 'assistant_update_failed' } as const
  const updated = await changeAssistant(ctx, input.assistantId, options, async (row, stored) => {
    if (row.baseConfigId === null && row.build === null) throw new ApiError('v2_not_built')
    await requireSettableUrl(ctx, stored, input.metadata)
    const built = await build(ctx, row, withoutUnchangedTexts(row, input))
    requireCustomFields(built, row)
    const { draft, sources } = built
    const live = validBody(ctx, built, row)
    const { name, metadata, server_url: webhookUrl } = input
    const body = { name, metadata, webhookUrl, ...spokenTexts(input) }
    const named = namedPlaces({ row, body, said: {}, rendered: { live } })
    const isPrompted = input.system_prompt !== undefined
    const templateTexts = templateTextsOf(sources)
    return { ...draft, live, sources, templateTexts, named: isPrompted ? [...named, messages] : named }
  })
  const data = await rebuiltRecordOf(ctx.db, updated)
  return data
}

/** Deletes an assistant as DELETE /assistants/{assistantId} does (contract: builder 10). Throws the same. */
export async function deleteBuilt(ctx: AccountContext, input: { assistantId: string }) {
  await deleteAssistant(ctx, input)
}
