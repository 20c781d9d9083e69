import { eq } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { baseConfigs } from '../../../src/resources/catalogue/table.ts'

/** Lets a base config name these tools, as one does that was made before they had to be everybody's. */
export const nameInBaseConfig = ({ db }: DatabaseHandle, id: number, toolIds: readonly string[]) =>
  db
    .update(baseConfigs)
    .set({ config: { model: { toolIds } } })
    .where(eq(baseConfigs.id, id))
