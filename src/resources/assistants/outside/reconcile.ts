import type { AccountContext } from '../../../api/context.ts'
import type { Keep } from '../../reconcile/schema.ts'
import { reconcileSides, resolutions } from '../../reconcile/sides.ts'
import { requireAssistant } from '../read/find.ts'
import { assistantRecord } from '../read/record.ts'
import { assistantRemote } from '../remote.ts'
import { loadSources } from '../rendering/sources.ts'
import { deleteAssistant } from '../service.ts'
import { changeAssistant } from '../write/change.ts'
import { liveWrite } from '../write/live-write.ts'

/** Keeps a side where both are there. */
async function keepSide(ctx: AccountContext, assistantId: string, keep: Keep): Promise<void> {
  const options = {
    action: 'updated',
    source: 'reconcile',
    failed: 'assistant_update_failed',
    lazy: true,
    resolution: resolutions[keep],
  } as const
  await changeAssistant(ctx, assistantId, options, async (current, stored, outside) => {
    const row = keep === 'ours' ? stored : current
    const composed = keep === 'ours' ? outside?.base.composed : outside?.adopted.composed
    const { name, type, templateId, personalityId, kept, build, webhookUrl, metadata, config } = row
    const columns = { name, type, templateId, personalityId, kept, build, webhookUrl, metadata, config, live: row.live }
    return { ...columns, sources: await loadSources(ctx.db, row), exact: { composed: composed ?? row.live } }
  })
}

/**
 * Brings an assistant and its live object together (contract: drift 15). Where nothing differs, nothing is done.
 * Returns the record, or undefined when it was deleted. Throws 404, 403 for viewers, 409 while a squad names one that is
 * to be deleted, 500 when the live platform cannot be read or written.
 */
export async function reconcileAssistant(ctx: AccountContext, input: { assistantId: string; keep: Keep }) {
  const { keep, assistantId } = input
  const found = await requireAssistant(ctx, assistantId)
  const isThere = await reconcileSides(
    ctx,
    { assistantId },
    {
      keep,
      remote: assistantRemote(ctx.platform),
      ref: assistantId,
      liveId: found.voiceAssistantId,
      write: (work) => liveWrite('assistant_update_failed', work),
      agree: () => keepSide(ctx, assistantId, keep),
      remove: () => deleteAssistant(ctx, { assistantId }),
    },
  )
  return isThere ? assistantRecord(await requireAssistant(ctx, assistantId)) : undefined
}
