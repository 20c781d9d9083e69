import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { mirrored, type Places } from './fleet.ts'

/** Reads rows of the servers' database. */
export type Ask = <Row extends object>(statement: string) => Promise<Row[]>

/** Reads the database past the servers. An embedded one has to be closed by its server first. */
export async function withDatabase<T>({ database, dataDir }: Places, work: (ask: Ask) => Promise<T>): Promise<T> {
  if (database) return work((statement) => database.cluster.query(mirrored, statement))
  const pglite = await PGlite.create({ dataDir: join(dataDir, 'database'), extensions: { pg_trgm } })
  try {
    return await work(async <Row extends object>(statement: string) => (await pglite.query<Row>(statement)).rows)
  } finally {
    await pglite.close()
  }
}
