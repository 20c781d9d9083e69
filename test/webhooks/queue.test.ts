import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { createPoller } from '../../src/db/work/poller.ts'
import type { GuardedFetch } from '../../src/outgoing/guarded-fetch.ts'
import { OutgoingError } from '../../src/outgoing/refusal.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createVault } from '../../src/secrets/vault.ts'
import { nextDelivery } from '../../src/webhooks/choice.ts'
import { webhookOutbox } from '../../src/webhooks/outbox.ts'
import { createWebhookQueue } from '../../src/webhooks/queue.ts'
import { webhookDeliveries } from '../../src/webhooks/table.ts'
import { freshDatabase } from '../support/database.ts'

const vault = createVault({ current: new Uint8Array(32).fill(7) })
let database: DatabaseHandle

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.delete(webhookDeliveries)
})

const queueWith = (outgoing: GuardedFetch, maxAtOnce?: number) =>
  createWebhookQueue({
    chance: () => 0.5,
    db: database.db,
    log: pino({ level: 'silent' }),
    clock: systemClock,
    vault,
    outgoing,
    credentials: new Map(),
    isGranted: async () => false,
    maxAtOnce,
  })

/** A queue that sends to a receiver which never responds. */
async function sendingForEver() {
  const began = Promise.withResolvers<void>()
  const queue = queueWith((_url, { signal }) => {
    began.resolve()
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  void queue.work.run()
  await began.promise
  return queue
}

const messageOf = (callId: string, assistantId: string, message: { type: string; prompt?: string }) => ({
  type: message.type,
  callId,
  assistantId,
  phoneNumberId: undefined,
  url: 'https://receiver.example/hook',
  headers: {},
  timeoutSeconds: 20,
  backoffPlan: { type: 'fixed' as const, maxRetries: 2, baseDelaySeconds: 10 },
  body: { message },
})

/** Queues the webhooks of a call, by their types. */
const enqueue = (callId: string, ...types: string[]) => enqueueFor(0, callId, ...types)

/** The same for a call of a workspace. */
async function enqueueFor(workspaceId: number, callId: string, ...types: string[]): Promise<void> {
  const assistantId = crypto.randomUUID()
  const workspaces = new Map([[assistantId, workspaceId]])
  const messages = types.map((type) => messageOf(callId, assistantId, { type }))
  await database.db.transaction((tx) => webhookOutbox(vault, async () => workspaces)(tx, messages))
}

const rows = () => database.db.select().from(webhookDeliveries).orderBy(webhookDeliveries.sequence)

test('those of a call that tells much are stored a few at a time, in their order', async () => {
  const prompt = 'word '.repeat(20_000)
  const types = Array.from({ length: 20 }, (_, n) => `t${n}`)
  const callId = crypto.randomUUID()
  const messages = types.map((type) => messageOf(callId, crypto.randomUUID(), { type, prompt }))
  const statements = await database.db.transaction(async (tx) => {
    const insert = vi.spyOn(tx, 'insert')
    await webhookOutbox(vault, async () => new Map())(tx, messages)
    return insert.mock.calls.length
  })
  expect(statements).toBe(types.length / 2)
  expect((await rows()).map(({ type, payload }) => [type, payload])).toEqual(
    types.map((type) => [type, { message: { type, prompt } }]),
  )
})

test('those of one call are first tried one after the other, and one that fails holds up no other', async () => {
  const calls = [crypto.randomUUID(), crypto.randomUUID()] as const
  await enqueue(calls[0], 'a1', 'a2', 'a3')
  await enqueue(calls[1], 'b1', 'b2')
  const underWay = new Set<string>()
  const sent: string[] = []
  const overlaps: string[] = []
  await queueWith(async (_url, { body }) => {
    const { type } = JSON.parse(String(body)).message
    if ([...underWay].some((other) => other[0] === type[0])) overlaps.push(type)
    underWay.add(type)
    await Bun.sleep(5)
    underWay.delete(type)
    sent.push(type)
    return new Response(null, { status: type === 'a1' ? 500 : 200 })
  }).drain()
  expect(overlaps).toEqual([])
  expect(sent.filter((type) => type.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
  expect(sent.filter((type) => type.startsWith('b'))).toEqual(['b1', 'b2'])
  expect((await rows()).map(({ type, status }) => [type, status])).toEqual([
    ['a1', 'pending'],
    ['a2', 'delivered'],
    ['a3', 'delivered'],
    ['b1', 'delivered'],
    ['b2', 'delivered'],
  ])
})

test('a stop breaks off what is being sent, and leaves it due', async () => {
  await enqueue(crypto.randomUUID(), 'hanging')
  const queue = await sendingForEver()
  await queue.stop()
  expect(await rows()).toMatchObject([{ status: 'pending', attempts: 0, owner: null }])
})

test('what a killed process held is sent at once where no other can be at work, and in time otherwise', async () => {
  await enqueue(crypto.randomUUID(), 'held')
  const inAMinute = sql`now() + interval '1 minute'`
  const hold = () => database.db.update(webhookDeliveries).set({ owner: crypto.randomUUID(), dueAt: inAMinute })
  let count = 0
  const answer: GuardedFetch = async () => {
    count++
    return new Response()
  }
  await hold()
  const other = queueWith(answer)
  await other.prepare(false)
  await other.drain()
  await other.stop()
  expect(count).toBe(0)
  const alone = queueWith(answer)
  await alone.prepare(true)
  await alone.drain()
  await expect.poll(() => count).toBe(1)
  await alone.stop()
})

test('what ends its process each time is given up', async () => {
  await enqueue(crypto.randomUUID(), 'deadly')
  const sent: string[] = []
  const queue = queueWith(async (url) => {
    sent.push(String(url))
    return new Response()
  })
  const dies = () =>
    database.db.update(webhookDeliveries).set({ owner: crypto.randomUUID(), dueAt: sql`now() - interval '1 second'` })
  for (const attempts of [1, 2, 3]) {
    await dies()
    await queue.prepare(true)
    expect(await rows()).toMatchObject([{ status: 'pending', attempts, owner: null }])
  }
  await dies()
  await queue.drain()
  const lastError = 'The server ended each time while this was sent.'
  expect([sent, await rows()]).toMatchObject([[], [{ status: 'dead', attempts: 5, lastError, owner: null }]])
})

test('receivers of one workspace that stay silent hold up no other', async () => {
  for (let call = 0; call < 120; call++) await enqueueFor(1 + (call % 4), crypto.randomUUID(), 'silent')
  const asked: string[] = []
  const delivered = Promise.withResolvers<void>()
  const queue = queueWith((_url, { body, signal }) => {
    const { type } = JSON.parse(String(body)).message
    asked.push(type)
    if (type === 'told') delivered.resolve()
    if (type === 'told') return Promise.resolve(new Response(null, { status: 200 }))
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  const poller = createPoller({ db: database.db, log: pino({ level: 'silent' }), kinds: [queue.work] })
  poller.start()
  await Bun.sleep(300)
  expect(asked.length).toBeLessThan(64)
  const started = performance.now()
  await enqueueFor(9, crypto.randomUUID(), 'told')
  poller.wake()
  await delivered.promise
  expect(performance.now() - started).toBeLessThan(5_000)
  const stopped = poller.stop()
  await queue.stop()
  await stopped
})

test('every workspace with something due is served in turn, whoever was first', async () => {
  for (const workspace of [1, 2, 3]) {
    for (let call = 0; call < 20; call++) await enqueueFor(workspace, crypto.randomUUID(), String(workspace))
  }
  const sent: string[] = []
  const outgoing: GuardedFetch = async (_url, { body }) => {
    sent.push(JSON.parse(String(body)).message.type)
    return new Response(null, { status: 200 })
  }
  await queueWith(outgoing, 4).drain()
  expect(sent).toHaveLength(60)
  expect(new Set(sent.slice(0, 3))).toEqual(new Set(['1', '2', '3']))
})

test('what a killed process was sending is due again within ten seconds, however long its receiver may take', async () => {
  await enqueue(crypto.randomUUID(), 'held')
  const queue = await sendingForEver()
  const ms = sql<number>`(extract(epoch from ${webhookDeliveries.dueAt} - now()) * 1000)::float8`
  const [row] = await database.db.select({ ms }).from(webhookDeliveries)
  expect(row?.ms).toBeLessThan(10_000)
  await queue.stop()
})

test('one whose headers cannot be sent is given up at once, and says so', async () => {
  await enqueue(crypto.randomUUID(), 'a')
  await queueWith(async () => {
    throw new OutgoingError('unsendable_headers')
  }).drain()
  expect(await rows()).toMatchObject([
    { status: 'dead', attempts: 1, lastError: 'The URL is asked with headers that cannot be sent.' },
  ])
})

test('when the next is due is found without looking at all that wait', async () => {
  await database.db.execute(sql`
    insert into webhook_deliveries (workspace_id, call_id, type, address, request, payload, timeout_seconds, backoff_plan,
      most_attempts, due_at)
    select n % 20, gen_random_uuid(), 'status-update', 'https://receiver.example', '', '{}', 20, '{}', 2,
      now() + n * interval '1 second'
    from generate_series(1, 2000) n`)
  await database.db.execute(sql`analyze webhook_deliveries`)
  const plan = JSON.stringify(await database.db.execute(sql`explain (costs off) select ${nextDelivery}`))
  expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/)
})
