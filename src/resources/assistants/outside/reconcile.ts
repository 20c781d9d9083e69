import type { AccountContext } from '../../../api/context.ts'
import type { Keep } from '../../reconcile/schema.ts'
import { endingOf, reconcileSides } from '../../reconcile/sides.ts'
import { assistantRecord, requireAssistant } from '../read/record.ts'
import { assistantRemote, assistantWrite } from '../remote.ts'
import { loadSources } from '../rendering/sources.ts'
import { deleteAssistant } from '../write/delete.ts'
import { draftIn } from '../write/draft.ts'
import { recordedPlaces } from '../write/named-places.ts'
import { changeAssistant } from '../write/update.ts'

/** Keeps a side where both are there. */
async function keepSide(ctx: AccountContext, assistantId: string, keep: Keep): Promise<void> {
  const options = {
    action: 'updated',
    source: 'reconcile',
    failed: 'assistant_update_failed',
    ...endingOf(keep),
  } as const
  await changeAssistant(ctx, assistantId, options, async (current, stored, adopted) => {
    const taken = keep === 'ours' ? undefined : adopted
    const row = taken ? current : stored
    const named = keep === 'ours' ? recordedPlaces(row) : []
    return {
      ...draftIn(row),
      live: row.live,
      sources: await loadSources(ctx.db, row),
      ...(taken ? { composed: taken.composed } : { named }),
    }
  })
}

/**
 * Brings an assistant and its live object together (contract: drift 15). Where nothing differs, nothing is done.
 * Returns the record, or undefined when it was deleted. Throws 404, 403 for viewers, 409 while a squad names one that
 * is to be deleted, 500 when the live platform cannot be read or written.
 */
export async function reconcileAssistant(ctx: AccountContext, input: { assistantId: string; keep: Keep }) {
  const { keep, assistantId } = input
  const found = await requireAssistant(ctx, assistantId)
  const isThere = await reconcileSides(
    ctx,
    { assistantId },
    {
      keep,
      remote: assistantRemote(ctx),
      ref: assistantId,
      liveId: found.voiceAssistantId,
      write: (work) => assistantWrite('assistant_update_failed', work),
      agree: () => keepSide(ctx, assistantId, keep),
      remove: () => deleteAssistant(ctx, { assistantId }),
    },
  )
  return isThere ? assistantRecord(await requireAssistant(ctx, assistantId)) : undefined
}
