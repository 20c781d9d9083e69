import type { Database } from '../client.ts'

/** A query that is built and prepared at most once per database; see `preparedQuery`. */
export type PreparedQuery<Query> = (db: Database) => Query

/**
 * Declares a hot query, at module level, so that its SQL is built once per database and planned once per connection:
 *
 *     const assistantById = preparedQuery('assistants.by-id', (db, name) =>
 *       db.select().from(assistants).where(eq(assistants.id, sql.placeholder('id'))).prepare(name))
 *     const [found] = await assistantById(handle.db).execute({ id })
 *
 * Not for use inside a transaction: a prepared query belongs to the database, and would run outside.
 */
export function preparedQuery<Query>(
  name: string,
  prepare: (db: Database, name: string) => Query,
): PreparedQuery<Query> {
  const prepared = new WeakMap<Database, Query>()
  return (db) => {
    const known = prepared.get(db)
    if (known !== undefined) return known
    const query = prepare(db, name)
    prepared.set(db, query)
    return query
  }
}
