import { eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import type { SecretColumn } from '../../../src/secrets/rotate.ts'

/** Stores a column as releases did that sealed nothing in bodies. */
export async function storedAsGiven({ db }: DatabaseHandle, { table, id, column }: SecretColumn): Promise<void> {
  const rows = await db.select({ id, value: column }).from(table).where(isNotNull(column))
  const [property = ''] = Object.entries(getTableColumns(table)).find(([, { name }]) => name === column.name) ?? []
  for (const row of rows) {
    const value = sql`${JSON.stringify(row.value)}::text::jsonb`
    await db
      .update(table)
      .set({ [property]: value })
      .where(eq(id, row.id))
  }
}
