import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors.ts'
import { permit } from '../../api/permission.ts'
import { preparedInsert } from '../../db/prepared-statement.ts'
import { attachNumber, selectedNumber } from '../phone-numbers/selected.ts'
import { refuseMember } from '../squads/members.ts'
import { recordVersion } from '../versions/record.ts'
import { changeAssistant } from './change.ts'
import { configurationOf } from './configuration.ts'
import { emptyDraft } from './draft.ts'
import { draftOf, liveBodyOf } from './editing.ts'
import { findAssistant, requireAssistant } from './find.ts'
import { liveWrite } from './live-write.ts'
import { callerAsOwner, checkQuota, holdQuota, namedOwner, ownedBy } from './owner.ts'
import { newPublicKey } from './public-key.ts'
import { assistantRecord } from './record.ts'
import type { CreateInput, UpdateInput } from './schema.ts'
import { assistants } from './table.ts'
import { assistantTwin, removeAssistant } from './twin.ts'

const insertAssistant = preparedInsert('assistants_insert', assistants)

/** One assistant (spec 1, GET /assistants/{assistantId}). Throws 404. */
export async function getAssistant(ctx: AccountContext, input: { assistantId: string }) {
  return { success: true as const, data: assistantRecord(await requireAssistant(ctx, input.assistantId)) }
}

/**
 * Creates an assistant, live platform first (spec 1, POST /assistants).
 * Throws 422 for references that do not exist, 403 for viewers and at the quota, 500 when the live write fails
 * and when the selected phone number cannot be bought.
 */
export async function createAssistant(ctx: AccountContext, input: z.output<typeof CreateInput>) {
  const message = 'Assistant created successfully'
  const owner = (await namedOwner(ctx, input.user_id)) ?? callerAsOwner(ctx)
  const assistantId = ctx.idempotencyId ?? crypto.randomUUID()
  const draft = await draftOf(ctx, emptyDraft, input)
  const live = await liveBodyOf(ctx, assistantId, draft)
  permit(ctx)
  if (ctx.idempotencyId) {
    const made = await findAssistant(ctx.db, ctx.scope, assistantId)
    if (made) return { success: true as const, data: assistantRecord(made), message }
  }
  await checkQuota(ctx.db, owner)
  const selected = input.selected_phone_number
  const number = selected ? await selectedNumber(ctx, owner, selected, assistantId) : undefined

  const made = { ...draft, live, industryTemplateId: null, layer2Key: null, widgetEmbedConfig: null }
  const now = ctx.clock.now()
  const create = ctx.mirror.create(assistantTwin(ctx.platform), assistantId, live, async (tx, twin) => {
    await holdQuota(tx, owner)
    const id = await insertAssistant(tx, {
      ...made,
      assistantId,
      voiceAssistantId: twin.id,
      userId: owner.userId,
      createdBy: ctx.account.userId,
      resellerId: owner.resellerId,
      workspaceId: owner.workspaceId,
      publicKey: newPublicKey(),
      createdAt: now,
      updatedAt: now,
    })
    await recordVersion(tx, ctx, {
      assistantId: id,
      action: 'created',
      source: 'regular',
      before: undefined,
      after: configurationOf(made),
    })
    if (number) await attachNumber(tx, ctx, number, { id, voiceAssistantId: twin.id })
  })
  await liveWrite('assistant_create_failed', create)
  if (number) await ctx.phoneNumbers.syncAll([number])
  const created = await findAssistant(ctx.db, { kind: 'all', id: 0 }, assistantId)
  if (!created) throw new ApiError('assistant_not_found')
  return { success: true as const, data: assistantRecord(created), message }
}

/**
 * Updates an assistant, live platform first, re-rendering its texts (spec 1, PUT /assistants/{assistantId}).
 * Throws 404, 403 for viewers, 422 for references that do not exist, 500 when the live write fails.
 */
export async function updateAssistant(ctx: AccountContext, input: z.output<typeof UpdateInput>) {
  await requireAssistant(ctx, input.assistantId)
  permit(ctx)
  const owner = await namedOwner(ctx, input.user_id)
  const options = { action: 'updated', source: 'regular', failed: 'assistant_update_failed' } as const
  const updated = await changeAssistant(ctx, input.assistantId, options, async (row) => {
    const draft = await draftOf(ctx, row, input)
    return { ...draft, ...ownedBy(owner), live: await liveBodyOf(ctx, row.assistantId, draft) }
  })
  return { success: true as const, data: assistantRecord(updated), message: 'Assistant updated successfully' }
}

/**
 * Deletes an assistant from the live platform, then here (spec 1, DELETE). One that the platform has already lost is
 * deleted here. Numbers that led to it lead nowhere then.
 * Throws 404, 403 for viewers, 409 while a squad names it, 500 when the live delete fails.
 */
export async function deleteAssistant(ctx: AccountContext, input: { assistantId: string }) {
  const row = await requireAssistant(ctx, input.assistantId)
  permit(ctx)
  const twin = assistantTwin(ctx.platform)
  // Asked when it is this delete's turn, so that no squad can come to name it afterwards.
  const deleteLive: typeof twin.live.delete = async (id, options) => {
    await refuseMember(ctx.db, row.id)
    return twin.live.delete(id, options)
  }
  const guarded = { ...twin, live: { ...twin.live, delete: deleteLive } }
  const remove = ctx.mirror.remove(guarded, row.assistantId, row.voiceAssistantId, (tx) =>
    removeAssistant(tx, row.assistantId),
  )
  await ctx.phoneNumbers.syncAll(await liveWrite('assistant_delete_failed', remove))
  return { success: true as const, message: 'Assistant deleted successfully' }
}
