import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { isOperator } from '../../../accounts/account.ts'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError, type ErrorName } from '../../../api/errors/api-error.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import { requireMatch } from '../../../api/preconditions/match.ts'
import type { Transaction } from '../../../db/client.ts'
import { preparedSelect, preparedUpdateAs } from '../../../db/prepared/statement.ts'
import { together } from '../../../db/together.ts'
import type { LiveAssistantBody } from '../../../voice-platform/mapping/live-assistant.ts'
import type { Composition } from '../../../voice-platform/mirror/write/update.ts'
import { recordOutside, recordVersion } from '../../history/record.ts'
import type { VersionAction, VersionSource } from '../../history/table.ts'
import { detachStrangers, lockNumbers } from '../../phone-numbers/routing/routing.ts'
import { lockReferences, requireReferences } from '../../references/lock.ts'
import { movedTo } from '../../references/moved.ts'
import { lockMovable, refuseNamed, refuseNamedMove } from '../../references/moving.ts'
import { resellers } from '../../resellers/table.ts'
import { refuseStranger } from '../../squads/members.ts'
import { followName, lockSquadsOf } from '../../squads/renamed-members.ts'
import { keepLocked } from '../../tools/locked.ts'
import { namedOwner, ownedBy } from '../../users/owner.ts'
import { configurationOf } from '../configuration.ts'
import { type AdoptedAssistant, adoptOutside } from '../outside/adopt.ts'
import { type AssistantRowData, recordColumns } from '../read/find.ts'
import { assistantRecord, requireAssistant, requireSaved, savedRecords } from '../read/record.ts'
import { assistantRemote, assistantWrite } from '../remote.ts'
import { renderDraft } from '../rendering/render.ts'
import type { Sources } from '../rendering/sources.ts'
import { assistants } from '../table.ts'
import { withPartsCleared } from './cleared-parts.ts'
import { editedDraft } from './edited-draft.ts'
import { withMaskedAsStored } from './masked-secrets.ts'
import { namedBy } from './named.ts'
import { namedPlaces } from './named-places.ts'
import { withoutOtherNames } from './other-names.ts'
import { switchPersonality } from './personality.ts'
import { withReverted } from './reverted.ts'
import type { AdvancedInput } from './schema.ts'
import { withoutUnchangedFields } from './unchanged-fields.ts'
import { requireSettableUrl } from './webhook-url.ts'

/** The columns that a change sets, `live` being the remote object's whole new body, and what that was rendered from. */
export type AssistantChange = Partial<typeof assistants.$inferInsert> &
  Pick<typeof assistants.$inferInsert, 'live'> &
  Pick<Composition<LiveAssistantBody>, 'named' | 'composed'> & {
    sources: Sources
    /** What the history says of the change besides. */
    note?: string
  }

interface ChangeOptions extends Pick<Composition<LiveAssistantBody>, 'mode' | 'resolution'> {
  action: VersionAction
  source: VersionSource
  /** The operation's own error for a failed live write. */
  failed: ErrorName
  /** The history entry that a restore went back to. */
  restoredFrom?: number
  /** What is saved with it. */
  also?: (tx: Transaction) => Promise<void>
}

/** A change as it is saved. */
interface Composed extends Composition<LiveAssistantBody> {
  row: AssistantRowData
  columns: Partial<typeof assistants.$inferInsert>
  sources: Sources
  note?: string
  adopted?: AdoptedAssistant
}

const isRow = eq(assistants.id, sql.placeholder('row'))

const lockAssistant = preparedSelect<typeof assistants.$inferSelect>(getTableColumns(assistants), (executor) =>
  executor.select().from(assistants).where(isRow).for('update'),
)

const saveAssistant = preparedUpdateAs<typeof assistants, AssistantRowData>(
  assistants,
  recordColumns,
  (executor, values) => savedRecords(executor, executor.update(assistants).set(values).where(isRow).returning()),
)

/** What names what may be named again: the record, and what its live object has already. */
const namedIn = (row: Pick<AssistantRowData, 'config' | 'live'>, adopted: AdoptedAssistant | undefined) =>
  [row, adopted?.columns].map((side) => ({ config: side?.config, live: side?.live }))

const movingOf = ({ id, voiceAssistantId }: Pick<AssistantRowData, 'id' | 'voiceAssistantId'>) =>
  ({ kind: 'assistant', key: id, liveId: voiceAssistantId }) as const

/**
 * Saves a change and its history entry; what was changed outside gets an entry of its own before. Numbers of a
 * workspace that the assistant leaves lead to it no more, and squads hand over to it by its name. Returns the row,
 * those numbers, and how many squads and tools are to be told.
 */
async function saveChange(
  ctx: AccountContext,
  tx: Transaction,
  { action, source, restoredFrom, also }: ChangeOptions,
  { row, columns, sources, note, adopted, body }: Composed,
  sent: LiveAssistantBody,
) {
  const at = ctx.clock.now()
  const values = { ...adopted?.columns, ...columns, live: { ...body, ...sent }, updatedAt: at }
  const { workspaceId = row.workspaceId, name } = values
  if (workspaceId !== row.workspaceId) await lockNumbers(tx, { assistantId: row.id })
  const isRenamed = name !== undefined && name !== row.name
  const squads = isRenamed ? await lockSquadsOf(tx, row.id) : []
  const [[locked], changed] = await together(
    lockAssistant(tx, { row: row.id }),
    saveAssistant(tx, values, { row: row.id }),
  )
  if (!locked || !changed) throw new ApiError('assistant_not_found')
  // What it names was made again, under another id, since the change was made of it.
  if (!Bun.deepEquals([locked.config, locked.live], [row.config, row.live])) throw new ApiError('assistant_busy')
  const renamed = { assistantId: row.id, from: row.name, to: changed.name, at }
  const toTell = isRenamed ? await followName(tx, squads, renamed) : 0
  if (toTell === undefined) throw new ApiError('assistant_busy')
  const actor = { id: ctx.account.userId, name: ctx.account.name }
  const isMoved = changed.workspaceId !== locked.workspaceId
  const of = { assistantId: row.id, workspaceId: changed.workspaceId }
  if (isMoved) await refuseStranger(tx, row.id, of.workspaceId)
  const numbers = isMoved ? await detachStrangers(tx, { assistantId: row.id }, of.workspaceId, { actor, at }) : []
  if (isMoved) await refuseNamedMove(tx, locked.workspaceId, of.workspaceId, movingOf(row))
  const named = namedBy(changed, sources)
  await lockMovable(tx, of.workspaceId, named.movable, isMoved ? {} : locked.config)
  // In another workspace, only what operators configured may be named again.
  await lockReferences(tx, of.workspaceId, named.lockable, isMoved ? sources : namedIn(locked, adopted))
  const before = configurationOf({ ...locked, ...adopted?.columns })
  const outside = adopted && { before: configurationOf(locked), after: before, sources: adopted.sources }
  const taken = outside && (await recordOutside(tx, ctx, { ...of, ...outside, note: adopted.note }))
  const after = configurationOf(changed)
  const made = await recordVersion(tx, ctx, { ...of, action, source, before, after, sources, restoredFrom, note })
  // To keep what was changed outside may be all that a caller asked for.
  ctx.outcome.version = made ?? (source === 'reconcile' ? taken : undefined)
  await also?.(tx)
  return { changed, numbers, toTell }
}

/**
 * Changes an assistant as its only writer: `plan` sees the current row, with what was changed outside, and the one that
 * is stored, and says what it becomes. The remote object is told first, then all is saved in one transaction. Returns
 * the changed row. Throws 404 when it is gone, 412, 409 when other writers do not end or something that it would leave
 * behind names it, the operation's own error when the live write fails.
 */
export async function changeAssistant(
  ctx: AccountContext,
  assistantId: string,
  options: ChangeOptions,
  plan: (row: AssistantRowData, stored: AssistantRowData, adopted?: AdoptedAssistant) => Promise<AssistantChange>,
): Promise<AssistantRowData> {
  const { mode, resolution } = options
  const write = ctx.mirror.update(assistantRemote(ctx), assistantId, {
    async load() {
      const row = await requireAssistant(ctx, assistantId)
      await requireMatch(ctx, { assistantId })
      return row
    },
    adopt: (row, outside) => adoptOutside(ctx, row, outside),
    async compose(row, seen): Promise<Composed> {
      const adopted = seen?.adopted
      const current = adopted ? { ...row, ...adopted.columns } : row
      const { sources, note, composed, named, ...planned } = await plan(current, row, adopted)
      const { workspaceId = row.workspaceId } = planned
      const isMoved = workspaceId !== row.workspaceId
      if (isMoved) {
        await ctx.db.transaction((tx) => refuseStranger(tx, row.id, workspaceId))
        await refuseNamed(ctx.db, row.workspaceId, movingOf(row))
      }
      const kept = await keepLocked(ctx.db, current, planned)
      const columns = isMoved ? await movedTo(ctx.db, workspaceId, current, kept, sources) : kept
      const { layered } = namedBy({ build: null, config: current.config, ...columns }, sources)
      await requireReferences(ctx.db, workspaceId, layered, isMoved ? sources : namedIn(row, adopted))
      return {
        liveId: row.voiceAssistantId,
        body: columns.live,
        composed,
        mode,
        resolution,
        named,
        row,
        columns,
        sources,
        note,
        adopted,
      }
    },
    save: (tx, change, sent) => saveChange(ctx, tx, options, change, sent),
  })
  const { changed, numbers, toTell } = await assistantWrite(options.failed, write, options.source)
  if (toTell > 0) ctx.mirror.wake()
  if (numbers.length === 0) return changed
  await ctx.phoneNumbers.syncAll(numbers)
  return requireSaved(ctx.db, assistantId)
}

/** The reseller that a body names: honoured for admins only. Throws 422 for one that does not exist. */
async function namedReseller(ctx: AccountContext, id: number | null | undefined): Promise<number | undefined> {
  if (id == null || !isOperator(ctx.account)) return undefined
  const [reseller] = await ctx.db.select({ id: resellers.id }).from(resellers).where(eq(resellers.id, id))
  if (!reseller) throw notExisting('reseller_id')
  return reseller.id
}

/**
 * Updates an assistant as one of the two editors says, live platform first, re-rendering its texts (contract:
 * assistants 9, assistants 30). The regular one's schema takes fewer fields.
 * Throws 404, 403 for viewers, 422 for references that do not exist, 500 when the live write fails.
 */
export async function updateAssistant(
  ctx: AccountContext,
  source: 'regular' | 'advanced',
  input: z.output<typeof AdvancedInput>,
) {
  const found = await requireAssistant(ctx, input.assistantId)
  const owner = await namedOwner(ctx, input.user_id, found)
  const resellerId = await namedReseller(ctx, input.reseller_id)
  const options = { action: 'updated', source, failed: 'assistant_update_failed' } as const
  const updated = await changeAssistant(ctx, input.assistantId, options, async (current, stored) => {
    await requireSettableUrl(ctx, stored, input.metadata)
    const body = withMaskedAsStored(current, input)
    const row = withoutOtherNames(withReverted(current, stored, body), body)
    const said = withPartsCleared(row, withoutUnchangedFields(row, body))
    const edited = await editedDraft(ctx, row, said, (owner ?? row).workspaceId)
    const draft = await switchPersonality(ctx, row, edited.draft, said)
    const rendered = await renderDraft(ctx, row.assistantId, draft, draft === edited.draft ? edited.sources : undefined)
    const named = namedPlaces({ row: current, body, said, rendered })
    return { ...draft, ...ownedBy(owner), ...(resellerId !== undefined && { resellerId }), ...rendered, named }
  })
  return assistantRecord(updated)
}
