import { eq } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { connectors } from '../../../src/resources/connectors/table.ts'

/** A tool server as it is stored. */
export async function storedConnector({ db }: DatabaseHandle, uid: string) {
  const [row] = await db.select().from(connectors).where(eq(connectors.uid, uid))
  if (!row) throw new Error('no tool server')
  return row
}

/** Lets a tool server have said which tools it has. */
export const knowTools = (
  { db }: DatabaseHandle,
  uid: string,
  knownTools: (typeof connectors.$inferInsert)['knownTools'],
) => db.update(connectors).set({ knownTools }).where(eq(connectors.uid, uid))
