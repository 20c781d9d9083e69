import { beforeEach, describe, expect, test } from 'vitest'
import { managedOf } from '../../src/voice-platform/mirror/agreement/base.ts'
import { createBases } from '../../src/voice-platform/mirror/agreement/bases.ts'
import { newUser } from '../support/app.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
let token: string
beforeEach(async () => {
  rig = await createDriftRig()
  token = await rig.operator()
  return () => rig.stop()
})

const entry = {
  label: 'Look up an order',
  description: 'Looks an order up.',
  type: 'function',
  scope: 'global',
  definition: { server: { url: 'https://shop.example/orders' } },
}
const asOperator = <T = Body>(method: string, path: string, body?: object) => rig.data<T>(method, path, body, token)
const make = (body: object = {}) => asOperator('POST', '/admin/tools', { ...entry, ...body })
const live = async (id: unknown) => (await rig.outside.tools.get(String(id))) as unknown as Body
const server = (timeoutSeconds: number) => ({ server: { url: 'https://shop.example/orders', timeoutSeconds } })
const change = (id: unknown, body: object) => rig.outside.tools.update(String(id), body as never)

/** What the operator sees after a sweep. */
async function found(query = ''): Promise<Body[]> {
  await rig.sweep()
  return asOperator<Body[]>('GET', `/drift?${query}`)
}

describe('a sweep over the tools of the catalogue', () => {
  test('finds one that was changed or lost, and one that nobody knows', async () => {
    const [changed, lost] = [await make(), await make({ label: 'Lost' })]
    const there = await rig.outside.tools.create({ type: 'endCall' } as never)
    const named = await make({ id: there.id, type: 'endCall', label: 'Named', definition: undefined })
    expect(await found()).toEqual([])
    await change(changed.id, server(7))
    await change(named.id, { function: { name: 'hang_up' } })
    await rig.outside.tools.delete(String(lost.id))
    const stranger = await rig.outside.tools.create({ type: 'function', function: { name: 'stranger' } } as never)
    const about = { kind: 'tool', state: 'open' }
    const expected = [
      {
        ...about,
        difference: 'changed',
        resource: changed.id,
        name: entry.label,
        leaves: [{ path: 'server.timeoutSeconds', theirs: 7 }],
      },
      { ...about, difference: 'missing', resource: lost.id, voice_id: lost.id, name: 'Lost' },
      { ...about, difference: 'unmanaged', resource: null, voice_id: stranger.id, name: 'stranger' },
    ]
    const drift = await found()
    expect(drift).toHaveLength(3)
    expect(drift).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))))
    expect(await asOperator('GET', `/drift?kind=tool&resource=${changed.id}`)).toMatchObject([{ resource: changed.id }])
    await rig.outside.tools.delete(String(named.id))
    expect(await found('difference=missing')).toMatchObject([{ name: 'Named' }, { name: 'Lost' }])
    for (const { id } of [named, lost]) {
      expect((await rig.send('DELETE', `/admin/tools/${id}`, undefined, token)).status).toBe(200)
    }
    expect(await found('difference=missing')).toEqual([])
  })

  test("shows an account its own, and nobody another's", async () => {
    const { userId } = rig.user
    const own = await make({ scope: 'own', owner_id: userId })
    const global = await make()
    for (const { id } of [own, global]) await change(id, server(9))
    expect(await rig.sweep()).toMatchObject([{ kind: 'tool', resource: own.id }])
    const stranger = await newUser(rig.app.database)
    expect(await rig.data('GET', '/drift', undefined, stranger.token)).toEqual([])
    expect(await found()).toHaveLength(2)
  })
})

test('a field that is set outside on a tool which has none in its definition is found, kept by a save, and taken in by recovery', async () => {
  const { id } = await make({ definition: undefined })
  expect(await found()).toEqual([])
  await change(id, server(7))
  expect(await found()).toMatchObject([{ resource: id, leaves: [{ path: 'server', theirs: server(7).server }] }])
  const said = { ...entry, definition: undefined, description: 'Finds an order.' }
  await asOperator('PUT', `/admin/tools/${id}`, said)
  expect(await live(id)).toMatchObject({ ...server(7), function: { description: 'Finds an order.' } })
  expect(await found()).toEqual([])
  await change(id, { messages: [{ type: 'request-start', content: 'One moment.' }] })
  expect(await found()).toMatchObject([{ resource: id, leaves: [{ path: 'messages' }] }])
  rig.platform.faults.add({ method: 'PATCH', path: /^\/tool\//, mode: 'status', status: 503, times: 3 })
  expect((await rig.send('PUT', `/admin/tools/${id}`, { ...said, description: 'Never.' }, token)).status).toBe(502)
  rig.platform.faults.clear()
  await rig.settle()
  expect(await found()).toEqual([])
  expect(await asOperator('GET', `/admin/tools/${id}`)).toMatchObject({ definition: { messages: [{}] } })
})

test('a tool of which both sides agreed before all fields were compared is compared in all from the next sweep on', async () => {
  const { id } = await make({ definition: undefined })
  const { bases, database } = { bases: createBases(rig.app.services.vault), database: rig.app.database }
  const [{ ref } = { ref: '' }] = await database.sql<{ ref: string }[]>`select ref from tools where id = ${String(id)}`
  const stored = await bases.read(database.db, 'tool', ref)
  if (!stored?.seen) throw new Error('Nothing was agreed on')
  await bases.save(database.db, 'tool', ref, { ...stored, seen: managedOf(stored.sent, stored.seen) })
  await change(id, server(7))
  expect(await found()).toEqual([])
  await change(id, server(9))
  expect(await found()).toMatchObject([
    { resource: id, leaves: [{ path: 'server.timeoutSeconds', base: 7, theirs: 9 }] },
  ])
})

test('a save of a tool keeps what it does not set of what was changed outside, and recovery takes it into the entry', async () => {
  const { id } = await make()
  await change(id, server(7))
  await asOperator('PUT', `/admin/tools/${id}`, { ...entry, description: 'Finds an order.' })
  expect(await live(id)).toMatchObject({ ...server(7), function: { description: 'Finds an order.' } })
  expect(await asOperator('GET', '/drift?state=resolved')).toMatchObject([
    { resource: id, resolution: 'adopted', leaves: [{ path: 'server.timeoutSeconds', theirs: 7 }] },
  ])
  expect(await found()).toEqual([])
  await change(id, server(8))
  const unavailable = { path: /^\/tool\//, mode: 'status', status: 503 } as const
  rig.platform.faults.add({ method: 'PATCH', ...unavailable, times: 3 })
  const refused = await rig.send('PUT', `/admin/tools/${id}`, { ...entry, description: 'Never.' }, token)
  expect(refused.status).toBe(502)
  rig.platform.faults.clear()
  await rig.settle()
  expect(await live(id)).toMatchObject({ ...server(8), function: { description: 'Finds an order.' } })
  expect(await found()).toEqual([])
})

test('recovery takes no assistant of another workspace into the definition of an own tool, and leaves it on the live one', async () => {
  const stranger = await newUser(rig.app.database)
  const named = async (as?: string) =>
    (await rig.data('POST', '/assistants', { name: 'Named' }, as)).voice_assistant_id as string
  const to = (assistantId: string) => ({ destinations: [{ type: 'assistant', assistantId }] })
  const [first, mine, theirs] = [await named(), await named(), await named(stranger.token)]
  const own = { type: 'handoff', scope: 'own', owner_id: rig.user.userId }
  const called = (name: string) => ({ ...entry, ...own, definition: { function: { name }, ...to(first) } })
  const recovered = async (assistantId: string) => {
    const { id } = await make(called('pass_on'))
    await change(id, to(assistantId))
    rig.platform.faults.add({ method: 'PATCH', path: /^\/tool\//, mode: 'status', status: 503, times: 3 })
    expect((await rig.send('PUT', `/admin/tools/${id}`, called('never'), token)).status).toBe(502)
    rig.platform.faults.clear()
    await rig.settle()
    expect(await live(id)).toMatchObject(to(assistantId))
    return (await asOperator('GET', `/admin/tools/${id}`)).definition
  }
  expect(await recovered(mine)).toMatchObject(to(mine))
  expect(await recovered(theirs)).toMatchObject(to(first))
  expect(await found('difference=changed')).toEqual([])
})
