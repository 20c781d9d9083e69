import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/client.ts'
import { extractPassages } from '../../knowledge/passages/extract.ts'
import type { IndexedPassage } from '../../knowledge/passages/indexed.ts'
import { passagesVersion } from '../../knowledge/passages/split.ts'
import { createThreadShare } from '../../runtime/thread-share.ts'
import type { Files } from '../../storage/files.ts'
import { storedTerm } from './by-words.ts'
import { knowledgeChunks, knowledgeFiles } from './table.ts'

/** Passages that are stored before others get the thread, which an embedded database works on. */
const insertSize = 20

/** Stores a file's passages. */
export async function storePassages(
  tx: Transaction,
  { id: fileId, agentId, workspaceId }: Pick<typeof knowledgeFiles.$inferSelect, 'id' | 'agentId' | 'workspaceId'>,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const thread = createThreadShare(insertSize)
  for (let start = 0; start < passages.length; start += insertSize) {
    await thread(insertSize)
    await tx.insert(knowledgeChunks).values(
      passages.slice(start, start + insertSize).map(({ terms, ...passage }, index) => ({
        ...{ fileId, agentId, workspaceId, position: start + index, ...passage },
        terms: terms.map((term) => storedTerm(agentId, term)),
      })),
    )
  }
}

/** Splits a file anew that an older way of splitting made passages of; others stay as they are. */
export async function splitAgain(db: Database, files: Files, fileId: number, workspaceId: number): Promise<void> {
  const [file] = await db.select().from(knowledgeFiles).where(eq(knowledgeFiles.id, fileId))
  if (!file || file.passagesVersion === passagesVersion) return
  const stored = await files.stream(file.storageKey, { share: workspaceId })
  const bytes = stored && (await new Response(stored.body).bytes())
  const passages = bytes ? await extractPassages({ name: file.originalName, bytes }) : []
  await db.transaction(async (tx) => {
    if (passages.length > 0) {
      await tx.delete(knowledgeChunks).where(eq(knowledgeChunks.fileId, fileId))
      await storePassages(tx, file, passages)
    }
    await tx.update(knowledgeFiles).set({ passagesVersion }).where(eq(knowledgeFiles.id, fileId))
  })
}
