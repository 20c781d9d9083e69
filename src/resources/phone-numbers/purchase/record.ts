import { eq } from 'drizzle-orm'
import type { OwnedNumber } from '../../../carrier/carrier.ts'
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

/** Records a bought number and ends the purchase's row in one transaction. Returns what recovery recorded where it was faster. */
export const recordPurchase = (db: Database, { order, owned, provider, at, syncAfterMs }: Bought): Promise<NumberRow> =>
  db.transaction(async (tx) => {
    const { number, ref, name, userId, createdBy, workspaceId, resellerId } = order
    await tx.delete(phoneNumberPurchases).where(isPurchase(number, ref))
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
