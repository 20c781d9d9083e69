import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { z } from 'zod'
import { recordColumns } from '../../src/resources/assistants/read/find.ts'
import { savedRecords } from '../../src/resources/assistants/read/record.ts'
import { assistantCounts, assistants } from '../../src/resources/assistants/table.ts'
import type { CreateInput } from '../../src/resources/assistants/write/schema.ts'
import { personalities, promptTemplates } from '../../src/resources/catalogue/table.ts'
import { assistantVersions } from '../../src/resources/history/table.ts'
import { tokens } from '../../src/resources/tokens/table.ts'
import { users } from '../../src/resources/users/table.ts'
import { workspaces } from '../../src/resources/workspaces/table.ts'
import { liveBases } from '../../src/voice-platform/mirror/agreement/table.ts'
import { liveWrites } from '../../src/voice-platform/mirror/journal/table.ts'
import { firstBase, firstVersion, newAssistant, pageAnswer, publicRecord } from './answers.ts'
import { type Caller, cachedCallers } from './callers.ts'
import { databaseUrl } from './parent.ts'
import { createLive } from './platform-stub.ts'

const db = drizzle(new pg.Pool({ connectionString: databaseUrl(), max: 10 }))

const records = () =>
  db
    .select(recordColumns)
    .from(assistants)
    .leftJoin(personalities, eq(personalities.id, assistants.personalityId))
    .leftJoin(users, eq(users.id, assistants.userId))
    .leftJoin(promptTemplates, eq(promptTemplates.id, assistants.templateId))
const inWorkspace = eq(assistants.workspaceId, sql.placeholder('workspaceId'))
const findQuery = records()
  .where(and(eq(assistants.assistantId, sql.placeholder('id')), inWorkspace))
  .prepare('find')
const order = [asc(assistants.name), asc(assistants.id)]
const page = db
  .select({ id: assistants.id })
  .from(assistants)
  .where(inWorkspace)
  .orderBy(...order)
  .limit(15)
  .offset(0)
  .as('page')
const pageQuery = db
  .select(recordColumns)
  .from(page)
  .innerJoin(assistants, eq(assistants.id, page.id))
  .leftJoin(personalities, eq(personalities.id, assistants.personalityId))
  .leftJoin(users, eq(users.id, assistants.userId))
  .leftJoin(promptTemplates, eq(promptTemplates.id, assistants.templateId))
  .orderBy(...order)
  .prepare('page')
const totalQuery = db
  .select({ total: sql<number>`coalesce(sum(${assistantCounts.count}), 0)::int` })
  .from(assistantCounts)
  .innerJoin(workspaces, eq(workspaces.id, assistantCounts.workspaceId))
  .where(eq(assistantCounts.workspaceId, sql.placeholder('workspaceId')))
  .prepare('total')

const callerOf = cachedCallers(async (hash) => {
  const [caller] = await db
    .select({ userId: users.id, name: users.name, workspaceId: workspaces.id, resellerId: users.resellerId })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .innerJoin(workspaces, eq(workspaces.id, users.workspaceId))
    .where(
      and(
        eq(tokens.hash, hash),
        isNull(tokens.revokedAt),
        or(isNull(tokens.expiresAt), gt(tokens.expiresAt, sql`now()`)),
        eq(users.status, 'active'),
        isNull(users.deletedAt),
      ),
    )
  return caller
})

/** What a server on drizzle and pg answers, whatever framework it is written with. */
export interface Answer {
  status: number
  body: object
}

const find = async ({ workspaceId }: Caller, id: string): Promise<Answer> => {
  const [row] = await findQuery.execute({ id, workspaceId })
  if (row) return { status: 200, body: { success: true, data: publicRecord(row) } }
  return { status: 404, body: { success: false, message: 'Assistant not found' } }
}

const list = async ({ workspaceId }: Caller): Promise<Answer> => {
  const [rows, [counted]] = await Promise.all([pageQuery.execute({ workspaceId }), totalQuery.execute({ workspaceId })])
  return { status: 200, body: pageAnswer(rows, counted?.total ?? 0) }
}

const create = async (caller: Caller, body: unknown): Promise<Answer> => {
  const made = newAssistant(body as z.output<typeof CreateInput>)
  const { userId, workspaceId, resellerId } = caller
  const entry = { id: randomUUID(), owner: randomUUID() }
  await db
    .insert(liveWrites)
    .values({
      ...entry,
      kind: 'assistant',
      ref: made.assistantId,
      action: 'create',
      createSent: true,
      dueAt: sql`now() + interval '15 seconds'`,
    })
    .onConflictDoNothing()
    .returning({ createdAt: liveWrites.createdAt })
  const live = await createLive(made.live)
  const saved = await db.transaction(async (tx) => {
    const owner = { userId, createdBy: userId, resellerId, workspaceId }
    const times = { createdAt: made.now, updatedAt: made.now }
    const values = { ...made, ...owner, ...times, voiceAssistantId: live.id }
    const [row] = await savedRecords(tx, tx.insert(assistants).values(values).returning())
    if (!row) throw new Error('no assistant')
    await tx
      .insert(assistantVersions)
      .values(firstVersion(row.id, made, caller))
      .returning({ id: assistantVersions.id })
    const { kind, ref, ...base } = firstBase(made, live)
    await tx
      .insert(liveBases)
      .values({ kind, ref, ...base })
      .onConflictDoUpdate({ target: [liveBases.kind, liveBases.ref], set: { ...base, agreedAt: sql`now()` } })
      .returning({ id: liveBases.id })
    const over = or(isNull(liveWrites.lateUntil), lte(liveWrites.lateUntil, sql`now()`))
    await tx
      .delete(liveWrites)
      .where(and(eq(liveWrites.id, entry.id), eq(liveWrites.owner, entry.owner), over))
      .returning({ id: liveWrites.id })
    return row
  })
  return {
    status: 201,
    body: { success: true, data: publicRecord(saved), message: 'Assistant created successfully' },
  }
}

/** The three operations, for callers with a token. */
export const operations = { find, list, create }

/** The answer to a request with this header: 401, or what `operation` gives its caller. */
export async function answerTo(
  authorization: string | undefined,
  operation: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  const caller = await callerOf(authorization)
  return caller ? operation(caller) : { status: 401, body: { message: 'Unauthenticated.' } }
}
