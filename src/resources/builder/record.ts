import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { AssistantRowData } from '../assistants/read/find.ts'
import { assistantRecord } from '../assistants/read/record.ts'
import { baseConfigs } from '../catalogue/table.ts'
import type { BuiltRecord } from './schema.ts'

const builtRecord = (row: AssistantRowData, name: string | undefined): BuiltRecord => ({
  ...assistantRecord(row),
  build_context: { base_config_id: row.baseConfigId, layer2_key: row.layer2Key },
  base_config_name: name ?? null,
})

/** The records of assistants with how they were built (contract: builder 8). */
export async function builtRecords(db: Database, rows: AssistantRowData[]): Promise<BuiltRecord[]> {
  const ids = [...new Set(rows.flatMap(({ baseConfigId }) => baseConfigId ?? []))]
  const named = { id: baseConfigs.id, name: baseConfigs.name }
  const found = ids.length > 0 ? await db.select(named).from(baseConfigs).where(inArray(baseConfigs.id, ids)) : []
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => builtRecord(row, row.baseConfigId === null ? undefined : names.get(row.baseConfigId)))
}

/** The record of one assistant with how it was built. */
export async function builtRecordOf(db: Database, row: AssistantRowData): Promise<BuiltRecord> {
  if (row.baseConfigId === null) return builtRecord(row, undefined)
  const [base] = await db
    .select({ name: baseConfigs.name })
    .from(baseConfigs)
    .where(eq(baseConfigs.id, row.baseConfigId))
  return builtRecord(row, base?.name)
}
