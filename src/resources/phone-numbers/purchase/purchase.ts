import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Carrier, CarrierError, type OwnedNumber } from '../../../carrier/carrier.ts'
import type { Database } from '../../../db/client.ts'
import { inMs } from '../../../db/schedule.ts'
import { ClaimLostError } from '../../../db/work/claim.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { reasonOf } from '../../../runtime/log.ts'
import type { Slots } from '../../../runtime/slots.ts'
import { systemTimers, type Timers } from '../../../runtime/timers.ts'
import type { NumberRow } from '../read/record.ts'
import { phoneNumbers } from '../table.ts'
import { createPurchaseJournal } from './journal.ts'
import { type Order, orderOf, type PurchaseRow } from './order.ts'
import { numberBoughtBy, PurchaseEndedError, recordPurchase } from './record.ts'

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

/** The buyer's account has the number already, so that the carrier is not asked. */
export class NumberOwnedError extends CarrierError {
  constructor() {
    super('refused', 'This account has this number already.')
  }
}

const isUnknown = (error: unknown) => !(error instanceof CarrierError) || error.kind === 'unknown'
/** Purchases that are looked at at once. */
const maxAtWork = 4

/**
 * Purchases at the carrier, journalled: the row is there before the carrier is asked and goes in the transaction that
 * records the number. The carrier sells a number once and keeps whose purchase it was, so that asking it is enough to
 * know what became of a purchase.
 */
export function createPurchases(options: PurchaseOptions) {
  const { db, clock, log, carrier, carrierSlots, leaseMs, graceMs, timers = systemTimers } = options
  const { open, begin, close, left, releaseAll } = createPurchaseJournal({ db, timers, leaseMs })

  /** The number at the carrier, if it is this purchase that brought it there. */
  const stamped = async (number: string, ref: string): Promise<OwnedNumber | undefined> => {
    const owned = await carrier.find(number)
    return owned?.reference === ref ? owned : undefined
  }

  const record = (order: Order, owned: OwnedNumber): Promise<NumberRow> => {
    const { provider } = carrier.credentials
    return recordPurchase(db, { order, owned, provider, at: clock.now(), syncAfterMs: leaseMs })
  }

  /** The outcome of asking the carrier, looked up where its response leaves it open. */
  const obtain = async (order: Order, resumed: boolean): Promise<OwnedNumber> => {
    const { number, ref } = order
    const earlier = resumed ? await stamped(number, ref) : undefined
    if (earlier) return earlier
    const attempt = randomUUID()
    try {
      await begin(order, attempt)
      return await carrier.buy(number, ref)
    } catch (error) {
      if (!isUnknown(error) && !resumed) {
        await close(number, ref, { owner: attempt }).catch(() => {})
        throw error
      }
      const bought = await stamped(number, ref).catch(() => undefined)
      if (bought) return bought
      throw error
    }
  }

  /** The same in a slot of the buyer's workspace; without one nothing is asked, and nothing is left. */
  const obtainInSlot = async (order: Order, resumed: boolean): Promise<OwnedNumber> => {
    let asked = false
    try {
      return await carrierSlots.run(order.workspaceId, () => {
        asked = true
        return obtain(order, resumed)
      })
    } catch (error) {
      if (!asked && !resumed) await close(order.number, order.ref, { owner: null }).catch(() => {})
      throw error
    }
  }

  /** Throws when the number is recorded for another purchase, whose row is then ended. */
  const requireUnowned = async (order: Order): Promise<void> => {
    const [held] = await db
      .select({ ref: phoneNumbers.purchaseRef, workspaceId: phoneNumbers.workspaceId })
      .from(phoneNumbers)
      .where(eq(phoneNumbers.phoneNumber, order.number))
    if (!held || held.ref === order.ref) return
    await close(order.number, order.ref)
    if (held.workspaceId === order.workspaceId) throw new NumberOwnedError()
    throw new CarrierError('refused', 'This number is already in use.')
  }

  /** Brings one purchase that was left to its end. */
  const recover = async (row: PurchaseRow): Promise<void> => {
    const order = orderOf(row)
    const { number, ref } = order
    // Both times are the database's: it was claimed one lease before it is due again.
    const ageMs = row.dueAt.getTime() - leaseMs - row.createdAt.getTime()
    try {
      const bought = await carrierSlots.run(order.workspaceId, () => stamped(number, ref))
      if (bought) await record(order, bought)
      else if (ageMs >= graceMs) await close(number, ref, row)
      else await left.settle(db, row, { dueAt: inMs(Math.min(leaseMs, graceMs - ageMs)) })
      log.info(
        { event: 'purchase_reconciled', number, bought: bought !== undefined },
        'an unfinished purchase was looked at',
      )
    } catch (error) {
      if (error instanceof ClaimLostError || error instanceof PurchaseEndedError) return
      const reason = reasonOf(error)
      log.warn({ event: 'purchase_unreconciled', number, reason }, 'an unfinished purchase will be looked at again')
      await left.backOff(db, row, reason).catch(() => {})
    }
  }

  return {
    /**
     * Buys a number and records it, not yet on the voice platform.
     * @throws CarrierError when it was not bought, or when that is not known yet: then recovery records it for its
     * buyer;
     * NumberOwnedError when the buyer's account has it already; 429 when too much of its workspace is under way at the
     * carrier.
     */
    async buy(order: Order): Promise<NumberRow> {
      const bought = await numberBoughtBy(db, order.ref)
      if (bought) return bought
      const { resumed } = await open(order)
      await requireUnowned(order)
      return record(order, await obtainInSlot(order, resumed))
    },

    /** Purchases that were left. */
    work: {
      nextDue: left.nextDue,
      async run(): Promise<void> {
        for (;;) {
          const due = await left.claim(db, maxAtWork)
          if (due.length === 0) return
          await Promise.all(due.map(recover))
        }
      },
    },

    /** Makes every purchase due: when no other process can be at work on this database. */
    releaseAll,
  }
}
