import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/client.ts'
import { inMs } from '../../db/schedule.ts'
import type { BackgroundPart } from '../../db/work/background.ts'
import { type Claimed, ClaimLostError, workOn } from '../../db/work/claim.ts'
import type { Files } from '../../storage/files.ts'
import { storedDeletions } from './table.ts'

/** What deletions are done with. */
export interface DeletionParts {
  readonly db: Database
  readonly files: Files
  readonly log: Logger
}

const rowsAtOnce = 200
/** Objects that one call or one instance deletes at once. */
const deletesAtOnce = 4
/** How long a claim outlives a crash of its process. */
export const leaseMs = 8_000

export const objectsToDelete = workOn({
  table: storedDeletions,
  id: storedDeletions.key,
  dueAt: storedDeletions.dueAt,
  owner: storedDeletions.owner,
  attempts: storedDeletions.attempts,
  leaseMs,
})

/**
 * Notes in the transaction that removes the last reference to objects that they are to be deleted, so that a store that
 * is away, or a process that dies, leaves none behind.
 */
export async function noteDeletions(tx: Transaction, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += rowsAtOnce) {
    const rows = keys.slice(start, start + rowsAtOnce).map((key) => ({ key }))
    await tx.insert(storedDeletions).values(rows).onConflictDoNothing()
  }
}

/** Deletes an object; where the store may take one late, once more when none can come any more, whoever sent it. */
async function deleteOne({ db, files, log }: DeletionParts, row: Claimed<typeof storedDeletions>): Promise<void> {
  const { key, attempts } = row
  try {
    await objectsToDelete.keeping(db, row, () => files.delete(key, { share: 'background' }))
    if (files.lateMs !== undefined && row.deletedAt === null) {
      await objectsToDelete.settle(db, row, { deletedAt: sql`now()`, dueAt: inMs(files.lateMs), attempts: 0 })
    } else await db.delete(storedDeletions).where(eq(storedDeletions.key, key))
  } catch (error) {
    log.warn({ event: 'deletion_failed', err: error, key, attempts }, 'a stored object could not be deleted yet')
    await objectsToDelete.backOff(db, row, '').catch((lost: unknown) => {
      if (!(lost instanceof ClaimLostError)) throw lost
    })
  }
}

/** Deletes noted objects that are due until none is left: those that `only` names, if it is given. */
async function deleteDue(parts: DeletionParts, isStopping: () => boolean, only?: SQL): Promise<void> {
  while (!isStopping()) {
    const claimed = await objectsToDelete.claim(parts.db, deletesAtOnce, only)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((row) => deleteOne(parts, row)))
  }
}

/**
 * Deletes noted objects at once. What fails is tried again in the background, with longer and longer pauses; never
 * throws, because what refers to them is gone already.
 */
export async function deleteNoted(parts: DeletionParts, keys: readonly string[]): Promise<void> {
  try {
    for (let start = 0; start < keys.length; start += rowsAtOnce) {
      const only = inArray(storedDeletions.key, keys.slice(start, start + rowsAtOnce))
      await deleteDue(parts, () => false, only)
    }
  } catch (error) {
    parts.log.warn({ event: 'deletion_delayed', err: error }, 'stored objects are deleted later')
  }
}

/** Deletes in the background what is left. */
export function deletionsPart(parts: DeletionParts) {
  let stopping = false
  return {
    prepare: (alone: boolean) => (alone ? objectsToDelete.releaseAll(parts.db) : undefined),
    work: {
      name: 'deleting stored objects',
      nextDue: objectsToDelete.nextDue,
      counts: objectsToDelete.counts,
      run: () => deleteDue(parts, () => stopping),
    },
    stop() {
      stopping = true
    },
  } satisfies BackgroundPart
}
