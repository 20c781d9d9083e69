import { inArray, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { storedDeletions } from '../../../src/resources/deletions/table.ts'
import { knowledgeChunks, knowledgeFiles } from '../../../src/resources/files/table.ts'

/** Where the knowledge files of everybody are kept in the storage. */
export const storedFileKeys = async ({ db }: DatabaseHandle) =>
  (await db.select({ key: knowledgeFiles.storageKey }).from(knowledgeFiles)).map(({ key }) => key)

/** The embedder that the first passage was indexed by. */
export async function embedderOfFirst({ db }: DatabaseHandle) {
  const [chunk] = await db.select({ id: knowledgeChunks.embedderId }).from(knowledgeChunks).limit(1)
  return chunk?.id
}

/** Lets files that are to be deleted be due now. */
export const deleteNow = ({ db }: DatabaseHandle, keys: string[]) =>
  db
    .update(storedDeletions)
    .set({ dueAt: new Date(0) })
    .where(inArray(storedDeletions.key, keys))

/** In how many seconds each of these files is to be deleted. */
export async function secondsToDeletion({ db }: DatabaseHandle, keys: string[]): Promise<number[]> {
  const { dueAt } = storedDeletions
  const seconds = sql<number>`extract(epoch from ${dueAt} - now())::float8`
  const rows = await db.select({ seconds }).from(storedDeletions).where(inArray(storedDeletions.key, keys))
  return rows.map((row) => row.seconds)
}
