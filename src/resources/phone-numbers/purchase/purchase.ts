import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Carrier, CarrierError, type OwnedNumber } from '../../../carrier/carrier.ts'
import type { Database } from '../../../db/client.ts'
import { inMs } from '../../../db/schedule.ts'
import { ClaimLostError, workOn } from '../../../db/work/claim.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { reasonOf } from '../../../runtime/log.ts'
import type { Slots } from '../../../runtime/slots.ts'
import { systemTimers, type Timers } from '../../../runtime/timers.ts'
import type { NumberRow } from '../read/record.ts'
import { phoneNumberPurchases, phoneNumbers } from '../table.ts'

export interface PurchaseOptions {
  db: Database
  clock: Clock
  log: Logger
  carrier: Carrier
  /** Work at the carrier that may go on at once, keyed by the workspace. */
  carrierSlots: Slots
  /** How long a purchase has before it is looked at as one that was left. */
  leaseMs: number
  /** How long after it was asked for a purchase may still arrive at the carrier. */
  graceMs: number
  timers?: Timers
}

/** Who buys which number. */
export interface Order {
  /** E.164. */
  number: string
  /** The purchase: the same one asked for again is not made twice. */
  ref: string
  name: string | null
  userId: number
  createdBy: number
  workspaceId: number
  resellerId: number
}

/** The buyer's account has the number already, so that the carrier is not asked. */
export class NumberOwnedError extends CarrierError {
  constructor() {
    super('refused', 'This account has this number already.')
  }
}

type PurchaseRow = typeof phoneNumberPurchases.$inferSelect

const orderOf = ({ phoneNumber, ...row }: PurchaseRow): Order => ({ number: phoneNumber, ...row })
const isUnknown = (error: unknown) => !(error instanceof CarrierError) || error.kind === 'unknown'
/** A process that stood still for longer since it noted that it asks the carrier does not ask. */
const maxBeginMs = 5_000
/** Purchases that are looked at at once. */
const maxAtWork = 4

/**
 * Purchases at the carrier, journalled: the row is there before the carrier is asked and goes in the transaction that
 * records the number. The carrier sells a number once and keeps whose purchase it was, so that asking it is enough to
 * know what became of a purchase.
 */
export function createPurchases(options: PurchaseOptions) {
  const { db, clock, log, carrier, carrierSlots, leaseMs, graceMs, timers = systemTimers } = options

  const purchase = (number: string) => eq(phoneNumberPurchases.phoneNumber, number)

  const boughtBy = async (ref: string): Promise<NumberRow | undefined> => {
    const [row] = await db.select().from(phoneNumbers).where(eq(phoneNumbers.purchaseRef, ref))
    return row
  }

  /** The number at the carrier, if it is this purchase that brought it there. */
  const stamped = async (number: string, ref: string): Promise<OwnedNumber | undefined> => {
    const owned = await carrier.find(number)
    return owned?.reference === ref ? owned : undefined
  }

  /** Ends the journal row; with `claimed` only as long as nobody took it over since. */
  const close = async (number: string, ref: string, claimed?: PurchaseRow) => {
    const mine = claimed && sql`${phoneNumberPurchases.owner} is not distinct from ${claimed.owner}`
    await db.delete(phoneNumberPurchases).where(and(purchase(number), eq(phoneNumberPurchases.ref, ref), mine))
  }

  const record = (order: Order, owned: OwnedNumber): Promise<NumberRow> =>
    db.transaction(async (tx) => {
      const { number, ref, name, userId, createdBy, workspaceId, resellerId } = order
      await tx.delete(phoneNumberPurchases).where(and(purchase(number), eq(phoneNumberPurchases.ref, ref)))
      const at = clock.now()
      const [recorded] = await tx
        .insert(phoneNumbers)
        .values({
          phoneNumber: number,
          purchaseRef: ref,
          carrierId: owned.id,
          status: 'owned',
          provider: carrier.credentials.provider,
          name,
          hooks: [],
          smsEnabled: false,
          smsCapable: owned.sms,
          staticIpEnabled: false,
          syncDueAt: inMs(leaseMs),
          userId,
          createdBy,
          workspaceId,
          resellerId,
          createdAt: at,
          updatedAt: at,
        })
        .onConflictDoNothing()
        .returning()
      if (recorded) return recorded
      // Recovery was faster.
      const [row] = await tx.select().from(phoneNumbers).where(eq(phoneNumbers.purchaseRef, ref))
      if (!row) throw new Error('A bought number is recorded for another purchase')
      return row
    })

  /** Opens the journal row. `resumed`: an earlier attempt of this very purchase left it. */
  const open = async (order: Order): Promise<{ resumed: boolean }> => {
    const { number, ...columns } = order
    const opened = await db
      .insert(phoneNumberPurchases)
      .values({ ...columns, phoneNumber: number, dueAt: inMs(leaseMs) })
      .onConflictDoNothing()
      .returning({ ref: phoneNumberPurchases.ref })
    if (opened.length > 0) return { resumed: false }
    const [left] = await db.select().from(phoneNumberPurchases).where(purchase(number))
    if (left?.ref !== order.ref) throw new CarrierError('refused', 'This number is being bought already.')
    return { resumed: true }
  }

  /**
   * Asks the carrier. The row says so first, as what is asked now may arrive within `graceMs` from now on; one that was
   * waited for so long that recovery ended it asks for nothing.
   */
  const ask = async ({ number, ref }: Order): Promise<OwnedNumber> => {
    const since = timers.now()
    const noted = await db
      .update(phoneNumberPurchases)
      .set({ owner: randomUUID(), createdAt: sql`now()`, dueAt: inMs(leaseMs) })
      .where(and(purchase(number), eq(phoneNumberPurchases.ref, ref)))
      .returning({ ref: phoneNumberPurchases.ref })
    if (noted.length === 0 || timers.now() - since >= maxBeginMs) {
      throw new CarrierError('unavailable', 'The purchase did not begin in time.')
    }
    return carrier.buy(number, ref)
  }

  /** The outcome of asking the carrier, looked up where its response leaves it open. */
  const obtain = async (order: Order, resumed: boolean): Promise<OwnedNumber> => {
    const { number, ref } = order
    const earlier = resumed ? await stamped(number, ref) : undefined
    if (earlier) return earlier
    try {
      return await ask(order)
    } catch (error) {
      if (!isUnknown(error) && !resumed) {
        await close(number, ref).catch(() => {})
        throw error
      }
      const bought = await stamped(number, ref).catch(() => undefined)
      if (bought) return bought
      throw error
    }
  }

  /** The same in a place among the work of the buyer's workspace; without one nothing is asked, and nothing is left. */
  const obtainInPlace = async (order: Order, resumed: boolean): Promise<OwnedNumber> => {
    let asked = false
    try {
      return await carrierSlots.run(order.workspaceId, () => {
        asked = true
        return obtain(order, resumed)
      })
    } catch (error) {
      if (!asked && !resumed) await close(order.number, order.ref).catch(() => {})
      throw error
    }
  }

  const { phoneNumber: id, dueAt, owner, attempts, lastError } = phoneNumberPurchases
  const purchasesLeft = workOn({ table: phoneNumberPurchases, id, dueAt, owner, attempts, lastError, leaseMs })

  /** Brings one purchase that was left to its end. */
  const recover = async (row: PurchaseRow): Promise<void> => {
    const { phoneNumber: number, ref, workspaceId } = row
    // Both times are the database's: it was claimed one lease before it is due again.
    const ageMs = row.dueAt.getTime() - leaseMs - row.createdAt.getTime()
    try {
      const bought = await carrierSlots.run(workspaceId, () => stamped(number, ref))
      if (bought) await record(orderOf(row), bought)
      else if (ageMs >= graceMs) await close(number, ref, row)
      else await purchasesLeft.settle(db, row, { dueAt: inMs(Math.min(leaseMs, graceMs - ageMs)) })
      log.info(
        { event: 'purchase_reconciled', number, bought: bought !== undefined },
        'an unfinished purchase was looked at',
      )
    } catch (error) {
      if (error instanceof ClaimLostError) return
      const reason = reasonOf(error)
      log.warn({ event: 'purchase_unreconciled', number, reason }, 'an unfinished purchase will be looked at again')
      await purchasesLeft.backOff(db, row, reason).catch(() => {})
    }
  }

  return {
    /**
     * Buys a number and records it, not yet on the voice platform.
     * @throws CarrierError when it was not bought, or when nobody can tell yet: then recovery records it for its buyer;
     * NumberOwnedError when the buyer's account has it already; 429 when too much of its workspace is under way at the
     * carrier.
     */
    async buy(order: Order): Promise<NumberRow> {
      const { number, ref } = order
      const bought = await boughtBy(ref)
      if (bought) return bought
      const { resumed } = await open(order)
      const [held] = await db
        .select({ ref: phoneNumbers.purchaseRef, workspaceId: phoneNumbers.workspaceId })
        .from(phoneNumbers)
        .where(eq(phoneNumbers.phoneNumber, number))
      if (held && held.ref !== ref) {
        await close(number, ref)
        if (held.workspaceId === order.workspaceId) throw new NumberOwnedError()
        throw new CarrierError('refused', 'This number is already in use.')
      }
      return record(order, await obtainInPlace(order, resumed))
    },

    /** Purchases that were left. */
    work: {
      nextDue: purchasesLeft.nextDue,
      async run(): Promise<void> {
        for (;;) {
          const due = await purchasesLeft.claim(db, maxAtWork)
          if (due.length === 0) return
          await Promise.all(due.map(recover))
        }
      },
    },

    /** Makes every purchase due: when no other process can be at work on this database. */
    async releaseAll(): Promise<void> {
      await db.update(phoneNumberPurchases).set({ owner: null, dueAt: sql`now() - interval '1 second'` })
    },
  }
}
