import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { AssistantRowData } from '../assistants/read/find.ts'
import { assistantRecord } from '../assistants/read/record.ts'
import { baseConfigs } from '../catalogue/table.ts'
import type { BuiltRecord, RebuiltRecord } from './schema.ts'

const builtRecord = (row: AssistantRowData, name: string | null): BuiltRecord => ({
  ...assistantRecord(row),
  build_context: { base_config_id: row.baseConfigId, layer2_key: row.layer2Key },
  base_config_name: name,
})

/**
 * The name of the base config of an assistant that v2 built, where a copy stands in for one that was deleted (contract:
 * versions 13).
 */
const copiedBaseNameOf = ({ build, kept }: AssistantRowData): string | null => (build && kept?.baseConfig?.name) ?? null

/** The records of assistants with how they were built (contract: builder 8). */
export async function builtRecords(db: Database, rows: AssistantRowData[]): Promise<BuiltRecord[]> {
  const ids = [...new Set(rows.flatMap(({ baseConfigId }) => baseConfigId ?? []))]
  const named = { id: baseConfigs.id, name: baseConfigs.name }
  const found = ids.length > 0 ? await db.select(named).from(baseConfigs).where(inArray(baseConfigs.id, ids)) : []
  const names = new Map<number | null, string>(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => builtRecord(row, names.get(row.baseConfigId) ?? copiedBaseNameOf(row)))
}

/** The name of the base config of an assistant; null where none built it. */
async function baseNameOf(db: Database, row: AssistantRowData): Promise<string | null> {
  if (row.baseConfigId === null) return copiedBaseNameOf(row)
  const [base] = await db
    .select({ name: baseConfigs.name })
    .from(baseConfigs)
    .where(eq(baseConfigs.id, row.baseConfigId))
  return base?.name ?? null
}

/** The record of one assistant with how it was built. */
export const builtRecordOf = async (db: Database, row: AssistantRowData): Promise<BuiltRecord> =>
  builtRecord(row, await baseNameOf(db, row))

/** The record that an update responds with: how it was built is for retrieval (contract: builder 9). */
export const rebuiltRecordOf = async (db: Database, row: AssistantRowData): Promise<RebuiltRecord> => ({
  ...assistantRecord(row),
  base_config_name: await baseNameOf(db, row),
})
