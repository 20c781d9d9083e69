import { timestamp } from 'drizzle-orm/pg-core'

/** A point in time with millisecond precision, as JavaScript and ISO 8601 strings have it. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** `created_at` and `updated_at`; services set `updated_at` from the injected clock. */
export const timestamps = () => ({
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})
