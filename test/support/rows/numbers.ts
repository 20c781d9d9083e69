import { eq, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { phoneNumberPurchases, phoneNumbers } from '../../../src/resources/phone-numbers/table.ts'

/** A number as it is stored, or undefined. */
export async function storedNumber({ db }: DatabaseHandle, number: string) {
  const [row] = await db.select().from(phoneNumbers).where(eq(phoneNumbers.phoneNumber, number))
  return row
}

/** Sets columns of a number, as only another machine or time would. */
export const changeNumber = (
  { db }: DatabaseHandle,
  number: string,
  columns: Partial<typeof phoneNumbers.$inferInsert>,
) => db.update(phoneNumbers).set(columns).where(eq(phoneNumbers.phoneNumber, number))

/** Stores the server block of a number as it is given, by the configuration's id. */
export const storedServer = ({ db }: DatabaseHandle, id: number, server: object) =>
  db
    .update(phoneNumbers)
    .set({ server: sql`${JSON.stringify(server)}::text::jsonb` })
    .where(eq(phoneNumbers.id, id))

/** Lets the next look at what is due find a number now. */
export const makeDue = (database: DatabaseHandle, number: string) =>
  changeNumber(database, number, { syncDueAt: new Date(0) })

/** The same for every number that was tried once. */
export const makeTriedDue = ({ db }: DatabaseHandle) =>
  db
    .update(phoneNumbers)
    .set({ syncDueAt: new Date(0) })
    .where(eq(phoneNumbers.syncAttempts, 1))

/** A purchase that is under way, or undefined. */
export async function storedPurchase({ db }: DatabaseHandle, number: string) {
  const mine = eq(phoneNumberPurchases.phoneNumber, number)
  const [row] = await db.select().from(phoneNumberPurchases).where(mine)
  return row
}

/** Lets a purchase look as if it had begun, and been due, at a time. */
export const changePurchase = ({ db }: DatabaseHandle, number: string, at: Date) =>
  db.update(phoneNumberPurchases).set({ createdAt: at, dueAt: at }).where(eq(phoneNumberPurchases.phoneNumber, number))
