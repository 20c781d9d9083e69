import { sql } from 'drizzle-orm'
import type { DatabaseHandle } from '../../src/db/client.ts'

/** The columns of a whole database, of our own records, that hold a text. */
export async function columnsHolding({ db }: DatabaseHandle, text: string): Promise<string[]> {
  const columns = await db.execute<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`)
  const found: string[] = []
  for (const { table, column } of columns) {
    const [{ n } = { n: 0 }] = await db.execute<{ n: number }>(sql`
      select count(*)::int as n from ${sql.identifier(table)}
      where position(${text} in ${sql.identifier(column)}::text) > 0`)
    if (n > 0) found.push(`${table}.${column}`)
  }
  return found.sort()
}
