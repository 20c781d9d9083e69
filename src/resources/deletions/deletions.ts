import { asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/client.ts'
import { inMs, longerPause } from '../../db/schedule.ts'
import type { Files } from '../../storage/files.ts'
import { storedDeletions } from './table.ts'

/** What deletions are done with. */
export interface DeletionParts {
  readonly db: Database
  readonly files: Files
  readonly log: Logger
}

const batchSize = 200
/** Another instance leaves a deletion alone for so long once it is tried. */
const claimMs = 60_000

/**
 * Notes in the transaction that removes the last reference to objects that they are to be deleted, so that a store that
 * is away, or a process that dies, leaves none behind.
 */
export async function noteDeletions(tx: Transaction, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += batchSize) {
    const rows = keys.slice(start, start + batchSize).map((key) => ({ key }))
    await tx.insert(storedDeletions).values(rows).onConflictDoNothing()
  }
}

async function deleteOne({ db, files, log }: DeletionParts, key: string, attempts: number): Promise<void> {
  try {
    await files.delete(key)
    await db.delete(storedDeletions).where(eq(storedDeletions.key, key))
  } catch (error) {
    log.warn({ err: error, key, attempts }, 'a stored object could not be deleted yet')
    const dueAt = inMs(longerPause(attempts))
    await db.update(storedDeletions).set({ dueAt }).where(eq(storedDeletions.key, key))
  }
}

/**
 * Deletes noted objects: those named, or, without names, those that are due. One that fails is tried again later, with
 * longer and longer pauses; never throws for the store.
 */
export async function deleteNoted(parts: DeletionParts, keys?: readonly string[]): Promise<void> {
  const { db } = parts
  const due = db
    .select({ key: storedDeletions.key })
    .from(storedDeletions)
    .where(keys ? inArray(storedDeletions.key, [...keys]) : lte(storedDeletions.dueAt, sql`now()`))
    .orderBy(asc(storedDeletions.dueAt))
    .limit(batchSize)
    .for('update', { skipLocked: true })
  const claimed = await db
    .update(storedDeletions)
    .set({ attempts: sql`${storedDeletions.attempts} + 1`, dueAt: inMs(claimMs) })
    .where(inArray(storedDeletions.key, due))
    .returning()
  await Promise.all(claimed.map(({ key, attempts }) => deleteOne(parts, key, attempts)))
}
