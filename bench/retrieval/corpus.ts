import type { Database } from '../../src/db/client.ts'
import { agents } from '../../src/resources/agents/table.ts'
import { knowledgeChunks, knowledgeFiles } from '../../src/resources/files/table.ts'
import { addTenant, one } from '../seed.ts'
import { distractors } from './distractors.ts'
import { passages } from './passages.ts'

/** An agent whose one file holds all passages; `textOf` says what its passages' ids stand for. */
export interface Corpus {
  agentId: number
  fileId: number
  textOf: ReadonlyMap<number, string>
}

/** Stores the passages among their distractors, in an order that tells nothing, to be indexed. */
export async function storeCorpus(db: Database, resellerId: number): Promise<Corpus> {
  const { userId } = await addTenant(db, resellerId, 1)
  const now = new Date()
  const { id: agentId } = await one(
    db
      .insert(agents)
      .values({ agentId: crypto.randomUUID(), ownerId: userId, name: 'Guide', lastActivityAt: now })
      .returning({ id: agents.id }),
  )
  const { id: fileId } = await one(
    db
      .insert(knowledgeFiles)
      .values({
        ...{ agentId, originalName: 'handbook.txt', mime: 'text/plain', size: 0, storageKey: 'none' },
        ...{ extractable: true, extracted: true, indexState: 'pending', createdAt: now },
      })
      .returning({ id: knowledgeFiles.id }),
  )
  const texts = [...Object.values(passages), ...distractors].sort((a, b) => (Bun.hash(a) < Bun.hash(b) ? -1 : 1))
  const stored = await db
    .insert(knowledgeChunks)
    .values(texts.map((text, position) => ({ fileId, agentId, position, text })))
    .returning({ id: knowledgeChunks.id, text: knowledgeChunks.text })
  return { agentId, fileId, textOf: new Map(stored.map(({ id, text }) => [id, text])) }
}
