import { inArray, lt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/client.ts'
import { conversationMessages, conversations } from './table.ts'

const subjectLength = 200
const purgedAtOnce = 500

/** A visitor's message and, unless none came, the reply to it. */
export interface Exchange {
  conversationId: string
  /** The number of the assistant's row. */
  assistantId: number
  /** The assistant's. */
  workspaceId: number
  origin: string | null
  message: string
  reply: string | undefined
  askedAt: Date
  repliedAt: Date
}

/** Keeps what was said. Fails for an assistant that was deleted meanwhile. */
export async function recordExchange(tx: Transaction, exchange: Exchange): Promise<void> {
  const { conversationId, assistantId, workspaceId, origin, message, reply, askedAt, repliedAt } = exchange
  const said = [
    { conversationId, workspaceId, role: 'visitor' as const, content: message, createdAt: askedAt },
    ...(reply === undefined
      ? []
      : [{ conversationId, workspaceId, role: 'assistant' as const, content: reply, createdAt: repliedAt }]),
  ]
  const lastMessageAt = reply === undefined ? askedAt : repliedAt
  await tx
    .insert(conversations)
    .values({
      id: conversationId,
      assistantId,
      workspaceId,
      origin,
      subject: [...message].slice(0, subjectLength).join(''),
      messages: said.length,
      createdAt: askedAt,
      lastMessageAt,
    })
    .onConflictDoUpdate({
      target: conversations.id,
      set: { messages: sql`${conversations.messages} + ${said.length}`, lastMessageAt },
    })
  await tx.insert(conversationMessages).values(said)
}

/** Drops conversations in which nothing was said for so many days, a few at a time; none for 0. */
export async function purgeConversations(db: Database, days: number): Promise<void> {
  if (days === 0) return
  for (;;) {
    const old = db
      .select({ id: conversations.id })
      .from(conversations)
      .where(lt(conversations.lastMessageAt, sql`now() - ${days} * interval '1 day'`))
      .limit(purgedAtOnce)
    const gone = await db
      .delete(conversations)
      .where(inArray(conversations.id, old))
      .returning({ id: conversations.id })
    if (gone.length < purgedAtOnce) return
  }
}
