import type { Sql } from 'postgres'
import type { Executor } from './client.ts'

/**
 * The driver below drizzle's database or transaction: its own way of running a statement costs more than the statement.
 */
export const driverOf = (executor: Executor): Sql => (executor._.session as unknown as { client: Sql }).client
