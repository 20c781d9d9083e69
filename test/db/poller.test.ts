import { sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, test } from 'vitest'
import { createPoller } from '../../src/db/work/poller.ts'
import { testDatabase } from '../support/database.ts'

/** Time that stands still until it is moved to the next poll. */
function testTimer() {
  let now = 0
  let next: { at: number; run: () => void } | undefined
  return {
    now: () => now,
    after(ms: number, run: () => void) {
      next = { at: now + ms, run }
      return () => {
        next = undefined
      }
    },
    /** How long the poller wants to wait; undefined while it polls. */
    pause: () => next && next.at - now,
    pass(ms = next ? next.at - now : 0) {
      now += ms
      if (!next || next.at > now) return
      const { run } = next
      next = undefined
      run()
    },
  }
}

async function start(isNotified: boolean) {
  const { db } = await testDatabase()
  const timer = testTimer()
  const kind = { name: 'none', nextDue: sql<Date | null>`null::timestamptz`, run: async () => {} }
  const poller = createPoller({
    ...{ db, log: pino({ level: 'silent' }), kinds: [kind], timer },
    isNotified: () => isNotified,
  })
  poller.start()
  const nextPause = async () => {
    await expect.poll(() => timer.pause(), { timeout: 30_000, interval: 5 }).toBeDefined()
    return timer.pause() ?? 0
  }
  /** The pauses until so much time has passed. */
  const pausesFor = async (ms: number) => {
    const pauses: number[] = []
    for (const until = timer.now() + ms; timer.now() < until; timer.pass()) pauses.push(await nextPause())
    return pauses
  }
  return { poller, timer, nextPause, pausesFor }
}

test('an idle process polls twice a minute where work of others is announced', async () => {
  const { poller, pausesFor } = await start(true)
  await pausesFor(60_000)
  expect(await pausesFor(120_000)).toEqual([30_000, 30_000, 30_000, 30_000])
  await poller.stop()
})

test('where it is not announced it polls every five seconds', async () => {
  const { poller, pausesFor } = await start(false)
  await pausesFor(60_000)
  expect(new Set(await pausesFor(60_000))).toEqual(new Set([5_000]))
  await poller.stop()
})

test('once work is announced it polls every five seconds for a while, the first time without waiting longer', async () => {
  const { poller, timer, nextPause, pausesFor } = await start(true)
  await pausesFor(90_000)
  expect(await nextPause()).toBe(30_000)
  timer.pass(1_000)
  poller.noteActivity()
  expect(await pausesFor(15_000)).toEqual([5_000, 5_000, 5_000])
  await pausesFor(30_000)
  expect(await pausesFor(60_000)).toEqual([30_000, 30_000])
  await poller.stop()
})
