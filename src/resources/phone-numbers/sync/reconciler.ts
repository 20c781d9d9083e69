import { lte, sql } from 'drizzle-orm'
import { inMs } from '../../../db/schedule.ts'
import { createPurchases, type Order, type PurchaseOptions } from '../purchase/purchase.ts'
import type { NumberRow } from '../read/record.ts'
import { phoneNumbers } from '../table.ts'
import { createNumberSync, type SyncOptions } from './sync.ts'

/** Numbers that are told at once: a platform that hangs on one does not hold up the others. */
const maxAtWork = 4

type Options = SyncOptions & Omit<PurchaseOptions, 'leaseMs' | 'graceMs'> & { graceMs?: number; everyMs?: number }

/** Buying numbers, and the background work that brings what was left to its end. */
export interface NumberReconciler {
  /** Buys a number and records it; see `createPurchases`. */
  buy(order: Order): Promise<NumberRow>
  /** Tells the outside what a number's row says; see `createNumberSync`. */
  sync(number: string): Promise<void>
  /** The same for several; what fails is left to the background. */
  syncAll(numbers: readonly string[]): Promise<void>
  /** Does what is due now. */
  sweep(): Promise<void>
  /** Starts the background work. `alone`: no other process can be at work on this database. */
  start(alone: boolean): Promise<void>
  stop(): Promise<void>
}

/** Puts purchases, registrations and releases together, and looks after those that are due every `everyMs`. */
export function createNumberReconciler(options: Options): NumberReconciler {
  const { db, log, mirror, graceMs = 60_000, everyMs = 2_000 } = options
  const { leaseMs } = mirror
  const purchases = createPurchases({ ...options, leaseMs, graceMs })
  const sync = createNumberSync(options)
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()

  const syncDue = async () => {
    const due = await db
      .select({ number: phoneNumbers.phoneNumber })
      .from(phoneNumbers)
      .where(lte(phoneNumbers.syncDueAt, sql`now()`))
      .orderBy(phoneNumbers.syncDueAt)
    const next = async (): Promise<void> => {
      for (let one = due.shift(); one && !stopped; one = due.shift()) await sync(one.number).catch(() => {})
    }
    await Promise.all(Array.from({ length: maxAtWork }, next))
  }

  const sweep = async () => {
    running = running.then(async () => {
      try {
        await purchases.sweep()
        await syncDue()
      } catch (error) {
        log.warn({ err: error }, 'looking for unfinished phone numbers failed')
      }
    })
    await running
  }

  return {
    buy: purchases.buy,
    sync,
    async syncAll(numbers) {
      for (const number of numbers) await sync(number).catch(() => {})
    },
    sweep,
    async start(alone) {
      if (alone) {
        await purchases.releaseAll()
        await db
          .update(phoneNumbers)
          .set({ syncDueAt: sql`now()` })
          .where(lte(phoneNumbers.syncDueAt, inMs(leaseMs)))
      }
      const tick = async () => {
        await sweep()
        if (!stopped) timer = setTimeout(tick, everyMs)
      }
      void tick()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
