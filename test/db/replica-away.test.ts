import pino from 'pino'
import { expect, test } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { createReplica } from '../../src/db/replica.ts'
import { systemTimers } from '../../src/runtime/timers.ts'

const databaseWith = (execute: () => Promise<unknown>) => ({ execute }) as unknown as Database

test('a standby that is away is told once, then at growing intervals, and that it is back', async () => {
  let ms = 0
  let isAway = true
  const logged: { event: string; setting: string; err?: { message: string } }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) })
  const standby = databaseWith(async () => {
    if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    return [{ position: 1 }]
  })
  const primary = databaseWith(async () => [{ position: 1 }])
  const replica = createReplica(primary, { db: standby }, { ...systemTimers, now: () => ms }, log)
  const readOn = () => replica.read(async (db) => (db === standby ? 'standby' : 'primary'))
  for (; ms < 40_000; ms += 2_000) expect(await readOn()).toBe('primary')
  expect(logged.map(({ event, setting }) => [event, setting])).toEqual(
    [1, 2, 3].map(() => ['replica_away', 'DATABASE_REPLICA_URL']),
  )
  expect(logged[0]?.err?.message).toBe('connect ECONNREFUSED')
  isAway = false
  expect(await readOn()).toBe('standby')
  expect(logged.map(({ event }) => event).at(-1)).toBe('replica_back')
})
