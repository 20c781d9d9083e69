import { eq, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { assistants } from '../../../src/resources/assistants/table.ts'
import { tools } from '../../../src/resources/catalogue/table.ts'
import { assistantVersions } from '../../../src/resources/history/table.ts'

/** An assistant as it is stored, with the body that its live object was last told. */
export async function storedAssistant({ db }: DatabaseHandle, assistantId: string) {
  const [row] = await db.select().from(assistants).where(eq(assistants.assistantId, assistantId))
  if (!row) throw new Error('no row')
  return row
}

/** Sets columns of an assistant, as no editor would. */
export const changeAssistant = (
  { db }: DatabaseHandle,
  assistantId: string,
  columns: Partial<typeof assistants.$inferInsert>,
) => db.update(assistants).set(columns).where(eq(assistants.assistantId, assistantId))

/** Lets the stored live body name these tools, as what was attached outside does. */
export const attachOutside = ({ db }: DatabaseHandle, assistantId: string, toolIds: readonly string[]) =>
  db
    .update(assistants)
    .set({ live: sql`jsonb_set(${assistants.live}, '{model,toolIds}', ${JSON.stringify(toolIds)}::jsonb)` })
    .where(eq(assistants.assistantId, assistantId))

/** The entries of an assistant's history as they are stored, oldest first. */
export const storedVersions = async (database: DatabaseHandle, assistantId: string) => {
  const { id } = await storedAssistant(database, assistantId)
  return database.db
    .select()
    .from(assistantVersions)
    .where(eq(assistantVersions.assistantId, id))
    .orderBy(assistantVersions.id)
}

/** Adds an entry to an assistant's history without the configuration that it left, as old entries have none. */
export async function addBareVersion(database: DatabaseHandle, assistantId: string, actorId: number): Promise<number> {
  const row = await storedAssistant(database, assistantId)
  const [entry] = await database.db
    .insert(assistantVersions)
    .values({
      assistantId: row.id,
      action: 'updated',
      source: 'phone_number',
      actorId,
      actorName: 'x',
      changes: [],
      summary: 'Attached',
      configuration: null,
      createdAt: new Date(),
    })
    .returning({ id: assistantVersions.id })
  if (!entry) throw new Error('no entry')
  return entry.id
}

/** Tools of the catalogue that the platform need not know. */
export const addTools = ({ db }: DatabaseHandle, added: (typeof tools.$inferInsert)[]) => db.insert(tools).values(added)
