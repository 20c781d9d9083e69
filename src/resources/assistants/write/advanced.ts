import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { isOperator } from '../../../accounts/account.ts'
import type { AccountContext } from '../../../api/context.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import { resellers } from '../../resellers/table.ts'
import { namedOwner, ownedBy } from '../../users/owner.ts'
import { mergedWithLive } from '../outside/merged.ts'
import { assistantRecord, requireAssistant } from '../read/record.ts'
import { renderDraft } from '../rendering/render.ts'
import { withPartsCleared } from './cleared-parts.ts'
import { editedDraft } from './edited-draft.ts'
import { withGivenBack } from './given-back.ts'
import { withMaskedAsStored } from './masked-back.ts'
import { namedPlaces } from './named-places.ts'
import { withoutOtherNames } from './other-names.ts'
import { switchPersonality } from './personality.ts'
import { withoutRepeats } from './repeats.ts'
import type { AdvancedInput } from './schema.ts'
import { changeAssistant } from './update.ts'
import { requireSettableUrl } from './webhook-url.ts'

/** The reseller that a body names: honoured for admins only. Throws 422 for one that does not exist. */
async function namedReseller(ctx: AccountContext, id: number | null | undefined): Promise<number | undefined> {
  if (id == null || !isOperator(ctx.account)) return undefined
  const [reseller] = await ctx.db.select({ id: resellers.id }).from(resellers).where(eq(resellers.id, id))
  if (!reseller) throw notExisting('reseller_id')
  return reseller.id
}

/**
 * The assistant merged with its live configuration; greeting and end-call text as they were written
 * (contract: assistants 29). While the platform is out of reach, it is as it was last saved. Throws 404.
 */
export async function getAdvanced(ctx: AccountContext, input: { assistantId: string }) {
  const row = await requireAssistant(ctx, input.assistantId)
  const record = assistantRecord(await mergedWithLive(ctx, row))
  const data = { ...record, first_message: record.first_message_raw, end_call_message: record.end_call_message_raw }
  return data
}

/**
 * Updates the full configuration, live platform first (contract: assistants 30).
 * Throws 404, 403 for viewers, 422 for references that do not exist, 500 with the platform's reason.
 */
export async function updateAdvanced(ctx: AccountContext, input: z.output<typeof AdvancedInput>) {
  const found = await requireAssistant(ctx, input.assistantId)
  const owner = await namedOwner(ctx, input.user_id, found)
  const resellerId = await namedReseller(ctx, input.reseller_id)
  const options = { action: 'updated', source: 'advanced', failed: 'assistant_update_failed' } as const
  const updated = await changeAssistant(ctx, input.assistantId, options, async (current, stored) => {
    await requireSettableUrl(ctx, stored, input.metadata)
    const body = withMaskedAsStored(current, input)
    const row = withoutOtherNames(withGivenBack(current, stored, body), body)
    const said = withPartsCleared(row, withoutRepeats(row, body))
    const edited = await editedDraft(ctx, row, said, (owner ?? row).workspaceId)
    const draft = await switchPersonality(ctx, row, edited.draft, said)
    const rendered = await renderDraft(ctx, row.assistantId, draft, draft === edited.draft ? edited.sources : undefined)
    const named = namedPlaces({ row: current, body, said, rendered })
    return { ...draft, ...ownedBy(owner), ...(resellerId !== undefined && { resellerId }), ...rendered, named }
  })
  return assistantRecord(updated)
}
