import { z } from 'zod'
import type { DatabaseDeadlines } from '../db/client.ts'
import { integer } from './settings/forms.ts'

const seconds = (max: number, standard: number) => integer(max, 1).default(standard)

/** How long what is outside may take, and how the database is reached. */
export const deadlineVariables = {
  DATABASE_STATEMENT_SECONDS: seconds(3600, 15),
  DATABASE_LOCK_SECONDS: seconds(3600, 10),
  DATABASE_CONNECTION_SECONDS: seconds(600, 10),
  REQUEST_SECONDS: seconds(3600, 60),
  S3_SECONDS: seconds(3600, 20),
  CARRIER_SECONDS: seconds(600, 9),
  EMBEDDINGS_SECONDS: seconds(600, 30),
  DATABASE_POOLER: z.enum(['session', 'transaction'], 'must be one of: session, transaction').default('session'),
  DATABASE_PREPARED_STATEMENTS: z.enum(['on', 'off'], 'must be one of: on, off').optional(),
}

/** How long calls to what is outside may take, in milliseconds. */
export interface OutsideTimes {
  /** Of the object store, until it responds; what is transferred gets three times as long, a download fifteen times. */
  objectStoreMs: number
  carrierMs: number
  embeddingsMs: number
}

/** What the variables say of calls to the outside. */
export const outsideTimes = (v: z.output<z.ZodObject<typeof deadlineVariables>>): OutsideTimes => ({
  objectStoreMs: v.S3_SECONDS * 1000,
  carrierMs: v.CARRIER_SECONDS * 1000,
  embeddingsMs: v.EMBEDDINGS_SECONDS * 1000,
})

/** The connections to a PostgreSQL server. */
export interface DatabaseConnections {
  deadlines: DatabaseDeadlines
  /** What a pooler before the server gives back to it: sessions, which are like connections, or transactions. */
  pooler: 'session' | 'transaction'
  /** Whether statements are prepared by name. */
  prepare: boolean
}

/** What the variables say of the database. */
export function databaseConnections(v: z.output<z.ZodObject<typeof deadlineVariables>>): DatabaseConnections {
  const pooler = v.DATABASE_POOLER
  const prepared = v.DATABASE_PREPARED_STATEMENTS ?? (pooler === 'transaction' ? 'off' : 'on')
  return {
    deadlines: {
      statementMs: v.DATABASE_STATEMENT_SECONDS * 1000,
      lockMs: v.DATABASE_LOCK_SECONDS * 1000,
      connectionMs: v.DATABASE_CONNECTION_SECONDS * 1000,
    },
    pooler,
    prepare: prepared === 'on',
  }
}
