import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { violationOf } from '../../db/violations.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { agreedOn } from '../../voice-platform/mirror/agreement/base.ts'
import type { Bases } from '../../voice-platform/mirror/agreement/bases.ts'
import { referencesIn } from '../../voice-platform/references/find.ts'
import { lockReferences } from '../references/lock.ts'
import { importerOf, preparedImportOf, recordedAmong } from './candidates.ts'
import { type ImportContext, ImportRefusal, refuseNamed } from './importer.ts'
import { importItems, type imports } from './table.ts'

const callMs = 20_000

export type ImportRow = typeof imports.$inferSelect
export type ImportItem = typeof importItems.$inferSelect

/** What objects are imported with. */
export type ImportParts = Omit<ImportContext, 'account'> & { bases: Bases }

/**
 * Imports one object: it gets our reference, then its record, its base and the item's end are saved in one transaction.
 * The reference is the same at every try, so that a try that was killed between the two leaves nothing behind.
 */
async function importObject(parts: ImportParts, running: ImportRow, item: ImportItem): Promise<void> {
  const { db, bases } = parts
  const importer = importerOf(item.kind)
  const owner = { workspaceId: running.workspaceId, userId: running.userId, resellerId: running.resellerId }
  const ctx: ImportContext = { ...parts, account: { userId: running.requestedBy, name: running.requestedByName } }
  const options = { timeoutMs: callMs }
  const { live: remote } = importer.remote(parts)
  const found = await remote.get(item.liveId, options)
  const known = await recordedAmong(parts, importer, [found])
  if (known.has(found.id)) throw new ImportRefusal('It has a record already.')
  await refuseNamed(ctx, owner, { kind: item.kind, id: found.id })
  // Refused before anything is written there.
  await preparedImportOf(ctx, item.kind, { live: found, ref: item.ref, owner })
  const mark = importer.mark?.(found, item.ref)
  const live = mark ? await remote.update(found.id, mark, options) : found
  const { composed, sent, save } = await preparedImportOf(ctx, item.kind, { live, ref: item.ref, owner })
  await db.transaction(async (tx) => {
    const [mine] = await tx.select().from(importItems).where(eq(importItems.id, item.id)).for('update')
    if (mine?.state !== 'pending') return
    const resource = await save(tx)
    // What went to somebody else since is seen by the next try.
    await lockReferences(tx, running.workspaceId, referencesIn(composed), {})
    const ref = importer.baseRef?.(live, item.ref)
    if (ref !== undefined) {
      await bases.save(tx, item.kind, ref, agreedOn({ liveId: live.id, composed, sent }, live))
    }
    await tx.update(importItems).set({ state: 'adopted', resource }).where(eq(importItems.id, item.id))
  })
}

/** Why an object cannot be adopted, in a sentence for its owner; undefined for a failure that may pass. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof ImportRefusal) return error.message
  if (error instanceof PlatformError && error.kind === 'not_found')
    return 'The live platform does not have it any more.'
  // 401 is about our key, not about the object.
  if (error instanceof PlatformError && error.kind === 'rejected')
    return error.status === 401 ? undefined : error.detail
  return violationOf(error) ? 'Something else has its place already.' : undefined
}

/** Ends one item of an import with why its object is not adopted. */
export async function refuseItem(db: Database, item: ImportItem, reason: string): Promise<void> {
  await db
    .update(importItems)
    .set({ state: 'refused', reason })
    .where(and(eq(importItems.id, item.id), eq(importItems.state, 'pending')))
}

/**
 * Ends one item of an import: its object is adopted, or refused with a reason. Returns whether it was adopted. Throws
 * what may pass, for a later try.
 */
export async function importItem(parts: ImportParts, running: ImportRow, item: ImportItem): Promise<boolean> {
  try {
    await importObject(parts, running, item)
    return true
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === undefined) throw error
    await refuseItem(parts.db, item, reason)
    return false
  }
}
