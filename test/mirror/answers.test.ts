import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig()
})
afterAll(() => rig.stop())
beforeEach(() => rig.network.platform.faults.clear())

type Operation = 'POST' | 'PATCH' | 'DELETE'

const failed: Record<Operation, string> = {
  POST: 'Failed to create assistant in Cloud. Please try again.',
  PATCH: 'Failed to update assistant in Cloud: ',
  DELETE: 'Failed to delete the assistant from the voice platform. Please try again.',
}

let made = 0

/** One write of a fresh name, ready to go. */
async function prepared(operation: Operation) {
  made += 1
  const name = `Answer ${made}`
  if (operation === 'POST') return { name, send: () => rig.send('POST', '/assistants', { name }) }
  const { path } = await rig.create(operation === 'PATCH' ? `Before ${made}` : name)
  if (operation === 'PATCH') return { name, send: () => rig.send('PUT', path, { name }) }
  return { name, send: () => rig.send('DELETE', path) }
}

const named = async (name: string) => (await rig.state()).assistants.filter((one) => one.name === name)
const lookUpsFail: Fault = { method: 'GET', mode: 'status', status: 500, times: 1_000 }

test.each([
  ['was set', '', null],
  ['was taken away', null, ''],
])('an empty value that %s but never arrived was not saved', async (_, sent, before) => {
  const { path } = await rig.create('Ann')
  const company = async (value: string | null) =>
    rig.send('PUT', path, { name: 'Ann', metadata: { company_name: value } })
  expect(await company(before)).toMatchObject({ status: 200 })
  const state = await rig.state()
  rig.network.platform.faults.add({ method: 'PATCH', mode: 'drop_before', times: 1_000 })
  expect(await company(sent)).toMatchObject({ status: 500 })
  expect((await rig.state()).assistants).toEqual(state.assistants)
  rig.network.platform.faults.clear()
  expect(await rig.settle()).toEqual([])
})

describe('the platform did the work, but its answer', () => {
  const lost: [string, Fault['mode']][] = [
    ['is lost', 'drop_after'],
    ['cannot be read', 'not_json'],
  ]
  for (const [how, mode] of lost) {
    test.each<[Operation, number]>([
      ['POST', 201],
      ['PATCH', 200],
      ['DELETE', 200],
    ])(`${how}: %s succeeds`, async (operation, status) => {
      const { name, send } = await prepared(operation)
      rig.network.platform.faults.add({ method: operation, mode })
      expect(await send()).toMatchObject({ status, body: { success: true } })
      expect(await named(name)).toHaveLength(operation === 'DELETE' ? 0 : 1)
      // What was sent may arrive once more; nothing late brings back what was deleted.
      const watched = operation === 'DELETE' ? [] : [{ action: 'update', attempts: 0, lastError: null }]
      expect((await rig.state()).journal).toMatchObject(watched)
      expect(await rig.settle()).toEqual([])
    })
  }

  test.each<[Operation, number]>([
    ['POST', 201],
    ['PATCH', 200],
    ['DELETE', 200],
  ])('comes after the deadline: %s succeeds', async (operation, status) => {
    const { name, send } = await prepared(operation)
    const held = rig.network.hold(operation)
    const answer = send()
    await held.arrive({ answer: false })
    expect(await answer).toMatchObject({ status, body: { success: true } })
    expect(await named(name)).toHaveLength(operation === 'DELETE' ? 0 : 1)
    expect(await rig.settle()).toEqual([])
  })

  test.each<Operation>(['POST', 'PATCH', 'DELETE'])('is lost, and so are look-ups: %s fails', async (operation) => {
    const { name, send } = await prepared(operation)
    rig.network.platform.faults.add({ method: operation, mode: 'drop_after', times: 3 }, lookUpsFail)
    expect(await send()).toMatchObject({
      status: 500,
      body: { success: false, message: expect.stringContaining(failed[operation]) },
    })
    rig.network.platform.faults.clear()
    expect(await rig.settle()).toEqual([])
    expect(await named(name)).toEqual([])
  })
})

describe('the request is lost', () => {
  test.each<[Operation, number]>([
    ['PATCH', 200],
    ['DELETE', 200],
  ])('once: %s is sent again and succeeds', async (operation, status) => {
    const { name, send } = await prepared(operation)
    rig.network.platform.faults.add({ method: operation, mode: 'drop_before' })
    expect(await send()).toMatchObject({ status })
    expect(await named(name)).toHaveLength(operation === 'DELETE' ? 0 : 1)
    expect(await rig.settle()).toEqual([])
  })

  test.each<[string, Operation, Fault]>([
    ['once', 'POST', { method: 'POST', mode: 'drop_before' }],
    ['every time', 'PATCH', { method: 'PATCH', mode: 'drop_before', times: 3 }],
    ['every time', 'DELETE', { method: 'DELETE', mode: 'drop_before', times: 3 }],
  ])('%s: %s fails, and both sides agree', async (_often, operation, fault) => {
    const { name, send } = await prepared(operation)
    rig.network.platform.faults.add(fault)
    const { status, body } = await send()
    expect(status).toBe(500)
    expect(body).toMatchObject({ success: false, message: expect.stringContaining(failed[operation]) })
    expect(await rig.settle()).toEqual([])
    // Nothing that was told to have failed is done later.
    expect(await named(name)).toHaveLength(operation === 'DELETE' ? 1 : 0)
  })

  test('and arrives late: a created remote object is deleted again', async () => {
    const { name, send } = await prepared('POST')
    const held = rig.network.hold('POST')
    expect(await send()).toMatchObject({ status: 500, body: { success: false, message: failed.POST } })
    await rig.app.services.mirror.work.run()
    await held.arrive()
    const [row] = (await rig.state()).journal
    expect(row).toMatchObject({ action: 'create' })
    expect(await rig.settle()).toEqual([])
    expect(await named(name)).toEqual([])
  })

  test('and arrives late: an updated remote object is told again what the record says', async () => {
    const { name, send } = await prepared('PATCH')
    const held = rig.network.hold('PATCH')
    expect(await send()).toMatchObject({ status: 500, body: { success: false } })
    await rig.app.services.mirror.work.run()
    await held.arrive()
    expect(await rig.settle()).toEqual([])
    expect(await named(name)).toEqual([])
  })

  test('and arrives after the next update: the remote object is told again what that recorded', async () => {
    const { path } = await rig.create('First')
    const held = rig.network.hold('PATCH')
    expect(await rig.send('PUT', path, { name: 'Late' })).toMatchObject({ status: 500 })
    expect(await rig.send('PUT', path, { name: 'Second' })).toMatchObject({ status: 200 })
    await held.arrive()
    expect(await rig.settle()).toEqual([])
    expect(await named('Second')).toHaveLength(1)
  })

  test('and arrives after many more updates: it is not taken for a change made outside', async () => {
    const { path } = await rig.create('First')
    const held = rig.network.hold('PATCH', { lost: true })
    expect(await rig.send('PUT', path, { name: 'Late' })).toMatchObject({ status: 200 })
    for (let update = 1; update <= 20; update += 1) {
      expect(await rig.send('PUT', path, { name: `Update ${update}` })).toMatchObject({ status: 200 })
    }
    await held.arrive()
    expect(await rig.settle()).toEqual([])
    expect(await named('Update 20')).toHaveLength(1)
    const { body } = await rig.send('GET', `${path}/update-log?limit=50`)
    expect(body).not.toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ source: 'platform' })]) })
  })
})
