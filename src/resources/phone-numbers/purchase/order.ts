import type { phoneNumberPurchases } from '../table.ts'

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

/** A row of the journal of purchases. */
export type PurchaseRow = typeof phoneNumberPurchases.$inferSelect

/** The order that a row of the journal was opened for. */
export const orderOf = ({ phoneNumber, ...row }: PurchaseRow): Order => ({ number: phoneNumber, ...row })
