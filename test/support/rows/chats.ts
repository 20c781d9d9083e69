import { asc, eq } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { agents } from '../../../src/resources/agents/table.ts'
import { chats } from '../../../src/resources/chats/table.ts'
import { messages } from '../../../src/resources/messages/table.ts'
import type { TestUser } from '../app.ts'

/** The messages of a thread as they are stored, oldest first. */
export const storedMessages = ({ db }: DatabaseHandle, chatId: string) =>
  db.select().from(messages).where(eq(messages.chatId, chatId)).orderBy(asc(messages.id))

/** A thread as it is stored, or undefined. */
export async function storedChat({ db }: DatabaseHandle, id: string) {
  const [row] = await db.select().from(chats).where(eq(chats.id, id))
  return row
}

/** How many threads, and messages, everybody has. */
export const countThreads = async ({ db }: DatabaseHandle) => ({
  chats: await db.$count(chats),
  messages: await db.$count(messages),
})

/** Stores messages that no turn made. Returns their ids. */
export async function addMessages(
  { db }: DatabaseHandle,
  chatId: string,
  said: readonly Pick<typeof messages.$inferInsert, 'role' | 'content' | 'model' | 'generation'>[],
  createdAt: Date,
): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < said.length; at += 1_000) {
    const rows = said.slice(at, at + 1_000).map((one) => ({ ...one, chatId, turnId: crypto.randomUUID(), createdAt }))
    const stored = await db.insert(messages).values(rows).returning({ id: messages.id })
    ids.push(...stored.map(({ id }) => id))
  }
  return ids
}

/** Many agents of a user at once. */
export const addAgents = ({ db }: DatabaseHandle, { userId }: TestUser, count: number, lastActivityAt: Date) =>
  db.insert(agents).values(
    Array.from({ length: count }, (_, index) => ({
      agentId: crypto.randomUUID(),
      ownerId: userId,
      name: `${index}`,
      lastActivityAt,
    })),
  )

/** Sets what an agent remembers, as its turns would have noted it. */
export const remember = ({ db }: DatabaseHandle, agentId: string, memory: string | null) =>
  db.update(agents).set({ memory }).where(eq(agents.agentId, agentId))

/** The same for every agent of a user. */
export const rememberAll = ({ db }: DatabaseHandle, { userId }: Pick<TestUser, 'userId'>, memory: string) =>
  db.update(agents).set({ memory }).where(eq(agents.ownerId, userId))
