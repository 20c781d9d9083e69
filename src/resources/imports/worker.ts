import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { violationOf } from '../../db/violations.ts'
import type { BackgroundPart } from '../../db/work/background.ts'
import { type Claimed, ClaimLostError, workOn } from '../../db/work/claim.ts'
import { reasonOf } from '../../runtime/log.ts'
import { createLogProgress } from '../../runtime/log-progress.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { agreedOn } from '../../voice-platform/mirror/agreement/base.ts'
import { createBases } from '../../voice-platform/mirror/agreement/bases.ts'
import { type AdoptContext, ImportRefusal } from './adopter.ts'
import { adopterOf, adoptionOf } from './candidates.ts'
import { importItems, importKinds, imports } from './table.ts'

const leaseMs = 8_000
const callMs = 20_000

const runningImports = workOn({
  table: imports,
  id: imports.id,
  dueAt: imports.dueAt,
  owner: imports.owner,
  attempts: imports.attempts,
  lastError: imports.lastError,
  open: isNull(imports.finishedAt),
  leaseMs,
})

type Item = typeof importItems.$inferSelect
type Running = Claimed<typeof imports>

type Parts = Omit<AdoptContext, 'account'> & { log: Logger }

/** Works on imports in the background, one object after the other, and goes on where a killed process stopped. */
export function importsPart(parts: Parts) {
  const { db, clock, log } = parts
  const bases = createBases(parts.vault)
  let stopping = false

  const settle = (item: Item, values: Partial<Item>) =>
    db
      .update(importItems)
      .set(values)
      .where(and(eq(importItems.id, item.id), eq(importItems.state, 'pending')))

  /**
   * Adopts one object: it gets our reference, then its record, its base and the item's end are saved in one transaction.
   * The reference is the same at every try, so that a try that was killed between the two leaves nothing behind.
   */
  const adopt = async (running: Running, item: Item): Promise<void> => {
    const { platform } = parts
    const adopter = adopterOf(item.kind)
    const owner = { workspaceId: running.workspaceId, userId: running.userId, resellerId: running.resellerId }
    const ctx: AdoptContext = { ...parts, account: { userId: running.requestedBy, name: running.requestedByName } }
    const options = { timeoutMs: callMs }
    const found = await adopter.get(platform, item.liveId, options)
    const known = await adopter.recorded(db, [found])
    if (known.has(found.id)) throw new ImportRefusal('It has a record already.')
    // Refused before anything is written there.
    await adoptionOf(ctx, item.kind, { live: found, ref: item.ref, owner })
    const mark = adopter.mark?.(found, item.ref)
    const live = mark && adopter.update ? await adopter.update(platform, found.id, mark, options) : found
    const { composed, sent, save } = await adoptionOf(ctx, item.kind, { live, ref: item.ref, owner })
    await db.transaction(async (tx) => {
      const [mine] = await tx.select().from(importItems).where(eq(importItems.id, item.id)).for('update')
      if (mine?.state !== 'pending') return
      const resource = await save(tx)
      const ref = adopter.baseRef?.(live, item.ref)
      if (ref !== undefined) {
        await bases.save(tx, item.kind, ref, agreedOn({ liveId: live.id, composed, sent }, live))
      }
      await tx.update(importItems).set({ state: 'adopted', resource }).where(eq(importItems.id, item.id))
    })
  }

  /** What is wrong with the object itself ends it; a passing failure is tried again. */
  const refusalOf = (error: unknown): string | undefined => {
    if (error instanceof ImportRefusal) return error.message
    if (error instanceof PlatformError && error.kind === 'not_found')
      return 'The live platform does not have it any more.'
    if (error instanceof PlatformError && error.kind === 'rejected') return error.detail
    return violationOf(error) ? 'Something else has its place already.' : undefined
  }

  const order = sql.join(
    importKinds.map((kind, index) => sql`when ${kind} then ${sql.raw(String(index))}`),
    sql` `,
  )

  const nextItem = async (running: Running): Promise<Item | undefined> => {
    const [item] = await db
      .select()
      .from(importItems)
      .where(and(eq(importItems.importId, running.id), eq(importItems.state, 'pending')))
      .orderBy(sql`case ${importItems.kind} ${order} end`, asc(importItems.id))
      .limit(1)
    return item
  }

  const leftOf = ({ id }: Running) =>
    db.$count(importItems, and(eq(importItems.importId, id), eq(importItems.state, 'pending')))

  const work = async (running: Running): Promise<void> => {
    const said = { event: 'import_progress', text: 'live objects are adopted' }
    const left = () => leftOf(running)
    const progress = createLogProgress({ log: log.child({ import: running.id }), clock, ...said, left })
    try {
      for (;;) {
        const item = await nextItem(running)
        if (!item) return await runningImports.settle(db, running, { finishedAt: sql`now()`, lastError: null })
        if (stopping) return await runningImports.release(db, running)
        if (!(await runningImports.renew(db, running))) return
        await adopt(running, item).catch(async (error: unknown) => {
          const reason = refusalOf(error)
          if (reason === undefined) throw error
          await settle(item, { state: 'refused', reason })
        })
        await progress()
      }
    } catch (error) {
      if (error instanceof ClaimLostError) return
      log.warn({ event: 'import_delayed', err: error, import: running.id }, 'an import goes on later')
      await runningImports.backOff(db, running, reasonOf(error)).catch((lost: unknown) => {
        if (!(lost instanceof ClaimLostError)) throw lost
      })
    }
  }

  const run = async () => {
    while (!stopping) {
      const [running] = await runningImports.claim(db, 1)
      if (!running) return
      await runningImports.keeping(db, running, () => work(running))
    }
  }

  return {
    prepare: (alone: boolean) => (alone ? runningImports.releaseAll(db) : undefined),
    work: { name: 'adopting live objects', nextDue: runningImports.nextDue, counts: runningImports.counts, run },
    stop() {
      stopping = true
    },
  } satisfies BackgroundPart
}
