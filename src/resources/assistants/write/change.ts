import { eq } from 'drizzle-orm'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError, type ErrorName } from '../../../api/errors/api-error.ts'
import { requireMatch } from '../../../api/preconditions/match.ts'
import type { DriftResolution } from '../../../voice-platform/drift/table.ts'
import type { LiveAssistantBody } from '../../../voice-platform/mapping/live-assistant.ts'
import type { Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { platformActor, recordVersion } from '../../history/record.ts'
import type { VersionAction, VersionSource } from '../../history/table.ts'
import { detachStrangers } from '../../phone-numbers/routing/routing.ts'
import { keepLocked } from '../../tools/locked.ts'
import { configurationOf } from '../configuration.ts'
import { type AdoptedAssistant, adoptOutside } from '../outside/adopt.ts'
import { requireAssistant, requireSaved, savedRecords } from '../read/find.ts'
import type { AssistantRowData } from '../read/record.ts'
import { assistantRemote } from '../remote.ts'
import type { Sources } from '../rendering/sources.ts'
import { assistants } from '../table.ts'
import { assistantWrite } from './live-write.ts'

/** The columns that a change sets, `live` being the remote object's whole new body, and what that was rendered from. */
export type AssistantChange = Partial<typeof assistants.$inferInsert> &
  Pick<typeof assistants.$inferInsert, 'live'> & {
    sources: Sources
    /** What the history says of the change besides. */
    note?: string
    /**
     * The live body goes as it is, whatever was kept of outside changes; `composed` is what the record makes by itself.
     */
    exact?: { composed: LiveAssistantBody }
    /** The record stays as it is, and outside changes are undone. */
    same?: boolean
  }

/** What was changed outside, and the assistant with it. */
interface SeenOutside extends Outside<LiveAssistantBody> {
  adopted: AdoptedAssistant
}

interface ChangeOptions {
  action: VersionAction
  source: VersionSource
  /** The operation's own error for a failed live write. */
  failed: ErrorName
  /** The history entry that a restore went back to. */
  restoredFrom?: number
  /** Nothing is sent to a live object that is so already. */
  lazy?: boolean
  /** What becomes of what was changed outside; it is adopted unless said. */
  resolution?: DriftResolution
}

/**
 * Changes an assistant as its only writer: `plan` sees the current row, with what was changed outside, and the one that
 * is stored, and says what it becomes; what was changed outside gets a version of its own before. The remote object is
 * told first, then the row and its history entry are saved in one transaction. Numbers of a workspace that it leaves
 * lead to it no more. Returns the changed row. Throws 404 when it is gone, 412, 409 when other writers do not end, the
 * operation's own error when the live write fails.
 */
export async function changeAssistant(
  ctx: AccountContext,
  assistantId: string,
  options: ChangeOptions,
  plan: (row: AssistantRowData, stored: AssistantRowData, outside?: SeenOutside) => Promise<AssistantChange>,
): Promise<AssistantRowData> {
  const { action, source, restoredFrom, lazy, resolution } = options
  let numbers: string[] = []
  const write = ctx.mirror.update(assistantRemote(ctx.platform), assistantId, async (outside) => {
    const row = await requireAssistant(ctx, assistantId)
    await requireMatch(ctx, { assistantId })
    const adopted = outside && (await adoptOutside(ctx, row, outside))
    const current = { ...row, ...adopted?.columns }
    const { sources, note, exact, same, ...planned } = await plan(
      current,
      row,
      outside && adopted && { ...outside, adopted },
    )
    const change = await keepLocked(ctx.db, current, planned)
    return {
      liveId: row.voiceAssistantId,
      body: change.live,
      lazy,
      resolution,
      same,
      ...(exact && { exact: true, composed: exact.composed }),
      commit: async (tx, _live, sent) => {
        const mine = eq(assistants.id, row.id)
        const [locked] = await tx.select().from(assistants).where(mine).for('update')
        const columns = {
          ...adopted?.columns,
          ...change,
          live: { ...change.live, ...sent },
          updatedAt: ctx.clock.now(),
        }
        const [changed] = await savedRecords(tx, tx.update(assistants).set(columns).where(mine).returning())
        if (!locked || !changed) throw new ApiError('assistant_not_found')
        const actor = { id: ctx.account.userId, name: ctx.account.name }
        if (changed.workspaceId !== locked.workspaceId) {
          numbers = await detachStrangers(tx, changed, { actor, at: ctx.clock.now() })
        }
        const before = configurationOf({ ...locked, ...adopted?.columns })
        if (adopted) {
          await recordVersion(
            tx,
            { ...ctx, account: platformActor },
            {
              assistantId: row.id,
              action: 'updated',
              source: 'platform',
              before: configurationOf(locked),
              after: before,
              sources: adopted.sources,
              note: adopted.note,
            },
          )
        }
        const after = configurationOf(changed)
        await recordVersion(tx, ctx, {
          assistantId: row.id,
          action,
          source,
          before,
          after,
          sources,
          restoredFrom,
          note,
        })
        return changed
      },
    }
  })
  const changed = await assistantWrite(options.failed, write)
  if (numbers.length === 0) return changed
  await ctx.phoneNumbers.syncAll(numbers)
  return requireSaved(ctx.db, assistantId)
}
