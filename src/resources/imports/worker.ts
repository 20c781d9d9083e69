import { and, asc, eq, isNull, notInArray, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { BackgroundPart } from '../../db/work/background.ts'
import { type Claimed, ClaimLostError, workOn } from '../../db/work/claim.ts'
import { reasonOf } from '../../runtime/log.ts'
import { createLogProgress } from '../../runtime/log-progress.ts'
import { createBases } from '../../voice-platform/mirror/agreement/bases.ts'
import { type ImportItem, type ImportParts, importItem } from './import-item.ts'
import { faultOf, itemFailures } from './item-failures.ts'
import { importItems, importKinds, imports } from './table.ts'

const leaseMs = 8_000
/** So many objects that fail one after the other, while none is adopted, end a try of the import. */
const maxInVain = 5

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

/** Kinds in the order in which they are adopted: what others name comes first. */
const order = sql.join(
  importKinds.map((kind, index) => sql`when ${kind} then ${sql.raw(String(index))}`),
  sql` `,
)

type Running = Claimed<typeof imports>

type Parts = Omit<ImportParts, 'bases'> & { log: Logger }

/** Works on imports in the background, one object after the other, and goes on where a killed process stopped. */
export function importsPart(parts: Parts) {
  const { db, clock, log } = parts
  const bases = createBases(parts.vault)
  const failures = itemFailures(db)
  let stopping = false

  const nextItem = async (running: Running, failing: readonly ImportItem[]): Promise<ImportItem | undefined> => {
    const [kind] = failing.map((item) => eq(importItems.kind, item.kind))
    const others = notInArray(
      importItems.id,
      failing.map(({ id }) => id),
    )
    const [item] = await db
      .select()
      .from(importItems)
      // What comes later may name one that fails, and would be refused for it.
      .where(and(eq(importItems.importId, running.id), eq(importItems.state, 'pending'), kind, others))
      .orderBy(sql`case ${importItems.kind} ${order} end`, asc(importItems.id))
      .limit(1)
    return item
  }

  const leftOf = ({ id }: Running) =>
    db.$count(importItems, and(eq(importItems.importId, id), eq(importItems.state, 'pending')))

  const work = async (running: Running): Promise<void> => {
    const line = { event: 'import_progress', text: 'live objects are adopted' }
    const left = () => leftOf(running)
    const progress = createLogProgress({ log: log.child({ import: running.id }), clock, ...line, left })
    const failing: ImportItem[] = []
    let failure: unknown
    let inVain = 0
    try {
      for (;;) {
        const item = await nextItem(running, failing)
        if (!item && failing.length > 0) throw failure
        if (!item) return await runningImports.settle(db, running, { finishedAt: sql`now()`, lastError: null })
        if (stopping) return await runningImports.release(db, running)
        if (!(await runningImports.renew(db, running))) return
        try {
          if (await importItem({ ...parts, bases }, running, item)) {
            failures.noteAdopted()
            inVain = 0
          }
        } catch (error) {
          const fault = await faultOf(parts, item, error)
          if (!fault) throw error
          failure = error
          if (!(await failures.ends(item, fault))) failing.push(item)
          // That an object cannot be read was compared with another one.
          if (fault !== 'read') inVain += 1
          if (inVain >= maxInVain) throw error
        }
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
