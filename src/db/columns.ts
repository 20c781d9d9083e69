import { timestamp } from 'drizzle-orm/pg-core'

/** A point in time with millisecond precision, as JavaScript and ISO 8601 strings have it. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** `created_at` and `updated_at`; services set `updated_at` from the injected clock. */
export const timestamps = () => ({
  createdAt: timestamptz('created_at').notNull().defaultNow(),
  updatedAt: timestamptz('updated_at').notNull().defaultNow(),
})
