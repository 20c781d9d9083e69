import type { AccountContext } from '../../../api/context.ts'
import { requireMatch } from '../../../api/preconditions/match.ts'
import { refuseMember } from '../../squads/members.ts'
import { requireAssistant } from '../read/record.ts'
import { assistantRemote, assistantWrite, removeAssistant } from '../remote.ts'

/**
 * Deletes an assistant from the live platform, then here (contract: assistants 10). One that the platform has already
 * lost is deleted here. Numbers that led to it lead nowhere then.
 * Throws 404, 403 for viewers, 409 while a squad names it, 500 when the live delete fails.
 */
export async function deleteAssistant(ctx: AccountContext, input: { assistantId: string }) {
  const row = await requireAssistant(ctx, input.assistantId)
  const remove = ctx.mirror.remove(assistantRemote(ctx), row.assistantId, {
    async check() {
      // Another delete may have come before.
      await requireAssistant(ctx, input.assistantId)
      await requireMatch(ctx, input)
      await refuseMember(ctx.db, row.id)
    },
    save: (tx) => removeAssistant(tx, row.assistantId, ctx.clock.now()),
  })
  await ctx.phoneNumbers.syncAll(await assistantWrite('assistant_delete_failed', remove))
}
