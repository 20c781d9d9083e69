import { and, eq, sql } from 'drizzle-orm'
import { CarrierError } from '../../../carrier/carrier.ts'
import type { Database } from '../../../db/client.ts'
import { inMs } from '../../../db/schedule.ts'
import { workOn } from '../../../db/work/claim.ts'
import type { Timers } from '../../../runtime/timers.ts'
import { phoneNumberPurchases } from '../table.ts'
import type { Order } from './order.ts'

interface JournalOptions {
  db: Database
  timers: Timers
  /** How long a purchase has before recovery claims it. */
  leaseMs: number
}

/** A process that was paused for longer after it noted that it asks the carrier does not ask. */
const maxBeginMs = 5_000

/** The row of one purchase. */
export const isPurchase = (number: string, ref: string) =>
  and(eq(phoneNumberPurchases.phoneNumber, number), eq(phoneNumberPurchases.ref, ref))

/** The rows that say which purchases are under way; a number has one at most. */
export function createPurchaseJournal({ db, timers, leaseMs }: JournalOptions) {
  const { phoneNumber: id, dueAt, owner, attempts, lastError } = phoneNumberPurchases

  return {
    /** Rows whose lease has run out. */
    left: workOn({ table: phoneNumberPurchases, id, dueAt, owner, attempts, lastError, leaseMs }),

    /**
     * Opens the row of a purchase. `resumed`: an earlier attempt of this very purchase left it.
     * @throws CarrierError `refused` while another purchase of the number is under way.
     */
    async open(order: Order): Promise<{ resumed: boolean }> {
      const { number, ...columns } = order
      const opened = await db
        .insert(phoneNumberPurchases)
        .values({ ...columns, phoneNumber: number, dueAt: inMs(leaseMs) })
        .onConflictDoNothing()
        .returning({ ref: phoneNumberPurchases.ref })
      if (opened.length > 0) return { resumed: false }
      const [left] = await db.select().from(phoneNumberPurchases).where(eq(id, number))
      if (left?.ref !== order.ref) throw new CarrierError('refused', 'This number is being bought already.')
      return { resumed: true }
    },

    /**
     * Notes that the carrier is asked now, by this attempt: what is asked may arrive within the grace time from here
     * on.
     * @throws CarrierError `unavailable` when recovery has ended the row, or the process was paused meanwhile.
     */
    async begin(order: Order, attempt: string): Promise<void> {
      const since = timers.now()
      const noted = await db
        .update(phoneNumberPurchases)
        .set({ owner: attempt, createdAt: sql`now()`, dueAt: inMs(leaseMs) })
        .where(isPurchase(order.number, order.ref))
        .returning({ ref: phoneNumberPurchases.ref })
      if (noted.length === 0 || timers.now() - since >= maxBeginMs) {
        throw new CarrierError('unavailable', 'The purchase did not begin in time.')
      }
    },

    /**
     * Ends the row. With `holder`, the owner it was last seen with, only as long as no other attempt or recovery has
     * taken it over since.
     */
    async close(number: string, ref: string, holder?: { owner: string | null }): Promise<void> {
      const mine = holder && sql`${owner} is not distinct from ${holder.owner}`
      await db.delete(phoneNumberPurchases).where(and(isPurchase(number, ref), mine))
    },

    /** Makes every purchase due: when no other process can be at work on this database. */
    async releaseAll(): Promise<void> {
      await db.update(phoneNumberPurchases).set({ owner: null, dueAt: sql`now() - interval '1 second'` })
    },
  }
}
