import { and, eq, isNotNull, max, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { bytesOfText } from '../../api/page-weight.ts'
import { pageOfList, sortedBy, type Window } from '../../api/paging/walk.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import { hasSides, maskedChange, shownChange } from '../history/changes.ts'
import { type KeptConfiguration, readable } from '../history/configuration.ts'
import { summarize } from '../history/sentences.ts'
import { assistantVersions } from '../history/table.ts'
import { readableChanges, readableSummary } from './columns.ts'
import type { Version, VersionListInput } from './schema.ts'

/** A kept configuration has the shape that `recordVersion` wrote. */
const kept = (configuration: object) => configuration as KeptConfiguration

const listed = {
  id: assistantVersions.id,
  action: assistantVersions.action,
  source: assistantVersions.source,
  actorId: assistantVersions.actorId,
  actorName: assistantVersions.actorName,
  changes: readableChanges,
  summary: readableSummary,
  restoredFrom: assistantVersions.restoredFrom,
  createdAt: assistantVersions.createdAt,
}
const columns = { ...listed, restorable: isNotNull(assistantVersions.configuration).mapWith(Boolean) }

type Row = Pick<typeof assistantVersions.$inferSelect, keyof typeof listed> & { restorable: boolean }

/**
 * The changes of an entry, and its summary: one that an earlier release wrote may tell a secret that is masked since,
 * also where its changes were too long to be read.
 */
function told({ changes, summary }: Pick<Row, 'changes' | 'summary'>) {
  const masked = changes.map(maskedChange)
  const isSafe = masked.every((change, index) => change === changes[index])
  if (isSafe && (changes.length === 0 || changes.some(hasSides))) return { changes, summary }
  const before = summarize(changes)
  const note = summary.startsWith(before) ? summary.slice(before.length) : ''
  return { changes: masked, summary: summarize(masked) + note }
}

const entryOf = ({ actorId, actorName, restoredFrom, createdAt, ...row }: Row, currentId: number | null) => {
  const { changes, summary } = told(row)
  return {
    id: row.id,
    action: row.action,
    source: row.source,
    actor: { id: actorId, name: actorName },
    changes: changes.map(shownChange),
    summary,
    is_current: row.id === currentId,
    restorable: row.restorable,
    restored_from: restoredFrom,
    created_at: createdAt.toISOString(),
  } satisfies z.input<typeof Version>
}

/** The entry whose configuration is the current one: the newest that holds one. */
async function currentEntry({ db }: AccountContext, assistantId: number): Promise<number | null> {
  const [row] = await db
    .select({ id: max(assistantVersions.id) })
    .from(assistantVersions)
    .where(and(eq(assistantVersions.assistantId, assistantId), isNotNull(assistantVersions.configuration)))
  return row?.id ?? null
}

const newestFirst = sortedBy('desc', assistantVersions.id)

/** How much text the changes of some entries have, in bytes, without fetching them. */
async function weightOf({ db }: AccountContext, mine: SQL, { after, limit, offset }: Window): Promise<number> {
  const rows = db
    .select({ changes: readableChanges.as('changes') })
    .from(assistantVersions)
    .where(and(mine, newestFirst.after(after)))
    .orderBy(...newestFirst.order)
    .limit(limit)
    .offset(offset)
    .as('page')
  const [weighed] = await db.select({ bytes: bytesOfText(rows.changes) }).from(rows)
  return weighed?.bytes ?? 0
}

/** An assistant's history, newest first (contract: versions 2). Throws 404, 422 on `per_page` for too large a page. */
export async function listVersions(ctx: AccountContext, query: z.output<typeof VersionListInput>) {
  const { id } = await requireAssistant(ctx, query.assistantId)
  const mine = eq(assistantVersions.assistantId, id)
  const page = pageOfList(ctx, query, {
    weigh: (window) => weightOf(ctx, mine, window),
    read: ({ after, limit, offset }) =>
      ctx.db
        .select(columns)
        .from(assistantVersions)
        .where(and(mine, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: (row) => [row.id],
    total: () => ctx.db.$count(assistantVersions, mine),
  })
  const [{ rows, pagination }, currentId] = await Promise.all([page, currentEntry(ctx, id)])
  return { data: rows.map((row) => entryOf(row, currentId)), pagination }
}

/** One entry with its configuration, secrets masked. Throws 404. */
export async function getVersion(ctx: AccountContext, input: { assistantId: string; entryId: number }) {
  const { id } = await requireAssistant(ctx, input.assistantId)
  const [row] = await ctx.db
    .select({ ...columns, configuration: assistantVersions.configuration })
    .from(assistantVersions)
    .where(and(eq(assistantVersions.assistantId, id), eq(assistantVersions.id, input.entryId)))
  if (!row) throw new ApiError('version_not_found')
  const { configuration, ...entry } = row
  const data = {
    ...entryOf(entry, await currentEntry(ctx, id)),
    configuration: configuration && readable(kept(configuration)),
  }
  return data
}

interface Restorable {
  id: number
  configuration: KeptConfiguration
}

/**
 * The entry that a restore goes back to.
 * Throws 422 with the reason when it cannot be restored, 502 when the history cannot be read (contract: versions 9,
 * versions 10).
 */
export async function restorableVersion(
  ctx: AccountContext,
  assistantId: number,
  entryId: number,
): Promise<Restorable> {
  const entry = and(eq(assistantVersions.assistantId, assistantId), eq(assistantVersions.id, entryId))
  const [rows, currentId] = await Promise.all([
    ctx.db.select().from(assistantVersions).where(entry),
    currentEntry(ctx, assistantId),
  ]).catch((error) => {
    throw new ApiError('history_unavailable', { cause: error })
  })
  const [row] = rows
  if (!row) throw new ApiError('version_unknown')
  if (row.configuration === null) throw new ApiError('version_not_restorable')
  if (row.id === currentId) throw new ApiError('version_current')
  return { id: row.id, configuration: kept(row.configuration) }
}
