import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { inMs } from '../../db/schedule.ts'
import type { BackgroundPart } from '../../db/work/background.ts'
import { systemTimers } from '../../runtime/timers.ts'
import { budgetHolds } from '../budgets/table.ts'
import { nextExpiredBudget } from './budget-holds.ts'
import { releaseExpiredHolds } from './expiry.ts'
import { holdMs } from './hold-time.ts'
import type { Spender } from './payer.ts'
import { holds } from './table.ts'

/** How often a hold is renewed before it would expire. */
const renewals = 3

/** Keeps a turn's holds for as long as `work` takes. One that is lost all the same is noticed by `settle`. */
export async function keepingHolds<Result>(
  { db, timers = systemTimers }: Pick<Spender, 'db' | 'timers'>,
  turnId: string,
  work: () => Promise<Result>,
  everyMs: number = holdMs / renewals,
): Promise<Result> {
  // Each by itself: a renewal that had locked one while it waits for the other could wait for its own turn's end.
  const renew = async () => {
    for (const table of [holds, budgetHolds]) {
      await db
        .update(table)
        .set({ expiresAt: inMs(holdMs) })
        .where(eq(table.turnId, turnId))
    }
  }
  // A database that is out of reach is asked again at the next tick.
  const endRenewal = timers.every(everyMs, () => void renew().catch(() => {}))
  try {
    return await work()
  } finally {
    endRenewal()
  }
}

/** Frees in the background what processes held when they died. */
export const holdsPart = (db: Database) =>
  ({
    /** A process that is alone holds nothing yet: what is held is a dead one's. */
    async prepare(alone: boolean) {
      if (!alone) return
      await db.update(holds).set({ expiresAt: sql`now() - interval '1 second'` })
      await db.update(budgetHolds).set({ expiresAt: sql`now() - interval '1 second'` })
      await releaseExpiredHolds(db)
    },
    work: {
      name: 'freeing holds',
      nextDue: sql<Date | null>`least((select min(${holds.expiresAt}) from ${holds}), ${nextExpiredBudget})`,
      run: () => releaseExpiredHolds(db).then(() => {}),
    },
    stop() {},
  }) satisfies BackgroundPart
