import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/client.ts'
import { capped, decodeText } from '../../knowledge/decode.ts'
import { type PassageText, searchText } from '../../knowledge/passages/passage.ts'
import { passagesOf, passagesVersion } from '../../knowledge/passages/split.ts'
import { detectLanguage, indexedWords } from '../../knowledge/words.ts'
import type { Files } from '../../storage/files.ts'
import { storedTerm } from './by-words.ts'
import { knowledgeChunks, knowledgeFiles } from './table.ts'

/** Extracted text is cut there (contract: files 5). */
const maxCharacters = 200_000
/** Passages whose words are worked out, and stored, before others get the thread. */
const insertSize = 40
/** Passages that say which language a file is in. */
const sampleSize = 200

/** The passages of a file's bytes; none where it is no text. */
export function passagesIn(name: string, bytes: Uint8Array): PassageText[] {
  const text = decodeText(bytes)
  return text === undefined ? [] : passagesOf(name, capped(text, maxCharacters))
}

/** Stores a file's passages with the words that they are found by. */
export async function storePassages(
  tx: Transaction,
  { id: fileId, agentId }: { id: number; agentId: number },
  passages: readonly PassageText[],
): Promise<void> {
  const language = detectLanguage(passages.slice(0, sampleSize).map(searchText).join('\n'))
  for (let start = 0; start < passages.length; start += insertSize) {
    await tx.insert(knowledgeChunks).values(
      passages.slice(start, start + insertSize).map((passage, index) => {
        const { terms, length } = indexedWords(searchText(passage), language)
        return {
          ...{ fileId, agentId, position: start + index, heading: passage.heading, text: passage.text, length },
          terms: terms.map((term) => storedTerm(agentId, term)),
        }
      }),
    )
  }
}

/** Splits a file anew that an older way of splitting made passages of; others stay as they are. */
export async function splitAgain(db: Database, files: Files, fileId: number, workspaceId: number): Promise<void> {
  const [file] = await db.select().from(knowledgeFiles).where(eq(knowledgeFiles.id, fileId))
  if (!file || file.passagesVersion === passagesVersion) return
  const stored = await files.stream(file.storageKey, { share: workspaceId })
  const passages = stored ? passagesIn(file.originalName, await new Response(stored.body).bytes()) : []
  await db.transaction(async (tx) => {
    if (passages.length > 0) {
      await tx.delete(knowledgeChunks).where(eq(knowledgeChunks.fileId, fileId))
      await storePassages(tx, file, passages)
    }
    await tx.update(knowledgeFiles).set({ passagesVersion }).where(eq(knowledgeFiles.id, fileId))
  })
}
