import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database, Executor } from '../client.ts'
import { oneFound } from '../one-found.ts'
import { preparedQuery } from '../prepared/query.ts'
import { preparedStatement } from '../prepared/statement.ts'
import type { leases } from '../tables.ts'

/** The statements on lease rows. Time is the database's, so that instances need no common clock. */
export type LeaseStore = {
  /** Takes `key` when it is free or has run out: one atomic statement. False when another holds it. */
  acquire(db: Database, key: string, owner: string, ttlMs: number): Promise<boolean>
  /** Moves the end of a lease that is still `owner`'s; false when it is not. */
  renew(db: Database, key: string, owner: string, ttlMs: number): Promise<boolean>
  release(db: Database, key: string, owner: string): Promise<void>
  /** The same, which fails with all of its transaction where the lease is not `owner`'s: see `isNoneFound`. */
  endOrFail(executor: Executor, key: string, owner: string): Promise<void>
  /** Whether the lease is `owner`'s. */
  owns(db: Executor, key: string, owner: string): Promise<boolean>
  /** The same, and nobody can take it until `tx` ends. */
  keep(tx: Executor, key: string, owner: string): Promise<boolean>
}

/** Leases kept in `table`, a table with the columns of `leases`. */
export function leaseStore(table: typeof leases): LeaseStore {
  const key = sql.placeholder('key')
  const owner = sql.placeholder('owner')
  const expiresAt = sql`now() + ${sql.placeholder('ttlMs')} * interval '1 millisecond'`
  const owned = and(eq(table.key, key), eq(table.owner, owner))
  const ownRow = (db: Executor) => db.select({ key: table.key }).from(table).where(owned)
  const find = preparedStatement(ownRow)
  const lock = preparedStatement((db) => ownRow(db).for('update'))
  const end = preparedStatement((db) => {
    const ended = db.$with('ended').as(db.delete(table).where(owned).returning({ key: table.key }))
    return db.with(ended).select({ found: oneFound }).from(ended)
  })

  const acquire = preparedQuery('lease.acquire', (db, name) =>
    db
      .insert(table)
      .values({ key, owner, expiresAt })
      .onConflictDoUpdate({
        target: table.key,
        set: { owner: sql`excluded.owner`, expiresAt: sql`excluded.expires_at` },
        setWhere: lt(table.expiresAt, sql`now()`),
      })
      .returning({ key: table.key })
      .prepare(name),
  )
  const renew = preparedQuery('lease.renew', (db, name) =>
    db.update(table).set({ expiresAt }).where(owned).returning({ key: table.key }).prepare(name),
  )
  const release = preparedQuery('lease.release', (db, name) => db.delete(table).where(owned).prepare(name))

  return {
    acquire: async (db, key, owner, ttlMs) => (await acquire(db).execute({ key, owner, ttlMs })).length > 0,
    renew: async (db, key, owner, ttlMs) => (await renew(db).execute({ key, owner, ttlMs })).length > 0,
    release: async (db, key, owner) => void (await release(db).execute({ key, owner })),
    endOrFail: async (executor, key, owner) => void (await end(executor, { key, owner })),
    owns: async (db, key, owner) => (await find(db, { key, owner })).length > 0,
    keep: async (tx, key, owner) => (await lock(tx, { key, owner })).length > 0,
  }
}
