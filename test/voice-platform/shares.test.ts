import { expect, test } from 'vitest'
import { createFairShare } from '../../src/runtime/fair-share.ts'
import { newUser, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { apiKey, createRig } from '../support/voice-platform/embedded.ts'

const queue = () => createFairShare({ total: 4, perKey: 2 })
const name = 'Anna'

test('who finds no room waits, within the time of the call, and is not sent', async () => {
  const { client, platform, clock } = createRig({}, { queue: queue() })
  platform.faults.add({ mode: 'timeout', times: 99 })
  const start = clock.elapsed
  const calls = Promise.allSettled(Array.from({ length: 6 }, () => client.assistants.create({ name })))
  const kinds = (await clock.settle(calls)).map((call) => call.status === 'rejected' && call.reason.kind)
  expect(clock.elapsed - start).toBe(20_000)
  expect(kinds).toEqual(['unknown', 'unknown', ...Array.from({ length: 4 }, () => 'unavailable')])
  expect(platform.requests).toHaveLength(2)
})

test('a place that is given back goes to the first who waits and may have it', async () => {
  const { wait } = queue()
  const never = new AbortController().signal
  const entered: string[] = []
  const come = async (key: string) => {
    const leave = await wait(key, never)
    entered.push(key)
    return leave
  }
  const [first] = await Promise.all([come('one'), come('one')])
  const third = come('one')
  await Promise.all([come('two'), come('three')])
  const fourth = come('four')
  expect(entered).toEqual(['one', 'one', 'two', 'three'])
  first?.()
  await third
  expect(entered.at(-1)).toBe('one')
  ;(await third)?.()
  await fourth
  expect(entered.at(-1)).toBe('four')
})

test('keys that wait get places by turns', async () => {
  const { wait } = createFairShare({ total: 1 })
  const never = new AbortController().signal
  const entered: string[] = []
  const work = async (key: string) => {
    const leave = await wait(key, never)
    entered.push(key)
    leave?.()
  }
  const held = await wait('first', never)
  const all = ['one', 'one', 'one', 'two', 'two', 'three'].map(work)
  held?.()
  await Promise.all(all)
  expect(entered).toEqual(['one', 'two', 'three', 'one', 'two', 'one'])
})

test('to give a place back costs the same however many wait', async () => {
  const drain = async (count: number) => {
    const { wait } = createFairShare({ total: 8, perKey: 2 })
    // Listeners of one signal are compared with each other.
    const never = () => new AbortController().signal
    const held = await Promise.all(['one', 'one', 'two'].map((key) => wait(key, never())))
    const all = Array.from({ length: count }, async () => (await wait('one', never()))?.())
    const start = performance.now()
    // Another key's place does nothing for these.
    for (let turn = 0; turn < 2_000; turn++) (await wait('two', never()))?.()
    const taken = performance.now() - start
    for (const leave of held) leave?.()
    await Promise.all(all)
    return taken
  }
  await drain(10)
  const few = await drain(10)
  expect(await drain(40_000)).toBeLessThan(few * 20 + 200)
})

test('a workspace whose live writes hang leaves the platform to others, and nothing else waits', async () => {
  const { platform, client } = createRig({ apiKey }, { queue: queue() })
  const app = await testApp({ platform: client })
  const [one, other] = [await newUser(app.database), await newUser(app.database)]
  const create = (token: string) => app.send('POST', '/assistants', { token, body: { name } })

  platform.faults.add({ mode: 'timeout', times: 2 })
  const hanging = Array.from({ length: 5 }, () => create(one.token))
  await until(() => platform.requests.length === 2)
  expect((await create(other.token)).status).toBe(201)
  expect((await app.send('GET', '/assistants', { token: one.token })).status).toBe(200)
  expect(platform.requests).toHaveLength(3)
  void hanging
})
