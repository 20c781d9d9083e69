import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { openDatabase } from '../../src/db/client.ts'
import { embeddedEmbedderId } from '../../src/knowledge/embedder.ts'
import { indexedPassages } from '../../src/knowledge/passages/indexed.ts'
import { packVector } from '../../src/knowledge/vectors.ts'
import { agents } from '../../src/resources/agents/table.ts'
import { chats } from '../../src/resources/chats/table.ts'
import { indexIdOf } from '../../src/resources/files/indexer.ts'
import { storePassages } from '../../src/resources/files/passages.ts'
import { knowledgeChunks, knowledgeFiles } from '../../src/resources/files/table.ts'
import { messages } from '../../src/resources/messages/table.ts'
import { modelStub } from '../contenders/model-stub.ts'
import type { Call } from '../requests.ts'
import { one, type Tenant } from '../seed.ts'
import { addCalls } from './calls.ts'

const passages = 1_000
const dimensions = 384
const questions = [
  'delivery',
  'opening hours',
  'invoice',
  'warranty',
  'parking',
  'refund',
  'repair',
  'menu',
  'price',
  'team',
]

const words = ['tide', 'lamp', 'order', 'paper', 'green', 'visit', 'stone', 'clock', 'river', 'chair', ...questions]
const text = (index: number) =>
  Array.from({ length: 40 }, (_, at) => words[(index * 7 + at * (index % 5) + at) % words.length]).join(' ')

/** A unit vector that stands for what an embedder would make: a search costs the same whatever it says. */
function vectorOf(index: number): Uint8Array {
  const vector = Float32Array.from({ length: dimensions }, (_, at) => Math.sin(index * 31 + at * 7))
  const length = Math.hypot(...vector)
  return packVector(vector.map((value) => value / length))
}

/** What the operations are measured on. */
export interface Filled {
  list: Call[]
  turn: Call[]
  search: Call[]
  stats: Call[]
}

/** Adds an agent with chats of twenty messages to each workspace, knowledge to the first, and calls to assistants. */
export async function fill(url: string, tenants: readonly Tenant[]): Promise<Filled> {
  const database = await openDatabase({ url })
  const { db } = database
  try {
    const owners = await database.sql<{ id: number; tokenId: number }[]>`
      select u.id, t.id as "tokenId" from users u inner join tokens t on t.user_id = u.id order by u.id`
    const filled: Filled = { list: [], turn: [], search: [], stats: await addCalls(database.sql, tenants) }
    for (const [index, { token }] of tenants.entries()) {
      const owner = owners[index]
      if (!owner) throw new Error('a workspace has no owner')
      const agentId = randomUUID()
      const now = new Date()
      const agent = { agentId, ownerId: owner.id, name: 'Support', lastActivityAt: now }
      const { id } = await one(db.insert(agents).values(agent).returning({ id: agents.id }))
      for (let number = 0; number < 5; number += 1) {
        const chatId = randomUUID()
        const chat = {
          id: chatId,
          agentId: id,
          tokenId: owner.tokenId,
          title: 'Chat',
          model: modelStub.id,
          lastActivityAt: now,
        }
        await db.insert(chats).values(chat)
        await db.insert(messages).values(
          Array.from({ length: 20 }, (_, at) => ({
            ...{ chatId, turnId: randomUUID(), content: text(at), createdAt: now },
            role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
          })),
        )
        const path = `/agents/${agentId}/chats/${chatId}/messages`
        const named = { agent_id: agentId, chat_id: chatId }
        filled.list.push({ token, method: 'GET', path, procedure: 'messages.list', input: named })
        const input = { ...named, content: 'Do you deliver on Mondays?' }
        // The first agent has knowledge.
        if (index > 0) filled.turn.push({ token, method: 'POST', path, procedure: 'messages.send', input })
      }
      if (index > 0) continue
      const file = {
        ...{ agentId: id, originalName: 'knowledge.txt', mime: 'text/plain', size: 1, storageKey: randomUUID() },
        ...{ extractable: true, extracted: true, indexState: 'done' as const, createdAt: now },
        embedderId: indexIdOf(embeddedEmbedderId),
      }
      const stored = await one(db.insert(knowledgeFiles).values(file).returning())
      await db.transaction((tx) =>
        storePassages(
          tx,
          stored,
          indexedPassages(Array.from({ length: passages }, (_, at) => ({ heading: null, text: text(at) }))),
        ),
      )
      const chunks = await db.select({ id: knowledgeChunks.id }).from(knowledgeChunks)
      for (const { id: chunk } of chunks) {
        await database.sql`update knowledge_chunks set vector = ${vectorOf(chunk)}, embedder_id = ${file.embedderId}
          where id = ${chunk}`
      }
      for (const q of questions) {
        const path = `/agents/${agentId}/search?q=${encodeURIComponent(q)}`
        const input = { agent_id: agentId, q }
        filled.search.push({ token, method: 'GET', path, procedure: 'agentFiles.search', input })
      }
    }
    await database.sql`vacuum analyze`
    return filled
  } finally {
    await database.close()
  }
}

/** Takes away what turns left, so that every contender finds the same chats. */
export async function removeTurns(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`delete from messages m where (select count(*) from messages o where o.chat_id = m.chat_id and o.id <= m.id) > 20`
  await sql`vacuum messages, leases, chats, agents`
  await sql.end()
}
