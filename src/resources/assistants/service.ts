import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import { refuseMember } from '../squads/members.ts'
import { callerAsOwner, namedOwner, ownedBy } from '../users/owner.ts'
import { requireAssistant } from './read/find.ts'
import { assistantRecord } from './read/record.ts'
import { assistantRemote, removeAssistant } from './remote.ts'
import type { CreateInput, UpdateInput } from './schema.ts'
import { changeAssistant } from './write/change.ts'
import { createFromDraft } from './write/create.ts'
import { emptyDraft } from './write/draft.ts'
import { draftOf, renderDraft } from './write/editing.ts'
import { assistantWrite } from './write/live-write.ts'

/** One assistant (contract: assistants 7). Throws 404. */
export async function getAssistant(ctx: AccountContext, input: { assistantId: string }) {
  return assistantRecord(await requireAssistant(ctx, input.assistantId))
}

/**
 * Creates an assistant, live platform first (contract: assistants 8).
 * Throws 422 for references that do not exist, 403 for viewers and at the quota, 500 when the live write fails
 * and when the selected phone number cannot be bought.
 */
export async function createAssistant(ctx: AccountContext, input: z.output<typeof CreateInput>) {
  const owner = (await namedOwner(ctx, input.user_id)) ?? callerAsOwner(ctx)
  const draft = await draftOf(ctx, emptyDraft, input, owner.workspaceId)
  const number = input.selected_phone_number ?? undefined
  const created = await createFromDraft(ctx, { draft, owner, source: 'regular', number })
  return assistantRecord(created)
}

/**
 * Updates an assistant, live platform first, re-rendering its texts (contract: assistants 9).
 * Throws 404, 403 for viewers, 422 for references that do not exist, 500 when the live write fails.
 */
export async function updateAssistant(ctx: AccountContext, input: z.output<typeof UpdateInput>) {
  await requireAssistant(ctx, input.assistantId)
  const owner = await namedOwner(ctx, input.user_id)
  const options = { action: 'updated', source: 'regular', failed: 'assistant_update_failed' } as const
  const updated = await changeAssistant(ctx, input.assistantId, options, async (row) => {
    const draft = await draftOf(ctx, row, input, (owner ?? row).workspaceId)
    return { ...draft, ...ownedBy(owner), ...(await renderDraft(ctx, row.assistantId, draft)) }
  })
  return assistantRecord(updated)
}

/**
 * Deletes an assistant from the live platform, then here (contract: assistants 10). One that the platform has already
 * lost is deleted here. Numbers that led to it lead nowhere then.
 * Throws 404, 403 for viewers, 409 while a squad names it, 500 when the live delete fails.
 */
export async function deleteAssistant(ctx: AccountContext, input: { assistantId: string }) {
  const row = await requireAssistant(ctx, input.assistantId)
  const remove = ctx.mirror.remove(assistantRemote(ctx.platform), row.assistantId, {
    async check() {
      await requireMatch(ctx, input)
      await refuseMember(ctx.db, row.id)
    },
    commit: (tx) => removeAssistant(tx, row.assistantId),
  })
  await ctx.phoneNumbers.syncAll(await assistantWrite('assistant_delete_failed', remove))
}
