import { and, desc, eq, isNotNull, lte, max, ne, sql } from 'drizzle-orm'
import type { Account } from '../../accounts/account.ts'
import type { AccountContext, MadeVersion } from '../../api/context.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { preparedInsert, preparedStatement } from '../../db/prepared/statement.ts'
import { together } from '../../db/together.ts'
import type { Sources } from '../assistants/rendering/sources.ts'
import { assistants } from '../assistants/table.ts'
import { shownChange } from './changes.ts'
import type { Configuration } from './configuration.ts'
import { currentVersion, toolNames } from './names.ts'
import { readableChanges } from './readable-changes.ts'
import { summarize } from './sentences.ts'
import { assistantVersions, type Change, type VersionAction, type VersionSource } from './table.ts'

const insertVersion = preparedInsert(assistantVersions)
const insertFirstVersion = preparedInsert(assistantVersions, {
  assistantId: sql`(select ${assistants}.id from ${assistants} where ${assistants}.assistant_id = ${sql.placeholder('ref')})`,
})

/** Who saves a version, and when. */
export interface VersionContext extends Pick<AccountContext, 'clock'> {
  readonly account: Pick<Account, 'userId' | 'name'>
  readonly settings: Pick<AccountContext['settings'], 'versionHistoryLimit' | 'backgroundSoundBaseUrl'>
}

/** Whom the history names for what was changed on the voice platform itself. */
const platformActor = { userId: 0, name: 'Voice platform' } as const

interface Entry {
  assistantId: number
  /** The assistant's. */
  workspaceId: number
  action: VersionAction
  source: VersionSource
  before: Configuration
  after: Configuration
  /** What `after` was rendered from. */
  sources: Sources
  restoredFrom?: number
  /** Said at the end of the summary. */
  note?: string
}

const ofAssistant = eq(assistantVersions.assistantId, sql.placeholder('assistantId'))

/** Keeps the newest entries of an assistant, and always the one that is its current configuration. */
const retain = preparedStatement((executor) => {
  const current = executor
    .select({ id: max(assistantVersions.id) })
    .from(assistantVersions)
    .where(and(ofAssistant, isNotNull(assistantVersions.configuration)))
  const newestBeyond = executor
    .select({ id: assistantVersions.id })
    .from(assistantVersions)
    .where(ofAssistant)
    .orderBy(desc(assistantVersions.id))
    .offset(sql.placeholder('limit'))
    .limit(1)
  return executor
    .delete(assistantVersions)
    .where(and(ofAssistant, lte(assistantVersions.id, newestBeyond), ne(assistantVersions.id, current)))
    .returning({ id: assistantVersions.id })
})

/** What an entry changes of the one before it; names are looked up where ids did. */
async function changesOf(tx: Transaction, { assistantId, workspaceId, before, after, sources }: Entry) {
  const [previous, tools] = await Promise.all([
    currentVersion(tx, assistantId),
    toolNames(tx, workspaceId, [before, after]),
  ])
  const changes = readableChanges(
    [before, after],
    [
      { sources: previous.sources, tools },
      { sources, tools },
    ],
  )
  return { changes, previous: previous.id }
}

/** Adds an entry of what was changed on the voice platform itself. */
export const recordOutside = (
  tx: Transaction,
  ctx: Omit<VersionContext, 'account'>,
  entry: Omit<Entry, 'action' | 'source' | 'restoredFrom'>,
): Promise<MadeVersion | undefined> =>
  recordVersion(tx, { ...ctx, account: platformActor }, { ...entry, action: 'updated', source: 'platform' })

/** The columns of an entry that do not say which assistant's it is. */
const columnsOf = (
  ctx: VersionContext,
  { workspaceId, action, source, after, sources, restoredFrom }: Omit<Entry, 'assistantId' | 'before'>,
  changes: Change[],
  summary: string,
) => ({
  ...{ workspaceId, action, source, changes, summary, restoredFrom: restoredFrom ?? null },
  actorId: ctx.account.userId,
  actorName: ctx.account.name,
  configuration: { ...after, sources },
  createdAt: ctx.clock.now(),
})

/**
 * Adds the first entry of an assistant's history, in the transaction that makes it. Its row is named by its public id,
 * so that the statement which inserts it need not have ended.
 */
export async function recordFirstVersion(
  executor: Executor,
  ctx: VersionContext,
  ref: string,
  entry: Pick<Entry, 'workspaceId' | 'source' | 'after' | 'sources'>,
): Promise<void> {
  const columns = columnsOf(ctx, { ...entry, action: 'created' }, [], `Created ${entry.after.name}`)
  await insertFirstVersion(executor, { ...columns, ref })
}

/**
 * Adds an entry to an assistant's history, in the transaction that saves the change. A save that changes nothing
 * writes none, and gives undefined (contract: versions 1).
 */
export async function recordVersion(
  tx: Transaction,
  ctx: VersionContext,
  entry: Entry,
): Promise<MadeVersion | undefined> {
  const { assistantId, before, after } = entry
  if (Bun.deepEquals(before, after)) return undefined
  const { changes, previous } = await changesOf(tx, entry)
  if (changes.length === 0 && Bun.deepEquals(before.live, after.live)) return undefined
  const summary = [summarize(changes), entry.note].filter(Boolean).join(' ')
  const [, dropped] = await together(
    insertVersion(tx, { ...columnsOf(ctx, entry, changes, summary), assistantId }),
    retain(tx, { assistantId, limit: ctx.settings.versionHistoryLimit }),
  )
  const isKept = dropped.every(({ id }) => id !== previous)
  return { summary, changes: changes.map(shownChange), previous: isKept ? previous : null }
}
