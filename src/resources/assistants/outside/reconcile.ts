import type { AccountContext } from '../../../api/context.ts'
import { markUnfinished } from '../../../voice-platform/mirror/journal/rows.ts'
import { readLive } from '../../../voice-platform/mirror/reconcile.ts'
import { requireAssistant } from '../read/find.ts'
import { assistantRecord } from '../read/record.ts'
import { assistantRemote } from '../remote.ts'
import { loadSources } from '../rendering/sources.ts'
import { deleteAssistant } from '../service.ts'
import { changeAssistant } from '../write/change.ts'
import { liveWrite } from '../write/live-write.ts'

/** Which side an assistant keeps. */
export type Keep = 'ours' | 'theirs' | 'merge'

const resolutions = { ours: 'kept_ours', theirs: 'kept_theirs', merge: 'merged' } as const

/**
 * Brings an assistant and its live object together (contract: drift 15). Where nothing differs, nothing is done.
 * Returns the record, or undefined when it was deleted. Throws 404, 403 for viewers, 409 while a squad names one that is
 * to be deleted, 500 when the live platform cannot be read or written.
 */
export async function reconcileAssistant(ctx: AccountContext, input: { assistantId: string; keep: Keep }) {
  const { keep, assistantId } = input
  const found = await requireAssistant(ctx, assistantId)
  const remote = assistantRemote(ctx.platform)
  const live = await liveWrite(
    'assistant_update_failed',
    readLive(remote, found.voiceAssistantId, { signal: ctx.signal }),
  )
  if (!live) {
    if (keep === 'theirs') {
      await deleteAssistant(ctx, { assistantId })
      return undefined
    }
    // Recovery makes an object that is gone again; squads and numbers follow.
    await markUnfinished(ctx.db, { kind: remote.kind, ref: assistantId })
    await ctx.mirror.sweep()
    return assistantRecord(await requireAssistant(ctx, assistantId))
  }
  const options = {
    action: 'updated',
    source: 'reconcile',
    failed: 'assistant_update_failed',
    lazy: true,
    resolution: resolutions[keep],
  } as const
  const changed = await changeAssistant(ctx, assistantId, options, async (current, stored, outside) => {
    const row = keep === 'ours' ? stored : current
    const composed = keep === 'ours' ? outside?.base.composed : outside?.adopted.composed
    const { name, type, templateId, personalityId, kept, build, webhookUrl, metadata, config } = row
    const columns = { name, type, templateId, personalityId, kept, build, webhookUrl, metadata, config, live: row.live }
    return { ...columns, sources: await loadSources(ctx.db, row), exact: { composed: composed ?? row.live } }
  })
  return assistantRecord(changed)
}
