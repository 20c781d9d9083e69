import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asAnotherProcess, createMirrorRig, createNetwork, type MirrorRig } from '../mirror/rig.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'

const network = createNetwork()
let one: MirrorRig
let other: MirrorRig
let me: Caller
let stranger: Caller
let operator: Caller

beforeAll(async () => {
  const transport = { timeoutMs: 20_000 }
  one = await createMirrorRig({ network, transport })
  other = await createMirrorRig({ network, transport, database: asAnotherProcess(one.database) })
  me = await caller(one.app)
  stranger = await caller(one.app)
  operator = await caller(other.app, { role: 'admin' })
  return async () => {
    await other.stop()
    await one.stop()
  }
})
afterAll(async () => {
  expect(await one.settle()).toEqual([])
})

interface Case {
  target: 'an assistant' | 'a squad'
  field: 'voice_assistant_id' | 'voice_squad_id'
  /** One of the caller's, and a request that gives it to the stranger. */
  make(): Promise<{ id: string; move(): Promise<Response> }>
}

const cases: Case[] = [
  {
    target: 'an assistant',
    field: 'voice_assistant_id',
    async make() {
      const { assistant_id, voice_assistant_id: id } = await me.assistant()
      const body = { name: 'Moved', user_id: stranger.userId }
      return { id, move: () => operator.send('PUT', `/assistants/${assistant_id}`, body) }
    },
  },
  {
    target: 'a squad',
    field: 'voice_squad_id',
    async make() {
      const { external_squad_id: id } = await me.squad([(await me.assistant()).assistant_id])
      const members = [{ assistantId: (await stranger.assistant()).assistant_id }]
      const body = { name: 'Moved', user_id: stranger.userId, members }
      return { id, move: () => operator.send('PUT', `/squads/${id}`, body) }
    },
  },
]

describe.each(cases)('a number that is led to $target while that moves to another workspace', ({ field, make }) => {
  test('is refused when the move came first', async () => {
    const { phone_number: number } = await me.number()
    const { id, move } = await make()
    const telling = network.hold('PATCH')
    const leading = me.send('PUT', `/phone-numbers/${number}`, { [field]: id })
    await telling.sent
    expect((await move()).status).toBe(200)
    await telling.arrive()
    const refused = await leading
    const text = `The selected ${field} does not exist.`
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { success: false, message: text, errors: { [field]: [text] } },
    ])
    expect(await me.data(200, 'GET', `/phone-numbers/${number}`)).toMatchObject({ [field]: null })
  })

  test('leads nowhere when it was saved first', async () => {
    const { phone_number: number } = await me.number()
    const { id, move } = await make()
    const telling = network.hold('PATCH')
    const moving = move()
    await telling.sent
    await me.data(200, 'PUT', `/phone-numbers/${number}`, { [field]: id })
    await telling.arrive()
    expect((await moving).status).toBe(200)
    expect(await me.data(200, 'GET', `/phone-numbers/${number}`)).toMatchObject({ [field]: null })
  })
})

test('a number that is led elsewhere while its assistant moves ends on no error of the server', async () => {
  const race = async () => {
    const { phone_number: number } = await me.number()
    const { assistant_id: id, voice_assistant_id: target } = await me.assistant()
    await me.data(200, 'PUT', `/phone-numbers/${number}`, { voice_assistant_id: target })
    const moving = operator.send('PUT', `/assistants/${id}`, { name: 'Moved', user_id: stranger.userId })
    const leading = me.send('PUT', `/phone-numbers/${number}`, { voice_assistant_id: null })
    const statuses = (await Promise.all([moving, leading])).map(({ status }) => status)
    expect(await me.data(200, 'GET', `/phone-numbers/${number}`)).toMatchObject({ voice_assistant_id: null })
    return statuses
  }
  const all = []
  for (let round = 0; round < 10; round++) all.push(...(await Promise.all([race(), race()])).flat())
  expect(all.filter((status) => status >= 500)).toEqual([])
})
