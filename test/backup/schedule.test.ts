import { sql } from 'drizzle-orm'
import pino from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { backupSchedule } from '../../src/backup/schedule.ts'
import { backups } from '../../src/backup/table.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { testDatabase } from '../support/database.ts'

let database: DatabaseHandle
/** What is to happen after so many milliseconds. */
const waiting = new Map<() => void, number>()
const timers = {
  after(ms: number, run: () => void) {
    waiting.set(run, ms)
    return () => waiting.delete(run)
  },
}
const log = pino({ level: 'silent' })

beforeEach(async () => {
  database = await testDatabase()
  await database.db.delete(backups)
})

const instance = (make: (signal: AbortSignal) => Promise<string>, hours = 6) =>
  backupSchedule({ db: database.db, log, hours, timers, make })
// A second ago: now itself could be rounded up to a millisecond that is not over yet.
const makeDue = () => database.db.update(backups).set({ dueAt: sql`now() - interval '1 second'` })
const row = async () => {
  const [found] = await database.db
    .select({
      archive: backups.archive,
      lastError: backups.lastError,
      owner: backups.owner,
      finished: sql<boolean>`${backups.finishedAt} is not null`,
      minutes: sql<number>`round(extract(epoch from ${backups.dueAt} - now()) / 60)::int`,
    })
    .from(backups)
  return found
}

test('the first backup is made when its time has come, and a shorter interval holds at once', async () => {
  const none = instance(() => Promise.reject(new Error('not due')))
  await none.prepare?.(false)
  await none.work.run()
  expect(await row()).toMatchObject({ minutes: 360, archive: null, finished: false })
  await instance(() => Promise.reject(new Error('not due')), 1).prepare?.(false)
  expect(await row()).toMatchObject({ minutes: 60 })
})

test('one of several instances makes it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  let made = 0
  const make = () => {
    made++
    return promise
  }
  const [one, other] = [instance(make), instance(make)]
  await one.prepare?.(false)
  await makeDue()
  const running = [one.work.run(), other.work.run()]
  await expect.poll(() => made).toBe(1)
  resolve('/backups/one.tar.gz')
  await Promise.all(running)
  expect(made).toBe(1)
  expect(await row()).toMatchObject({
    ...{ archive: '/backups/one.tar.gz', lastError: null, owner: null },
    ...{ finished: true, minutes: 360 },
  })
})

test('one that fails says why, and is tried again', async () => {
  const failing = instance(() => Promise.reject(new Error('No space left on the device')))
  await failing.prepare?.(false)
  await makeDue()
  await failing.work.run()
  expect(await row()).toMatchObject({ lastError: 'No space left on the device', owner: null, minutes: 15 })
})

test('one that a stop ends is left to others', async () => {
  const stopping = instance(
    (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  await stopping.prepare?.(false)
  await makeDue()
  const running = stopping.work.run()
  await expect.poll(async () => (await row())?.owner).not.toBeNull()
  await stopping.stop()
  await running
  expect(await row()).toMatchObject({ owner: null, minutes: 0, lastError: null })
})

test('one that goes on for half a day is ended, and tried again like one that failed', async () => {
  const hanging = instance(
    (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  await hanging.prepare?.(false)
  await makeDue()
  const running = hanging.work.run()
  await expect.poll(() => [...waiting.values()]).toEqual([12 * 60 * 60_000])
  for (const end of waiting.keys()) end()
  await running
  const lastError = 'The backup took more than 12 hours.'
  expect(await row()).toMatchObject({ owner: null, minutes: 15, lastError })
  expect(waiting.size).toBe(0)
})
