import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseHandle, Executor } from '../../src/db/client.ts'
import { clearLeases, LeaseLostError, LeaseTimeoutError, tryLease, withLease } from '../../src/db/lease/lease.ts'
import { isNoneFound } from '../../src/db/one-found.ts'
import { leases } from '../../src/db/tables.ts'
import { freshDatabase, newDatabase, onServer, testDatabase } from '../support/database.ts'

let handle: DatabaseHandle
let key: string

beforeAll(async () => {
  handle = await testDatabase()
})
beforeEach(() => {
  key = `test:${randomUUID()}`
})

const patient = { ttlMs: 10_000, waitMs: 10_000 }
const row = async () => (await handle.db.select().from(leases).where(eq(leases.key, key)))[0]

/** Makes the lease another process's, for `seconds` from now. */
async function occupy(seconds: number): Promise<void> {
  const expiresAt = sql`now() + ${seconds} * interval '1 second'`
  await handle.db
    .insert(leases)
    .values({ key, owner: 'another process', expiresAt })
    .onConflictDoUpdate({ target: leases.key, set: { owner: 'another process', expiresAt } })
}

describe('within this process', () => {
  test('fifty writers of one key take turns, in order', async () => {
    const order: number[] = []
    let inside = 0
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        withLease(handle.db, key, patient, async () => {
          expect(++inside).toBe(1)
          await Promise.resolve()
          order.push(i)
          inside--
        }),
      ),
    )
    expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i))
    expect(await row()).toBeUndefined()
  })

  test('other keys do not wait', async () => {
    await withLease(handle.db, key, patient, () =>
      withLease(handle.db, `${key}:other`, { ttlMs: 10_000, waitMs: 0 }, async () => {}),
    )
  })

  test('the outcome of the work is passed on, and the lease given back either way', async () => {
    expect(await withLease(handle.db, key, patient, async (lease) => lease.key)).toBe(key)
    const failing = withLease(handle.db, key, patient, () => Promise.reject(new Error('work failed')))
    await expect(failing).rejects.toThrow('work failed')
    expect(await row()).toBeUndefined()
  })

  test('one who gives up leaves the queue without letting the next one in early', async () => {
    const first = Promise.withResolvers<void>()
    const steps: string[] = []
    const holder = withLease(handle.db, key, patient, async () => {
      await first.promise
      steps.push('first')
    })
    const impatient = withLease(handle.db, key, { ...patient, waitMs: 30 }, async () => void steps.push('impatient'))
    const next = withLease(handle.db, key, patient, async () => void steps.push('next'))
    await expect(impatient).rejects.toThrow(LeaseTimeoutError)
    await Bun.sleep(30)
    expect(steps).toEqual([])
    first.resolve()
    await Promise.all([holder, next])
    expect(steps).toEqual(['first', 'next'])
  })
})

describe('against another process', () => {
  test('a held lease is waited for, then given up', async () => {
    await occupy(60)
    await expect(withLease(handle.db, key, { ...patient, waitMs: 80 }, async () => {})).rejects.toThrow(
      `The lease ${key} was not free in time`,
    )
    expect((await row())?.owner).toBe('another process')
  })

  test('waiting ends with the reason of the signal', async () => {
    await occupy(60)
    const signal = AbortSignal.timeout(30)
    const waiting = withLease(handle.db, key, { ...patient, signal }, async () => {})
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('a lease is had as soon as the other gives it back, or lets it run out', async () => {
    await occupy(60)
    const waiting = withLease(handle.db, key, patient, async () => 'after it was given back')
    await Bun.sleep(30)
    await handle.db.delete(leases).where(eq(leases.key, key))
    expect(await waiting).toBe('after it was given back')
    await occupy(0.1)
    expect(await withLease(handle.db, key, patient, async () => 'after it ran out')).toBe('after it ran out')
  })

  test('trying does not wait', async () => {
    await occupy(60)
    expect(await tryLease(handle.db, key, { ttlMs: 1000 }, async () => 'done')).toEqual({ acquired: false })
    await occupy(-1)
    expect(await tryLease(handle.db, key, { ttlMs: 1000 }, async () => 'done')).toEqual({
      acquired: true,
      value: 'done',
    })
  })
})

describe('while it is held', () => {
  test('it is renewed beyond its first end', async () => {
    await withLease(handle.db, key, { ttlMs: 300, waitMs: 0 }, async (lease) => {
      const start = await row()
      await Bun.sleep(450)
      expect(await tryLease(handle.db, key, { ttlMs: 300 }, async () => {})).toEqual({ acquired: false })
      expect(await lease.held()).toBe(true)
      expect((await row())?.expiresAt.getTime()).toBeGreaterThan(start?.expiresAt.getTime() ?? Infinity)
      expect(lease.signal.aborted).toBe(false)
    })
  })

  test('a lost one says so, cannot save, and is not taken from its new owner', async () => {
    await withLease(handle.db, key, { ttlMs: 90, waitMs: 0 }, async (lease) => {
      await handle.db.transaction((tx) => lease.assertHeld(tx))
      await occupy(60)
      expect(await lease.held()).toBe(false)
      await expect(handle.db.transaction((tx) => lease.assertHeld(tx))).rejects.toThrow(LeaseLostError)
      // The renewal may have found out already.
      if (!lease.signal.aborted) await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
      expect(lease.signal.reason).toBeInstanceOf(LeaseLostError)
    })
    expect((await row())?.owner).toBe('another process')
  })

  test('an asserted one cannot be taken before the transaction ends', async ({ skip }) => {
    if (!onServer()) return skip('needs two connections')
    const steps: string[] = []
    const taken = await withLease(handle.db, key, patient, (lease) =>
      handle.db.transaction(async (tx) => {
        await lease.assertHeld(tx)
        const taking = occupy(60).then(() => steps.push('taken'))
        await Bun.sleep(100)
        steps.push('saved')
        return { taking }
      }),
    )
    await taken.taking
    expect(steps).toEqual(['saved', 'taken'])
  })
})

describe.each([true, false])('ended with what it saves, statements prepared: %s', (prepare) => {
  let own: DatabaseHandle
  beforeEach(async () => {
    own = await newDatabase({ prepare })
    await own.sql`create table notes (text text primary key)`
    await own.sql`create table replies (note text references notes deferrable initially deferred)`
  })
  afterEach(() => own.close())

  const insert = (executor: Executor, text: string) =>
    executor.execute<{ text: string }>(sql`insert into notes (text) values (${text}) returning text`)
  const reply = (executor: Executor, text: string) => executor.execute(sql`insert into replies (note) values (${text})`)
  const notes = async () => (await own.sql`select text from notes`).map(({ text }) => text)
  const isFree = async () => (await tryLease(own.db, key, { ttlMs: 60_000 }, async () => {})).acquired

  test('it is free, and gives what the statements gave', async () => {
    const saved = await withLease(own.db, key, patient, async (lease) => {
      const [first, second] = await lease.endWith((executor) => [insert(executor, 'a'), insert(executor, 'b')])
      expect(await lease.held()).toBe(false)
      return [...first, ...second]
    })
    expect(saved).toEqual([{ text: 'a' }, { text: 'b' }])
    expect([await notes(), await isFree()]).toEqual([['a', 'b'], true])
  })

  test.each<[string, (executor: Executor) => Promise<unknown>[]]>([
    ['a statement is refused', (executor) => [insert(executor, 'a'), insert(executor, 'a')]],
    ['a statement cannot be sent', (executor) => [insert(executor, 'a'), Promise.reject(new Error('not sent'))]],
    ['the commit is refused', (executor) => [insert(executor, 'a'), reply(executor, 'other')]],
  ])('it is given back where %s, with nothing saved', async (_what, ask) => {
    await withLease(own.db, key, patient, async (lease) => {
      await expect(lease.endWith(ask)).rejects.toThrow()
      expect(await lease.held()).toBe(true)
    })
    expect([await notes(), await isFree()]).toEqual([[], true])
  })

  test("nothing is saved where it is another's by now", async () => {
    await withLease(own.db, key, patient, async (lease) => {
      await own.db.update(leases).set({ owner: 'another process' }).where(eq(leases.key, key))
      const failure = await lease.endWith((executor) => [insert(executor, 'a')]).catch((error: unknown) => error)
      expect(isNoneFound(failure)).toBe(true)
    })
    expect([await notes(), await isFree()]).toEqual([[], false])
  })
})

test('clearing frees what a killed process held', async () => {
  const own = await freshDatabase()
  await own.db.insert(leases).values({ key, owner: 'killed', expiresAt: sql`now() + interval '1 hour'` })
  await clearLeases(own.db)
  expect(await withLease(own.db, key, { ttlMs: 1000, waitMs: 0 }, async () => 'free')).toBe('free')
  await own.close()
})
