import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import { inMs } from '../../db/schedule.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import type { FileShare, Files } from '../../storage/files.ts'
import { type DeletionParts, deleteNoted, leaseMs, noteDeletions, objectsToDelete } from './deletions.ts'
import { storedDeletions } from './table.ts'

/** What is to be stored under a key of its own. */
export interface NewObject {
  readonly key: string
  readonly content: Parameters<Files['put']>[1]
  readonly type: string
  readonly share: FileShare
}

/** An object that is stored, or about to be, and that no record names yet. */
export interface Unrecorded {
  /**
   * Makes the object stay: call it in the transaction that records it.
   * Throws 503 when this process was held up for so long that the object was deleted.
   */
  settle(tx: Transaction): Promise<void>
}

/**
 * Stores an object and records it. That it is to be deleted is noted before it is stored and taken back with the
 * record, so that neither a failure nor a crash in between leaves an object that nothing names.
 * @param record settles in its transaction; what it throws is thrown. While nobody can tell whether that was committed,
 * the note stays and decides: it is there only if it was not.
 * @param unstored throws what the caller is told of a failure of the store, instead of that failure.
 */
export async function storing<Recorded>(
  parts: DeletionParts,
  { key, content, ...call }: NewObject,
  record: (unrecorded: Unrecorded) => Promise<Recorded>,
  unstored: (cause: unknown) => never = rethrow,
): Promise<Recorded> {
  const { db, files } = parts
  const [row] = await db
    .insert(storedDeletions)
    .values({ key, owner: randomUUID(), dueAt: inMs(leaseMs) })
    .returning()
  if (!row) throw new Error('The note of an object was not stored')
  const held = and(eq(storedDeletions.key, key), eq(storedDeletions.owner, row.owner ?? ''))
  let lost = false
  const settle: Unrecorded['settle'] = async (tx) => {
    const settled = await tx.delete(storedDeletions).where(held).returning({ key: storedDeletions.key })
    lost = settled.length === 0
    if (lost) throw new ApiError('service_unavailable')
  }
  return objectsToDelete.keeping(db, row, async () => {
    try {
      await files.put(key, content, call)
    } catch (error) {
      // A store that has no place for another call was sent nothing; after any other failure it may have the object.
      await (error instanceof ApiError ? forget(parts, row) : abandon(parts, row))
      return unstored(error)
    }
    try {
      return await record({ settle })
    } catch (error) {
      if (!isUnreachable(error)) await abandon(parts, row, lost)
      throw error
    }
  })
}

function rethrow(cause: unknown): never {
  throw cause
}

/** Takes the note of an object back that the store was never asked to take. */
async function forget({ db, log }: DeletionParts, { key }: typeof storedDeletions.$inferSelect): Promise<void> {
  try {
    await db.delete(storedDeletions).where(eq(storedDeletions.key, key))
  } catch (error) {
    log.warn({ event: 'deletion_delayed', err: error, key }, 'an object that was never stored is deleted later')
  }
}

/** Has an object deleted that is not recorded: once more when it was `lost`, as it may have been stored after that. */
async function abandon(parts: DeletionParts, row: typeof storedDeletions.$inferSelect, lost = false): Promise<void> {
  const { db, log } = parts
  const noted = lost ? db.transaction((tx) => noteDeletions(tx, [row.key])) : objectsToDelete.release(db, row)
  try {
    await noted
    // Nobody waits for a store that may hang: what is noted is deleted in the end.
    void deleteNoted(parts, [row.key])
  } catch (error) {
    log.warn({ event: 'deletion_delayed', err: error, key: row.key }, 'a stored object is deleted later')
  }
}
