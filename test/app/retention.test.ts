import { asc, eq, sql } from 'drizzle-orm'
import { integer, type PgColumn, type PgTable, pgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { purgeOld } from '../../src/app/housekeeping.ts'
import { purge } from '../../src/db/purge.ts'
import { auditEntries } from '../../src/resources/audit/table.ts'
import { assistantVersions } from '../../src/resources/history/table.ts'
import { messages } from '../../src/resources/messages/table.ts'
import { drifts } from '../../src/voice-platform/drift/table.ts'
import { platformObjects } from '../../src/voice-platform/embedded/store/table.ts'
import { webhookDeliveries } from '../../src/webhooks/table.ts'
import { callerOf } from '../agents/caller.ts'
import { endedCall, keepCalls, newAssistant } from '../calls/call.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'

let app: TestApp
let user: TestUser
const forEver = { audit: 0, messages: 0, calls: 0, versions: 0, deliveries: 0, drift: 0 }

beforeAll(async () => {
  app = await testApp({ database: await freshDatabase() })
  user = await newUser(app.database)
})
afterAll(() => app.database.close())

const idsOf = async (table: PgTable, id: PgColumn) =>
  (await app.database.db.select({ id }).from(table).orderBy(asc(id))).map((row) => row.id)

/** Makes the first of them ten days old. */
async function age(table: PgTable, id: PgColumn, column: string, count: number): Promise<unknown[]> {
  const ids = await idsOf(table, id)
  const old = ids.slice(0, count)
  for (const one of old) {
    await app.database.db.execute(
      sql`update ${table} set ${sql.identifier(column)} = now() - interval '10 days' where ${id} = ${one}`,
    )
  }
  return ids.slice(count)
}

async function expectPurged(kind: keyof typeof forEver, table: PgTable, id: PgColumn, kept: unknown[], count: number) {
  expect(await purgeOld(app.database.db, { ...forEver, [kind]: 11 })).toEqual({})
  expect(await purgeOld(app.database.db, { ...forEver, [kind]: 9 })).toEqual({ [kind]: count })
  expect(await idsOf(table, id)).toEqual(kept)
}

test('nothing goes unless it is asked for', async () => {
  expect(await purgeOld(app.database.db, forEver)).toEqual({})
})

test('audit entries', async () => {
  const admin = await newUser(app.database, { role: 'admin' })
  for (const name of ['One', 'Two', 'Three']) {
    await app.send('POST', '/admin/workspaces', { token: admin.token, body: { name } })
  }
  await expectPurged(
    'audit',
    auditEntries,
    auditEntries.id,
    await age(auditEntries, auditEntries.id, 'created_at', 2),
    2,
  )
})

test('messages; their chats stay', async () => {
  const caller = callerOf(app, user.token)
  const agentId = await caller.agent()
  const chatId = await caller.chat(agentId)
  const path = `/agents/${agentId}/chats/${chatId}`
  for (const content of ['Hello', 'Hello again']) await caller.post(`${path}/messages`, { content })
  await expectPurged('messages', messages, messages.id, await age(messages, messages.id, 'created_at', 2), 2)
  expect((await caller.get(`${path}/messages`)).body.data).toHaveLength(2)
})

test('versions, but never the newest of an assistant', async () => {
  const { assistantId } = await newAssistant(app, user)
  for (const name of ['Second', 'Third']) {
    await app.send('PUT', `/assistants/${assistantId}`, { token: user.token, body: { name } })
  }
  const table = assistantVersions
  const ids = await idsOf(table, table.id)
  await age(table, table.id, 'created_at', 3)
  await expectPurged('versions', table, table.id, ids.slice(2), 2)
})

test('calls of the embedded platform, with what is known of them', async () => {
  const { liveId } = await newAssistant(app, user)
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const calls = [20, 10, 1].map((days) => endedCall(liveId, daysAgo(days), 60))
  await keepCalls(app, calls)
  expect(await purgeOld(app.database.db, { ...forEver, calls: 9 })).toEqual({ calls: 2 })
  const left = await app.database.db
    .select({ id: platformObjects.id })
    .from(platformObjects)
    .where(eq(platformObjects.kind, 'call'))
  expect(left).toEqual([{ id: calls[2]?.id }])
})

test('webhooks that were delivered or given up, none that is still to be sent', async () => {
  const { db } = app.database
  const table = webhookDeliveries
  const row = {
    ...{ callId: crypto.randomUUID(), address: 'https://receiver.example', request: '', payload: {} },
    ...{ timeoutSeconds: 20, backoffPlan: { type: 'fixed' as const, maxRetries: 1, baseDelaySeconds: 1 } },
    maxAttempts: 2,
  }
  const old = sql`now() - interval '10 days'`
  await db.insert(table).values([
    { ...row, type: 'delivered', status: 'delivered', updatedAt: old },
    { ...row, type: 'dead', status: 'dead', updatedAt: old },
    { ...row, type: 'pending', status: 'pending', updatedAt: old },
    { ...row, type: 'recent', status: 'dead' },
  ])
  expect(await purgeOld(db, { ...forEver, deliveries: 9 })).toEqual({ deliveries: 2 })
  const left = await db.select({ type: table.type }).from(table).orderBy(asc(table.sequence))
  expect(left).toEqual([{ type: 'pending' }, { type: 'recent' }])
})

test('differences from the live platform that have ended, none that is open', async () => {
  const { db } = app.database
  const row = { kind: 'assistant', difference: 'changed' as const, leaves: '', digest: '' }
  const ended = { ...row, state: 'resolved' as const, resolution: 'vanished' as const }
  const old = sql`now() - interval '10 days'`
  const olds = Array.from({ length: 150 }, (_, at) => ({ ...ended, liveId: `${at}`, name: 'old', resolvedAt: old }))
  await db
    .insert(drifts)
    .values([
      ...olds,
      { ...ended, liveId: 'ended', name: 'found long ago, ended now', foundAt: old, resolvedAt: sql`now()` },
      { ...row, liveId: 'open', name: 'open', foundAt: old, changedAt: old },
    ])
  expect(await purgeOld(db, { ...forEver, drift: 11 })).toEqual({})
  expect(await purgeOld(db, { ...forEver, drift: 9 })).toEqual({ drift: 150 })
  const left = await db.select({ liveId: drifts.liveId }).from(drifts).orderBy(asc(drifts.id))
  expect(left).toEqual([{ liveId: 'ended' }, { liveId: 'open' }])
})

test('rows go a batch at a time, all of them', async () => {
  const { db, sql: driver } = app.database
  await driver`create table piled (id int primary key)`
  onTestFinished(async () => {
    await driver`drop table piled`
  })
  await driver`insert into piled select generate_series(1, 25)`
  const piled = pgTable('piled', { id: integer('id').primaryKey() })
  expect(await purge(db, { table: piled, id: piled.id, which: sql`id <= 20` }, 7)).toBe(20)
  expect(await purge(db, { table: piled, id: piled.id, which: sql`id <= 23`, inOrder: true }, 2)).toBe(3)
  expect(await driver`select count(*) from piled`).toEqual([{ count: 2 }])
})
