import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { type Carrier, CarrierError, type OfferedNumber, type OwnedNumber } from '../carrier.ts'
import { inventory, inventoryNumber } from './inventory.ts'
import { carrierNumbers } from './table.ts'

const ownedOf = ({ id, number, reference, sms }: typeof carrierNumbers.$inferSelect): OwnedNumber => ({
  id,
  number,
  reference,
  sms,
})

/** The carrier of an installation without one: an inventory of numbers that nobody has, sold for nothing. */
export function embeddedCarrier(db: Database): Carrier {
  const soldAmong = async (candidates: OfferedNumber[]) => {
    const numbers = candidates.map(({ number }) => number)
    const rows = await db
      .select({ number: carrierNumbers.number })
      .from(carrierNumbers)
      .where(inArray(carrierNumbers.number, numbers))
    return new Set(rows.map(({ number }) => number))
  }

  return {
    name: 'embedded',
    credentials: { provider: 'twilio', twilioAccountSid: 'ACembedded', twilioAuthToken: 'embedded' },

    async offer({ areaCode, limit }) {
      const offered: OfferedNumber[] = []
      const batch: OfferedNumber[] = []
      const take = async () => {
        if (batch.length === 0) return
        const sold = await soldAmong(batch)
        offered.push(...batch.filter(({ number }) => !sold.has(number)))
        batch.length = 0
      }
      for (const candidate of inventory(areaCode)) {
        batch.push(candidate)
        if (batch.length >= limit) await take()
        if (offered.length >= limit) break
      }
      await take()
      return offered.slice(0, limit)
    },

    async buy(number, reference) {
      const offered = inventoryNumber(number)
      if (!offered) throw new CarrierError('refused', 'This number is not on offer.')
      const [bought] = await db
        .insert(carrierNumbers)
        .values({ number, id: crypto.randomUUID(), reference, sms: offered.capabilities.sms })
        .onConflictDoNothing()
        .returning()
      if (!bought) throw new CarrierError('refused', 'This number is no longer available.')
      return ownedOf(bought)
    },

    async find(number) {
      const [owned] = await db.select().from(carrierNumbers).where(eq(carrierNumbers.number, number))
      return owned && ownedOf(owned)
    },

    async release(id) {
      await db.delete(carrierNumbers).where(eq(carrierNumbers.id, id))
    },
  }
}
