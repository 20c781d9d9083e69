import { and, desc, eq, isNotNull, lte, max, ne } from 'drizzle-orm'
import type { Account } from '../../accounts/account.ts'
import type { AccountContext } from '../../api/context.ts'
import type { Transaction } from '../../db/client.ts'
import { preparedInsert } from '../../db/prepared/statement.ts'
import type { Sources } from '../assistants/rendering/sources.ts'
import type { Configuration } from './configuration.ts'
import { summarize } from './diff.ts'
import { currentSources, toolNames } from './names.ts'
import { readableChanges } from './readable-changes.ts'
import { assistantVersions, type VersionAction, type VersionSource } from './table.ts'

const insertVersion = preparedInsert(assistantVersions)

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
  before: Configuration | undefined
  after: Configuration
  /** What `after` was rendered from. */
  sources: Sources
  restoredFrom?: number
  /** Said at the end of the summary. */
  note?: string
}

/** Keeps the newest entries of an assistant, and always the one that is its current configuration. */
async function retain(tx: Transaction, assistantId: number, limit: number): Promise<void> {
  const mine = eq(assistantVersions.assistantId, assistantId)
  const current = tx
    .select({ id: max(assistantVersions.id) })
    .from(assistantVersions)
    .where(and(mine, isNotNull(assistantVersions.configuration)))
  const newestBeyond = tx
    .select({ id: assistantVersions.id })
    .from(assistantVersions)
    .where(mine)
    .orderBy(desc(assistantVersions.id))
    .offset(limit)
    .limit(1)
  await tx
    .delete(assistantVersions)
    .where(and(mine, lte(assistantVersions.id, newestBeyond), ne(assistantVersions.id, current)))
}

/** What an entry changed; names are looked up where ids did. */
async function changesOf(tx: Transaction, { assistantId, after, sources }: Entry, before: Configuration) {
  const [beforeSources, tools] = await Promise.all([currentSources(tx, assistantId), toolNames(tx, [before, after])])
  return readableChanges(
    [before, after],
    [
      { sources: beforeSources, tools },
      { sources, tools },
    ],
  )
}

/** Adds an entry of what was changed on the voice platform itself. */
export const recordOutside = (
  tx: Transaction,
  ctx: Omit<VersionContext, 'account'>,
  entry: Omit<Entry, 'action' | 'source' | 'restoredFrom'>,
): Promise<void> =>
  recordVersion(tx, { ...ctx, account: platformActor }, { ...entry, action: 'updated', source: 'platform' })

/**
 * Adds an entry to an assistant's history, in the transaction that saves the change. A save that changes nothing
 * writes none (contract: versions 1).
 */
export async function recordVersion(tx: Transaction, ctx: VersionContext, entry: Entry): Promise<void> {
  const { before, after } = entry
  if (before && Bun.deepEquals(before, after)) return
  const changes = before ? await changesOf(tx, entry, before) : []
  if (before && changes.length === 0 && Bun.deepEquals(before.live, after.live)) return
  await insertVersion(tx, {
    assistantId: entry.assistantId,
    workspaceId: entry.workspaceId,
    action: entry.action,
    source: entry.source,
    actorId: ctx.account.userId,
    actorName: ctx.account.name,
    changes,
    summary: [before ? summarize(changes) : `Created ${after.name}`, entry.note].filter(Boolean).join('. '),
    configuration: { ...after, sources: entry.sources },
    restoredFrom: entry.restoredFrom ?? null,
    createdAt: ctx.clock.now(),
  })
  if (before) await retain(tx, entry.assistantId, ctx.settings.versionHistoryLimit)
}
