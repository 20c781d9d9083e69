import { eq } from 'drizzle-orm'
import { CarrierError, type OwnedNumber } from '../../../carrier/carrier.ts'
import type { Database } from '../../../db/client.ts'
import { inMs } from '../../../db/schedule.ts'
import type { NumberRow } from '../read/record.ts'
import { phoneNumberPurchases, phoneNumbers } from '../table.ts'
import { isPurchase } from './journal.ts'
import type { Order } from './order.ts'

interface Bought {
  order: Order
  /** The number as the carrier has it. */
  owned: OwnedNumber
  provider: NumberRow['provider']
  at: Date
  /** When the voice platform is to know of it, unless that is synced before. */
  syncAfterMs: number
}

/** The number that a purchase was recorded as, or undefined. */
export async function numberBoughtBy(db: Pick<Database, 'select'>, ref: string): Promise<NumberRow | undefined> {
  const [row] = await db.select().from(phoneNumbers).where(eq(phoneNumbers.purchaseRef, ref))
  return row
}

/** The purchase was recorded by another process, and the number released since. */
export class PurchaseEndedError extends CarrierError {
  constructor() {
    super('refused', 'This number was released meanwhile.')
  }
}

/**
 * Records a bought number and ends the purchase's row in one transaction. Returns what recovery recorded where it was
 * faster. Only who ends the row records: without it the number may have been released since, and sold to somebody else.
 * @throws PurchaseEndedError when the purchase was ended and its number is no longer recorded.
 */
export const recordPurchase = (db: Database, { order, owned, provider, at, syncAfterMs }: Bought): Promise<NumberRow> =>
  db.transaction(async (tx) => {
    const { number, ref, name, userId, createdBy, workspaceId, resellerId } = order
    const ended = await tx
      .delete(phoneNumberPurchases)
      .where(isPurchase(number, ref))
      .returning({ ref: phoneNumberPurchases.ref })
    if (ended.length === 0) {
      const known = await numberBoughtBy(tx, ref)
      if (!known) throw new PurchaseEndedError()
      return known
    }
    const [recorded] = await tx
      .insert(phoneNumbers)
      .values({
        phoneNumber: number,
        purchaseRef: ref,
        carrierId: owned.id,
        status: 'owned',
        provider,
        name,
        hooks: [],
        smsEnabled: false,
        smsCapable: owned.sms,
        staticIpEnabled: false,
        syncDueAt: inMs(syncAfterMs),
        userId,
        createdBy,
        workspaceId,
        resellerId,
        createdAt: at,
        updatedAt: at,
      })
      .onConflictDoNothing()
      .returning()
    const row = recorded ?? (await numberBoughtBy(tx, ref))
    if (!row) throw new Error('A bought number is recorded for another purchase')
    return row
  })
