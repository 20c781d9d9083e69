import { eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { ClaimLostError, type WorkTable, workOn } from '../../src/db/work/claim.ts'
import { createPoller, type WorkKind } from '../../src/db/work/poller.ts'
import { agents } from '../../src/resources/agents/table.ts'
import { storedDeletions } from '../../src/resources/deletions/table.ts'
import { knowledgeFiles } from '../../src/resources/files/table.ts'
import { phoneNumberPurchases, phoneNumbers } from '../../src/resources/phone-numbers/table.ts'
import { liveWrites, nobody } from '../../src/voice-platform/mirror/journal/table.ts'
import { webhookDeliveries } from '../../src/webhooks/table.ts'
import { newUser, type TestUser } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'

let database: DatabaseHandle
let user: TestUser
let agentId: number

beforeAll(async () => {
  database = await freshDatabase()
  user = await newUser(database)
  const [agent] = await database.db
    .insert(agents)
    .values({ agentId: crypto.randomUUID(), name: 'Guide', ownerId: user.userId, lastActivityAt: new Date() })
    .returning({ id: agents.id })
  agentId = agent?.id ?? 0
})
afterAll(() => database.close())

const leaseMs = 60_000
const due = sql`now() - interval '1 second'`
const owners = () => ({
  userId: user.userId,
  createdBy: user.userId,
  workspaceId: user.workspaceId,
  resellerId: user.resellerId,
})
const anyNumber = () => `+1${Math.floor(Math.random() * 9e9 + 1e9)}`

/** One table of work: how it is described, and a row of it that is due. */
interface Case {
  name: string
  work: WorkTable<PgTable>
  add(): Promise<unknown>
}

const entry = <Table extends PgTable>(name: string, work: WorkTable<Table>, add: () => Promise<unknown>): Case => ({
  name,
  work: work as unknown as WorkTable<PgTable>,
  add,
})

const cases: Case[] = [
  entry('unfinished live writes', { ...pick(liveWrites), leaseMs, nobody }, async () =>
    database.db.insert(liveWrites).values({
      id: crypto.randomUUID(),
      kind: 'assistant',
      ref: crypto.randomUUID(),
      action: 'update',
      owner: nobody,
      dueAt: due,
    }),
  ),
  entry(
    'phone numbers',
    {
      table: phoneNumbers,
      id: phoneNumbers.id,
      dueAt: phoneNumbers.syncDueAt,
      owner: phoneNumbers.syncOwner,
      attempts: phoneNumbers.syncAttempts,
      lastError: phoneNumbers.syncError,
      leaseMs,
    },
    async () =>
      database.db.insert(phoneNumbers).values({
        phoneNumber: anyNumber(),
        purchaseRef: crypto.randomUUID(),
        carrierId: crypto.randomUUID(),
        status: 'owned',
        provider: 'twilio',
        hooks: [],
        smsEnabled: false,
        smsCapable: false,
        staticIpEnabled: false,
        syncDueAt: due,
        ...owners(),
      }),
  ),
  entry('purchases', { ...pick(phoneNumberPurchases), id: phoneNumberPurchases.phoneNumber, leaseMs }, async () =>
    database.db
      .insert(phoneNumberPurchases)
      .values({ phoneNumber: anyNumber(), ref: crypto.randomUUID(), dueAt: due, ...owners() }),
  ),
  entry('webhooks', { ...pick(webhookDeliveries), open: eq(webhookDeliveries.status, 'pending'), leaseMs }, async () =>
    database.db.insert(webhookDeliveries).values({
      callId: crypto.randomUUID(),
      type: 'status-update',
      address: 'https://receiver.example',
      request: '',
      payload: {},
      timeoutSeconds: 20,
      backoffPlan: { type: 'fixed', maxRetries: 1, baseDelaySeconds: 1 },
      maxAttempts: 2,
      workspaceId: user.workspaceId,
      dueAt: due,
    }),
  ),
  entry(
    'files to index',
    {
      table: knowledgeFiles,
      id: knowledgeFiles.id,
      dueAt: knowledgeFiles.dueAt,
      owner: knowledgeFiles.owner,
      attempts: knowledgeFiles.attempts,
      open: eq(knowledgeFiles.indexState, 'pending'),
      leaseMs,
    },
    async () =>
      database.db.insert(knowledgeFiles).values({
        agentId,
        originalName: 'a.txt',
        mime: 'text/plain',
        size: 1,
        storageKey: crypto.randomUUID(),
        extractable: true,
        extracted: true,
        indexState: 'pending',
        dueAt: due,
        createdAt: new Date(),
      }),
  ),
  entry(
    'objects to delete',
    {
      table: storedDeletions,
      id: storedDeletions.key,
      dueAt: storedDeletions.dueAt,
      owner: storedDeletions.owner,
      attempts: storedDeletions.attempts,
      leaseMs,
    },
    async () => database.db.insert(storedDeletions).values({ key: crypto.randomUUID(), dueAt: due }),
  ),
]

/** The columns that most of the tables call the same. */
function pick<Table extends typeof liveWrites | typeof phoneNumberPurchases | typeof webhookDeliveries>(table: Table) {
  const { dueAt, owner, attempts, lastError } = table
  return { table, id: 'id' in table ? table.id : table.phoneNumber, dueAt, owner, attempts, lastError }
}

describe.each(cases)('$name', ({ work, add }) => {
  const queue = workOn(work)
  beforeEach(async () => {
    await database.db.delete(work.table)
  })
  const claimOne = async () => {
    const [row] = await queue.claim(database.db, 1)
    if (!row) throw new Error('Nothing was due')
    return row
  }
  /** Lets the claims run out, as time would. */
  const runOut = () => database.db.execute(sql`update ${work.table} set ${sql.identifier(work.dueAt.name)} = ${due}`)
  const dueInMs = async () => {
    const [row] = await database.db.execute<{ ms: number | null }>(
      sql`select (extract(epoch from ${queue.nextDue} - now()) * 1000)::float8 as ms`,
    )
    return row?.ms ?? undefined
  }

  test('of many who claim at once, each gets rows of its own', async () => {
    for (let count = 0; count < 6; count++) await add()
    const claimed = await Promise.all([1, 2, 3].map(() => queue.claim(database.db, 3)))
    const keys = claimed.flat().map(queue.keyOf)
    expect([keys.length, new Set(keys).size]).toEqual([6, 6])
    expect(await queue.claim(database.db, 1)).toEqual([])
  })

  test('a claim outlives its lease only when it is renewed, and what was taken over cannot be saved', async () => {
    await add()
    const first = await claimOne()
    await runOut()
    expect(await queue.renew(database.db, first)).toBe(true)
    expect(await queue.claim(database.db, 1)).toEqual([])
    await runOut()
    const second = await claimOne()
    expect(await queue.renew(database.db, first)).toBe(false)
    await expect(queue.release(database.db, first)).rejects.toThrow(ClaimLostError)
    await expect(queue.backOff(database.db, first, 'late')).rejects.toThrow(ClaimLostError)
    await queue.release(database.db, second)
    expect(queue.keyOf(await claimOne())).toBe(queue.keyOf(second))
  })

  test('work keeps its claim for as long as it takes', async () => {
    await add()
    const row = await claimOne()
    await runOut()
    await workOn({ ...work, leaseMs: 900 }).keeping(database.db, row, async () => {
      await expect.poll(async () => (await dueInMs()) ?? 0, { timeout: 60_000 }).toBeGreaterThan(0)
    })
    await queue.release(database.db, row)
  })

  test('what is released is due at that moment, not a part of a millisecond later', async () => {
    await add()
    for (let time = 0; time < 50; time++) await queue.release(database.db, await claimOne())
  })

  test('the pause grows with each failure, and the next one to be done is known', async () => {
    expect(await dueInMs()).toBeUndefined()
    await add()
    expect(await dueInMs()).toBeLessThanOrEqual(0)
    const pauses: number[] = []
    for (let failures = 0; failures < 3; failures++) {
      await queue.backOff(database.db, await claimOne(), 'the reason')
      pauses.push((await dueInMs()) ?? 0)
      await runOut()
    }
    for (const [index, wanted] of [1_000, 2_000, 4_000].entries()) {
      expect(pauses[index]).toBeGreaterThan(wanted - 900)
      // The column has milliseconds, rounded.
      expect(pauses[index]).toBeLessThanOrEqual(wanted + 1)
    }
  })

  test('a start alone on the database ends every claim', async () => {
    await add()
    const row = await claimOne()
    await queue.releaseAll(database.db)
    expect(await queue.renew(database.db, row)).toBe(false)
    expect(queue.keyOf(await claimOne())).toBe(queue.keyOf(row))
  })
})

describe('the poller', () => {
  const log = pino({ level: 'silent' })
  const kindOf = (name: string, nextDue: string, run: () => Promise<void>): WorkKind => ({
    name,
    nextDue: sql<Date | null>`(${sql.raw(nextDue)})::timestamptz`,
    run,
  })

  test('asks once for all kinds, runs what is due, and wakes when the next is', async () => {
    const ran: string[] = []
    const began = performance.now()
    let laterMs = 0
    let statements = 0
    const counting = new Proxy(database.db, {
      get(target, name) {
        if (name === 'execute') statements++
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const soon = new Date(Date.now() + 400).toISOString()
    const poller = createPoller({
      db: counting,
      log,
      kinds: [
        kindOf('now', 'now()', async () => {
          ran.push('now')
        }),
        kindOf('later', `case when now() < '${soon}'::timestamptz + interval '300 ms' then '${soon}' end`, async () => {
          if (!ran.includes('later')) laterMs = performance.now() - began
          ran.push('later')
        }),
        kindOf('never', 'null', async () => {
          ran.push('never')
        }),
      ],
    })
    poller.start()
    await expect.poll(() => ran.includes('later'), { timeout: 30_000 }).toBe(true)
    await poller.stop()
    expect(ran).toContain('now')
    expect(ran).not.toContain('never')
    expect(laterMs).toBeGreaterThanOrEqual(300)
    const before = statements
    await Bun.sleep(50)
    expect(statements).toBe(before)
  })

  test('work that fails is logged and looked at again, and a stop waits for what runs', async () => {
    let tries = 0
    const ended: string[] = []
    const poller = createPoller({
      db: database.db,
      log,
      kinds: [
        kindOf('failing', "now() - interval '1 hour'", async () => {
          tries++
          if (tries === 1) throw new Error('broken')
          await Bun.sleep(50)
          ended.push('second')
        }),
      ],
    })
    poller.start()
    await expect.poll(() => tries, { timeout: 30_000 }).toBe(2)
    await poller.stop()
    expect(ended).toEqual(['second'])
  })
})
