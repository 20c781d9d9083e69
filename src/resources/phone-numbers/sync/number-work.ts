import { isNotNull, sql } from 'drizzle-orm'
import type { BackgroundPart } from '../../../db/work/background.ts'
import { workOn } from '../../../db/work/claim.ts'
import type { Order } from '../purchase/order.ts'
import { createPurchases, type PurchaseOptions } from '../purchase/purchase.ts'
import type { NumberRow } from '../read/record.ts'
import { phoneNumbers } from '../table.ts'
import { createNumberSync, type SyncOptions } from './sync.ts'

/** Numbers that are synced at once: a platform that hangs on one does not hold up the others. */
const maxAtWork = 4
/** How many leases of the mirror syncing a number may take. */
const syncLeases = 2

type Options = SyncOptions & Omit<PurchaseOptions, 'leaseMs' | 'graceMs'> & { graceMs?: number }

/** Buying numbers, and the background work that brings what was left to its end. */
export interface NumberWork extends Required<Omit<BackgroundPart, 'start'>> {
  /** Buys a number and records it; see `createPurchases`. */
  buy(order: Order): Promise<NumberRow>
  /** Brings the outside to what a number's row says; see `createNumberSync`. */
  sync(number: string): Promise<void>
  /** The same for several; what fails is left to the background. */
  syncAll(numbers: readonly string[]): Promise<void>
}

/** Numbers of which the outside does not have everything yet. */
const numbersToSync = (leaseMs: number) =>
  workOn({
    table: phoneNumbers,
    id: phoneNumbers.id,
    dueAt: phoneNumbers.syncDueAt,
    owner: phoneNumbers.syncOwner,
    attempts: phoneNumbers.syncAttempts,
    lastError: phoneNumbers.syncError,
    leaseMs,
  })

/** Puts purchases, registrations and releases together. */
export function createNumberWork(options: Options): NumberWork {
  const { db, mirror, graceMs = 60_000 } = options
  // A number waits for other writers, and the platform for its response: syncing it takes no longer.
  const syncMs = mirror.leaseMs * syncLeases
  const purchases = createPurchases({ ...options, leaseMs: mirror.leaseMs, graceMs })
  const sync = createNumberSync(options)
  const numbers = numbersToSync(syncMs)
  let stopped = false

  const syncDue = async () => {
    for (;;) {
      const due = stopped ? [] : await numbers.claim(db, maxAtWork)
      if (due.length === 0) return
      // One that fails is due again later.
      await Promise.all(due.map((row) => sync(row.phoneNumber).catch(() => {})))
    }
  }

  const run = async () => {
    await purchases.work.run()
    await syncDue()
  }

  return {
    buy: purchases.buy,
    sync,
    async syncAll(all) {
      for (const number of all) await sync(number).catch(() => {})
    },
    async prepare(alone) {
      if (!alone) return
      await purchases.releaseAll()
      await db
        .update(phoneNumbers)
        .set({ syncDueAt: sql`now()`, syncOwner: null })
        .where(isNotNull(phoneNumbers.syncDueAt))
    },
    work: {
      name: 'phone numbers',
      counts: numbers.counts,
      nextDue: sql<Date | null>`least(${purchases.work.nextDue}, ${numbers.nextDue})`,
      run,
    },
    stop() {
      stopped = true
    },
  }
}
