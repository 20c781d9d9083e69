import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextNumber } from '../support/numbers/numbers.ts'
import { apart as numberApart, squadApart } from '../support/numbers/rig.ts'
import { asAnotherProcess, createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
let other: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig()
  other = await createMirrorRig({ network: rig.network, database: asAnotherProcess(rig.database) })
})
afterAll(async () => {
  await other.stop()
  await rig.stop()
})
beforeEach(() => rig.network.platform.faults.clear())

const found = async (ref: string) => (await rig.state()).assistants.find((one) => one.ref === ref)
const live = async (ref: string) => rig.app.services.platform.assistants.get((await found(ref))?.liveId ?? '')
const data = async (method: string, path: string, body?: object) => {
  const answer = await rig.app.send(method, path, { token: rig.token, body })
  const read = await answer.json()
  expect(answer.status, JSON.stringify(read)).toBeLessThan(300)
  return read.data
}

const notDeleted = {
  status: 500,
  body: {
    success: false,
    message: 'Failed to delete the assistant from the voice platform. Please try again.',
  },
}

describe('a write whose connection was lost arrives after later ones were acknowledged', () => {
  test('an update that was sent again and succeeded', async () => {
    const { path, ref } = await rig.create('Before')
    const held = rig.network.hold('PATCH', { lost: true })
    expect(await rig.send('PUT', path, { name: 'First' })).toMatchObject({ status: 200 })
    expect(await rig.send('PUT', path, { name: 'Second' })).toMatchObject({ status: 200 })
    expect(await rig.send('PUT', path, { name: 'Third' })).toMatchObject({ status: 200 })
    await held.arrive()
    expect(await live(ref)).toMatchObject({ name: 'First' })
    expect(await rig.settle()).toEqual([])
    expect(await live(ref)).toMatchObject({ name: 'Third' })
  })

  test('several times, and each time it is replaced', async () => {
    const { path, ref } = await rig.create('Before')
    const first = rig.network.hold('PATCH', { lost: true })
    await rig.send('PUT', path, { name: 'First' })
    await rig.send('PUT', path, { name: 'Second' })
    for (let time = 0; time < 3; time += 1) {
      await first.arrive()
      const deadline = performance.now() + 60_000
      while ((await live(ref)).name !== 'Second') {
        if (performance.now() > deadline) throw new Error('The late write was not replaced')
        await Bun.sleep(20)
        await other.app.services.mirror.work.run()
      }
      expect((await rig.state()).journal).toHaveLength(1)
    }
    expect(await rig.settle()).toEqual([])
  })

  test('an update with an empty value, which the last one took away', async () => {
    const { path, ref } = await rig.create('Before')
    const company = async (value: string | null) =>
      rig.send('PUT', path, { name: 'Ann', metadata: { company_name: value } })
    const held = rig.network.hold('PATCH', { lost: true })
    expect(await company('')).toMatchObject({ status: 200 })
    expect(await company(null)).toMatchObject({ status: 200 })
    expect((await live(ref)).metadata).not.toHaveProperty('company_name')
    await held.arrive()
    expect((await live(ref)).metadata).toHaveProperty('company_name', '')
    expect(await rig.settle()).toEqual([])
    expect((await live(ref)).metadata).not.toHaveProperty('company_name')
  })

  test('a create that was found is not made twice', async () => {
    const held = rig.network.hold('POST', { lost: true })
    const before = (await rig.state()).assistants.length
    const sent = rig.send('POST', '/assistants', { name: 'Made late' })
    await held.sent
    await held.arrive()
    await sent
    await held.arrive()
    expect(await rig.settle()).toEqual([])
    expect((await rig.state()).assistants.length - before).toBeLessThanOrEqual(1)
  })

  test('a create that failed, sent again with its Idempotency-Key, is one assistant', async () => {
    const send = () =>
      rig.app.send('POST', '/assistants', {
        token: rig.token,
        body: { name: 'Once' },
        headers: { 'idempotency-key': 'once' },
      })
    const held = rig.network.hold('POST', { lost: true })
    expect((await send()).status).toBe(500)
    expect((await send()).status).toBe(201)
    await held.arrive()
    expect(await rig.settle()).toEqual([])
    expect((await rig.state()).assistants.filter(({ name }) => name === 'Once')).toHaveLength(1)
    expect((await send()).headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('a delete that the look-up shows did nothing', () => {
  test('is not done later', async () => {
    const { path, ref } = await rig.create('Stays')
    rig.network.platform.faults.add({ method: 'DELETE', mode: 'drop_before', times: 3 })
    expect(await rig.send('DELETE', path)).toEqual(notDeleted)
    expect(await rig.settle()).toEqual([])
    expect(await found(ref)).toBeDefined()
    expect(await rig.send('PUT', path, { name: 'Stays on' })).toMatchObject({ status: 200 })
    expect(await rig.settle()).toEqual([])
  })

  test('and arrives late: the remote object is made again, and its number and squad follow', async () => {
    const { path, ref } = await rig.create('Comes back')
    const before = (await found(ref))?.liveId
    const held = rig.network.hold('DELETE')
    expect(await rig.send('DELETE', path)).toEqual(notDeleted)
    const number = nextNumber()
    await data('POST', '/phone-numbers', { phone_number: number })
    await data('PUT', `/phone-numbers/${number}`, { voice_assistant_id: ref })
    const draft = await data('POST', '/squads', { name: 'Team', members: [] })
    const body = { name: 'Team', members: [{ assistantId: ref }] }
    const squad = await data('PUT', `/squads/${draft.external_squad_id}`, body)

    await held.arrive()
    expect(await rig.settle()).toEqual([])
    await rig.app.services.phoneNumbers.work.run()

    const after = await found(ref)
    expect(after?.liveId).not.toBe(before)
    expect(await numberApart(rig.app, number)).toEqual([])
    expect(await rig.app.services.platform.phoneNumbers.findByNumber(number)).toMatchObject({
      assistantId: after?.liveId,
    })
    expect(await squadApart(rig.app, squad.external_squad_id)).toEqual([])
    expect(await rig.app.services.platform.squads.get(squad.external_squad_id)).toMatchObject({
      members: [{ assistantId: after?.liveId }],
    })
    expect(await data('GET', path)).toMatchObject({ voice_assistant_id: after?.liveId, phone_number: number })
  })

  test('and arrives late: a squad and a number are made again', async () => {
    const { ref } = await rig.create('Member')
    const draft = await data('POST', '/squads', { name: 'Late team', members: [] })
    const body = { name: 'Late team', members: [{ assistantId: ref }] }
    const squad = await data('PUT', `/squads/${draft.external_squad_id}`, body)
    const number = nextNumber()
    await data('POST', '/phone-numbers', { phone_number: number })
    await data('PUT', `/phone-numbers/${number}`, { voice_squad_id: squad.external_squad_id })
    for (const path of [`/squads/${squad.external_squad_id}`, `/phone-numbers/${number}`]) {
      const held = rig.network.hold('DELETE')
      expect((await rig.send('DELETE', path)).status).toBe(502)
      await held.arrive()
    }
    expect(await rig.settle()).toEqual([])
    await rig.app.services.phoneNumbers.work.run()
    expect(await numberApart(rig.app, number)).toEqual([])
    const { voice_squad_id } = await data('GET', `/phone-numbers/${number}`)
    expect(voice_squad_id).not.toBe(squad.external_squad_id)
    expect(await squadApart(rig.app, voice_squad_id)).toEqual([])
  })
})

describe('a delete while the database fails', () => {
  const unsafe = (statement: string) => rig.database.sql.unsafe(statement)
  const failing = async (which: 'update' | 'delete', work: () => Promise<void>) => {
    await unsafe(`create or replace function fail_journal() returns trigger language plpgsql as
      $$ begin raise exception 'no writing today'; end $$;
      create trigger broken before ${which} on live_writes for each row execute function fail_journal()`)
    await work().finally(() => unsafe('drop trigger broken on live_writes'))
  }

  test('before it was sent is not done later', async () => {
    const { path, ref } = await rig.create('Not sent')
    await failing('update', async () => {
      expect((await rig.send('DELETE', path)).status).toBe(500)
    })
    expect(await rig.settleHeld()).toEqual([])
    expect(await found(ref)).toBeDefined()
  })

  test('after the platform refused it says that it may be done, as the journal could not say otherwise', async () => {
    const { path } = await rig.create('Refused')
    rig.network.platform.faults.add({ method: 'DELETE', mode: 'status', status: 400, body: { message: 'no' } })
    await failing('delete', async () => {
      expect(await rig.send('DELETE', path)).toEqual({
        status: 500,
        body: {
          success: false,
          message: 'Failed to delete the assistant from the voice platform. Please try again.',
        },
      })
    })
    expect(await rig.settleHeld()).toEqual([])
  })
})
