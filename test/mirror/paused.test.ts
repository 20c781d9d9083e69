import { drizzle } from 'drizzle-orm/postgres-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import { createMirrorRig, createNetwork, type MirrorRig, times } from './rig.ts'

const network = createNetwork()
let rig: MirrorRig
let paused: MirrorRig
/** What happens while the paused process stands still, before it hears the response of such a statement. */
let pause: { statement: string; meanwhile: () => Promise<void> } | undefined
let pausedMs = 0

/** The same database as a process sees it that stands still between a statement and its response. */
function asPausedProcess({ sql, ...handle }: DatabaseHandle): DatabaseHandle {
  const heard = async <T>(query: string, response: Promise<T>): Promise<T> => {
    const result = await response
    const due = pause && query.startsWith(pause.statement) ? pause : undefined
    if (!due) return result
    pause = undefined
    await due.meanwhile()
    pausedMs += times.leaseMs
    return result
  }
  const unsafe = (...call: Parameters<typeof sql.unsafe>) => {
    const asked = sql.unsafe(...call)
    const { values } = asked
    return Object.assign(asked, { values: () => heard(call[0], values.call(asked)) })
  }
  const slow = new Proxy(sql, {
    get: (target, name, receiver) => (name === 'unsafe' ? unsafe : Reflect.get(target, name, receiver)),
  })
  return { ...handle, sql, db: drizzle(slow) }
}

beforeAll(async () => {
  const transport = { timeoutMs: 20_000 }
  rig = await createMirrorRig({ network, transport })
  const timers = { ...systemTimers, now: () => systemTimers.now() + pausedMs }
  paused = await createMirrorRig({ network, transport, timers, database: asPausedProcess(rig.database) })
})
afterAll(async () => {
  await paused.stop()
  await rig.stop()
})

const posts = () => network.platform.requests.filter(({ method }) => method === 'POST').length

test('a create that hears of its row only after that was taken over sends nothing', async () => {
  let isTaken = false
  pause = {
    statement: 'insert into "live_writes"',
    async meanwhile() {
      expect(await rig.settleHeld()).toEqual([])
      isTaken = true
    },
  }
  const { status, body } = await paused.send('POST', '/assistants', { name: 'Paused' })
  expect(isTaken).toBe(true)
  expect(body).toEqual({
    success: false,
    message: 'Other changes of this assistant are still under way. Please try again.',
  })
  expect(status).toBe(409)
  expect(posts()).toBe(0)
  expect(await rig.settle()).toEqual([])
  expect((await rig.state()).assistants).toEqual([])
})

test('a delete that hears that it was noted only after another completed it does not say that it was refused', async () => {
  const { path } = await rig.create('Goes')
  pause = {
    statement: 'update "live_writes" set "delete_sent"',
    async meanwhile() {
      expect(await rig.settleHeld()).toEqual([])
      expect((await rig.send('GET', path)).status).toBe(404)
    },
  }
  const response = await paused.app.send('DELETE', path, { token: rig.token })
  expect(await response.json()).toEqual({
    message: 'Something went wrong on our side. The change may have been made; read it before trying again.',
  })
  expect(response.status).toBe(500)
  expect(await rig.settle()).toEqual([])
})
