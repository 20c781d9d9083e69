import type { Database } from '../../src/db/client.ts'
import { indexedPassages } from '../../src/knowledge/passages/indexed.ts'
import { passagesVersion } from '../../src/knowledge/passages/split.ts'
import { agents } from '../../src/resources/agents/table.ts'
import { storePassages } from '../../src/resources/files/passages.ts'
import { knowledgeFiles } from '../../src/resources/files/table.ts'
import { addTenant, one } from '../seed.ts'
/** An agent whose one file holds all passages. */
export interface Corpus {
  agentId: number
  fileId: number
  workspaceId: number
}

/** Stores passages for an agent of the tenant of that number, in an order that tells nothing, to be indexed. */
export async function storeCorpus(
  db: Database,
  { resellerId, tenant, texts }: { resellerId: number; tenant: number; texts: readonly string[] },
): Promise<Corpus> {
  const { userId, workspaceId } = await addTenant(db, resellerId, tenant)
  const now = new Date()
  const { id: agentId } = await one(
    db
      .insert(agents)
      .values({ agentId: crypto.randomUUID(), ownerId: userId, name: 'Guide', lastActivityAt: now })
      .returning({ id: agents.id }),
  )
  const file = await one(
    db
      .insert(knowledgeFiles)
      .values({
        ...{ agentId, originalName: 'handbook.txt', mime: 'text/plain', size: 0, storageKey: `bench-${tenant}` },
        ...{ extractable: true, extracted: true, indexState: 'pending', passagesVersion, createdAt: now },
      })
      .returning(),
  )
  const shuffled = texts.toSorted((a, b) => (Bun.hash(a) < Bun.hash(b) ? -1 : 1))
  await db.transaction((tx) =>
    storePassages(tx, file, indexedPassages(shuffled.map((text) => ({ heading: null, text })))),
  )
  return { agentId, fileId: file.id, workspaceId }
}
