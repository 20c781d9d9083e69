import { beforeEach, describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string) => rig.data('POST', '/assistants', { name })
const resolved = () => rig.data<Body[]>('GET', '/drift?state=resolved')
const writes = () => rig.platform.requests.filter(({ method }) => method !== 'GET')

async function squadOf(...members: Body[]) {
  const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
  return rig.data('PUT', `/squads/${draft.external_squad_id}`, {
    name: 'Team',
    members: members.map(({ assistant_id: assistantId }) => ({ assistantId })),
  })
}

async function buy() {
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  return rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
}

/** One kind of resource: how it is made, renamed outside and read. */
interface Kind {
  kind: string
  noun: string
  make(): Promise<{ path: string; liveId: string }>
  rename(liveId: string, name: string): Promise<unknown>
  live(liveId: string): Promise<unknown>
  lose(liveId: string): Promise<unknown>
  liveIdOf(record: Body): string
}

const kinds: Kind[] = [
  {
    kind: 'squad',
    noun: 'Squad',
    async make() {
      const liveId = String((await squadOf(await make('Ann'))).external_squad_id)
      return { path: `/squads/${liveId}`, liveId }
    },
    async rename(liveId, name) {
      const { members } = await rig.outside.squads.get(liveId)
      await rig.outside.squads.update(liveId, { name, members } as never)
    },
    live: (liveId) => rig.outside.squads.get(liveId),
    lose: (liveId) => rig.outside.squads.delete(liveId),
    liveIdOf: (record) => String(record.external_squad_id),
  },
  {
    kind: 'phone_number',
    noun: 'Phone number',
    async make() {
      const number = await buy()
      await rig.data('PUT', `/phone-numbers/${number.id}`, { name: 'Team' })
      return { path: `/phone-numbers/${number.id}`, liveId: String(number.voice_phone_number_id) }
    },
    rename: (liveId, name) => rig.outside.phoneNumbers.update(liveId, { provider: 'twilio', name }),
    live: (liveId) => rig.outside.phoneNumbers.get(liveId),
    lose: (liveId) => rig.outside.phoneNumbers.delete(liveId),
    liveIdOf: (record) => String(record.voice_phone_number_id),
  },
]

describe.each(kinds)('POST .../reconcile of a $kind', ({ kind, noun, ...its }) => {
  const changed = async () => {
    const { path, liveId } = await its.make()
    await its.rename(liveId, 'Crew')
    rig.platform.requests.length = 0
    return { path, liveId, keep: (side: string) => rig.send('POST', `${path}/reconcile`, { keep: side }) }
  }

  test.each([
    ['theirs', 'kept_theirs'],
    ['merge', 'merged'],
  ])('makes the record what the live object is, and sends nothing: %s', async (side, resolution) => {
    const { path, liveId, keep } = await changed()
    for (const _again of [1, 2]) {
      expect(await keep(side)).toMatchObject({
        status: 200,
        body: { success: true, message: `${noun} reconciled successfully`, data: { name: 'Crew' } },
      })
    }
    expect(writes()).toEqual([])
    expect(await rig.data('GET', path)).toMatchObject({ name: 'Crew' })
    expect(await resolved()).toMatchObject([
      { kind, difference: 'changed', voice_id: liveId, resolution, leaves: [{ path: 'name', theirs: 'Crew' }] },
    ])
    expect(await rig.sweep()).toEqual([])
  })

  test('tells the live object what the record says, and what it was is kept: ours', async () => {
    const { liveId, keep } = await changed()
    for (const _again of [1, 2])
      expect(await keep('ours')).toMatchObject({ status: 200, body: { data: { name: 'Team' } } })
    expect(writes()).toHaveLength(1)
    expect(await its.live(liveId)).toMatchObject({ name: 'Team' })
    expect(await resolved()).toMatchObject([
      {
        difference: 'changed',
        resolution: 'kept_ours',
        leaves: [{ path: 'name', base: 'Team', ours: 'Team', theirs: 'Crew' }],
      },
    ])
    expect(await rig.sweep()).toEqual([])
  })

  test('a save that overrules what no sweep saw leaves it in the list, and in the audit trail', async () => {
    const { path, liveId } = await its.make()
    await its.rename(liveId, 'Crew')
    const { members } = await rig.data('GET', path)
    await rig.data('PUT', path, { name: 'Ours', ...(members ? { members } : {}) })
    expect(await its.live(liveId)).toMatchObject({ name: 'Ours' })
    expect(await resolved()).toMatchObject([{ resolution: 'adopted', leaves: [{ path: 'name', theirs: 'Crew' }] }])
    const audit = await rig.data<Body[]>('GET', '/admin/audit?action=drifted', undefined, await rig.operator())
    expect(audit).toMatchObject([{ subject: { kind }, changes: [{ path: 'name', from: 'Team', to: 'Crew' }] }])
  })

  test('makes one again that the platform lost: ours', async () => {
    const { path, liveId } = await its.make()
    await its.lose(liveId)
    await rig.sweep()
    const { status, body } = await rig.send('POST', `${path}/reconcile`, { keep: 'ours' })
    expect(status).toBe(200)
    const made = its.liveIdOf(body.data as Body)
    expect(made).not.toBe(liveId)
    expect(await its.live(made)).toMatchObject({ name: 'Team' })
    expect(await resolved()).toMatchObject([{ difference: 'missing', resolution: 'kept_ours' }])
    await rig.settle()
    expect(await rig.sweep()).toEqual([])
  })

  test.each([
    ['ours', 'kept_ours'],
    ['merge', 'merged'],
  ])('the loss that no sweep saw is in the list and in the audit trail: %s', async (side, resolution) => {
    const { path, liveId } = await its.make()
    await its.lose(liveId)
    const made = await rig.data('POST', `${path}/reconcile`, { keep: side })
    const lost = { kind, difference: 'missing', voice_id: liveId, name: 'Team', resolution, leaves: [] }
    const id = kind === 'squad' ? its.liveIdOf(made) : path.split('/').at(-1)
    expect(await rig.data('GET', `/drift?state=resolved&resource=${id}`)).toMatchObject([lost])
    const audit = await rig.data<Body[]>('GET', '/admin/audit?action=drifted', undefined, await rig.operator())
    expect(audit).toMatchObject([{ subject: { kind }, changes: [{ path: 'live_object', to: 'missing' }] }])
    await rig.settle()
    expect(await resolved()).toHaveLength(1)
  })

  test('deletes the record of one that the platform lost: theirs', async () => {
    const { path, liveId } = await its.make()
    await its.lose(liveId)
    expect(await rig.send('POST', `${path}/reconcile`, { keep: 'theirs' })).toEqual({
      status: 200,
      body: { success: true, message: `${noun} ${kind === 'squad' ? 'deleted' : 'released'} successfully`, data: null },
    })
    expect((await rig.send('GET', path)).status).toBe(404)
    expect(await rig.sweep()).toEqual([])
    expect(await rig.data('GET', '/drift?state=resolved', undefined, await rig.operator())).toMatchObject([
      { kind, difference: 'missing', voice_id: liveId, resolution: 'deleted' },
    ])
  })

  test('changes nothing on a platform that cannot be read, or refuses to make it again', async () => {
    const { path, liveId } = await its.make()
    await its.lose(liveId)
    const before = await rig.data('GET', path)
    const keep = async () => (await rig.send('POST', `${path}/reconcile`, { keep: 'ours' })).status
    rig.platform.faults.add({ method: 'GET', path: /^\/(squad|phone-number)\//, mode: 'status', status: 503, times: 3 })
    expect(await keep()).toBe(502)
    rig.platform.faults.clear()
    rig.platform.faults.add({ method: 'POST', path: /^\/(squad|phone-number)$/, mode: 'status', status: 400, times: 1 })
    expect(await keep()).toBe(422)
    rig.platform.faults.clear()
    expect(await rig.data('GET', path)).toEqual(before)
    expect(await rig.sweep()).toMatchObject([{ difference: 'missing' }])
  })

  test('is made again later when nobody knows whether it was', async () => {
    const { path, liveId } = await its.make()
    await its.lose(liveId)
    rig.platform.faults.add({ method: 'POST', path: /^\/(squad|phone-number)$/, mode: 'status', status: 503, times: 3 })
    const { status, body } = await rig.send('POST', `${path}/reconcile`, { keep: 'ours' })
    expect(status).toBe(502)
    // The text of a number's update is fixed (contract: mirror 9).
    expect(body.message).toContain(kind === 'squad' ? 'may have been' : 'Please try again.')
    rig.platform.faults.clear()
    await rig.settle()
    const [record] = await rig.data<Body[]>('GET', kind === 'squad' ? '/squads' : '/phone-numbers')
    expect(await its.live(its.liveIdOf(record ?? {}))).toMatchObject({ name: 'Team' })
    expect(await rig.sweep()).toEqual([])
  })

  test('is 403 for viewers, 404 for others, 412 for another state', async () => {
    const { path } = await its.make()
    const { workspaceId } = rig.user
    const viewer = await newUser(rig.app.database, { workspaceId, workspaceRole: 'viewer' })
    const keep = { keep: 'theirs' }
    expect((await rig.send('POST', `${path}/reconcile`, keep, viewer.token)).status).toBe(403)
    const stranger = await newUser(rig.app.database)
    expect((await rig.send('POST', `${path}/reconcile`, keep, stranger.token)).status).toBe(404)
    const stale = { token: rig.user.token, body: keep, headers: { 'If-Match': '"another"' } }
    expect((await rig.app.send('POST', `${path}/reconcile`, stale)).status).toBe(412)
  })
})

test('drift is found by each id of a number', async () => {
  const number = await buy()
  await rig.outside.phoneNumbers.update(String(number.voice_phone_number_id), { provider: 'twilio', name: 'Hall' })
  await rig.sweep()
  const digits = String(number.phone_number).slice(1)
  for (const id of [number.id, digits, `%2B${digits}`, number.voice_phone_number_id]) {
    expect(await rig.data('GET', `/drift?resource=${id}`)).toMatchObject([{ resource: number.phone_number }])
  }
  expect(await rig.data('GET', `/drift?resource=${Number(number.id) + 1}`)).toEqual([])
})

test('numbers follow a squad that was made again, squads and numbers an assistant', async () => {
  const ann = await make('Ann')
  const squad = await squadOf(ann)
  const number = await buy()
  await rig.data('PUT', `/phone-numbers/${number.id}`, { voice_squad_id: squad.external_squad_id })
  await rig.outside.squads.delete(String(squad.external_squad_id))
  await rig.outside.assistants.delete(String(ann.voice_assistant_id))
  const made = await rig.data('POST', `/assistants/${ann.assistant_id}/reconcile`, { keep: 'ours' })
  const again = await rig.data('POST', `/squads/${squad.external_squad_id}/reconcile`, { keep: 'ours' })
  const id = String(again.external_squad_id)
  expect(await rig.outside.squads.get(id)).toMatchObject({ members: [{ assistantId: made.voice_assistant_id }] })
  expect(await rig.data('GET', `/phone-numbers/${number.id}`)).toMatchObject({ voice_squad_id: id })
  await rig.app.services.phoneNumbers.work.run()
  expect(await rig.outside.phoneNumbers.get(String(number.voice_phone_number_id))).toMatchObject({ squadId: id })
  await rig.settle()
  expect(await rig.sweep()).toEqual([])
})

test('a squad whose delete failed, and was carried out late, is found by the id that its caller knows', async () => {
  const { external_squad_id: id } = await squadOf(await make('Ann'))
  rig.platform.faults.add({ method: 'DELETE', path: /^\/squad\//, mode: 'status', status: 502, times: 3 })
  expect((await rig.send('DELETE', `/squads/${id}`)).status).toBe(502)
  rig.platform.faults.clear()
  await rig.outside.squads.delete(String(id))
  await rig.settle()
  const { external_squad_id: now, ...squad } = await rig.data('GET', `/squads/${id}`)
  expect(now).not.toBe(id)
  const { members } = squad
  expect(await rig.data('PUT', `/squads/${id}`, { name: 'Crew', members })).toMatchObject({ external_squad_id: now })
  const stranger = await newUser(rig.app.database)
  expect((await rig.send('GET', `/squads/${id}`, undefined, stranger.token)).status).toBe(404)
  expect((await rig.send('DELETE', `/squads/${id}`)).status).toBe(200)
  expect((await rig.send('GET', `/squads/${id}`)).status).toBe(404)
  expect(await rig.sweep()).toEqual([])
})

test('a draft has no live object: nothing is done', async () => {
  const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
  rig.platform.requests.length = 0
  const path = `/squads/${draft.external_squad_id}`
  expect(await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })).toEqual(await rig.data('GET', path))
  expect(rig.platform.requests).toEqual([])
})
