import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string, body: Body = {}) => rig.data('POST', '/assistants', { name, ...body })

async function publish(name: string, body: Body) {
  const draft = await rig.data('POST', '/squads', { name, members: [] })
  return rig.data('PUT', `/squads/${draft.external_squad_id}`, { name, ...body })
}

/** An assistant or a squad that others name. */
interface Named {
  record: Body
  path: string
  liveId: string
  /** What is sent to give it to somebody else, and what this somebody has. */
  body: Body
}

const handoff = (destination: object) => ({ type: 'handoff', destinations: [destination] })

const kinds = [
  {
    kind: 'assistant',
    async named(): Promise<Named> {
      const record = await make('Named')
      const path = `/assistants/${record.assistant_id}`
      return { record, path, liveId: String(record.voice_assistant_id), body: { name: 'Named' } }
    },
    idNow: async ({ path }: Named) => String((await rig.data('GET', path)).voice_assistant_id),
    to: (assistantId: string) => ({ type: 'assistant', assistantId }),
    lose: (id: string) => rig.outside.assistants.delete(id),
  },
  {
    kind: 'squad',
    async named(): Promise<Named> {
      const members = [{ assistantId: (await make('Member')).assistant_id }]
      const record = await publish('Named', { members })
      const liveId = String(record.external_squad_id)
      return { record, path: `/squads/${liveId}`, liveId, body: { name: 'Named', members } }
    },
    // The id that it had goes on finding it.
    idNow: async ({ path }: Named) => String((await rig.data('GET', path)).external_squad_id),
    to: (squadId: string) => ({ type: 'squad', squadId }),
    lose: (id: string) => rig.outside.squads.delete(id),
  },
]

const ways = [
  {
    how: 'by a reconcile',
    async again({ path, liveId }: Named, lose: (id: string) => Promise<unknown>) {
      await lose(liveId)
      await rig.data('POST', `${path}/reconcile`, { keep: 'ours' })
    },
  },
  {
    how: 'after a delete that failed and was carried out late',
    async again({ path, liveId }: Named, lose: (id: string) => Promise<unknown>) {
      rig.platform.faults.add({
        method: 'DELETE',
        path: /^\/(assistant|squad)\//,
        mode: 'status',
        status: 502,
        times: 3,
      })
      expect((await rig.send('DELETE', path)).status).toBeGreaterThanOrEqual(500)
      rig.platform.faults.clear()
      await lose(liveId)
    },
  },
]

describe.each(kinds)('what somebody copied from the $kind on the platform', ({ kind, named, lose }) => {
  test.each(ways)('stays when it is a copy of what was made again $how (drift 15)', async ({ again }) => {
    const it = await named()
    const { [`${kind}s` as 'assistants']: live } = rig.outside
    await again(it, lose)
    const made = async () => rig.data('GET', it.path)
    const idOf = async () => {
      const { voice_assistant_id, external_squad_id } = await made()
      return String(voice_assistant_id ?? external_squad_id)
    }
    await rig.until(async () => {
      await rig.app.services.mirror.work.run()
      return (await idOf()) !== it.liveId
    })
    const { id: _id, orgId: _org, createdAt: _made, updatedAt: _changed, ...body } = await live.get(await idOf())
    const { id } = await live.create(body)
    await rig.settle()
    expect(await live.get(id)).toMatchObject({ name: 'Named' })
    expect(await rig.sweep()).toEqual([])
  })

  test('is told from what was made twice when that was made again, which is deleted', async () => {
    const it = await named()
    const { [`${kind}s` as 'assistants']: live } = rig.outside
    await lose(it.liveId)
    const path = new RegExp(`^/${kind}$`)
    rig.platform.faults.add({ method: 'POST', path, mode: 'drop_after' })
    expect((await rig.send('POST', `${it.path}/reconcile`, { keep: 'ours' })).status).toBeGreaterThanOrEqual(500)
    await rig.settle()
    expect((await live.list()).filter(({ name }) => name === 'Named')).toHaveLength(1)
    expect(await rig.sweep()).toEqual([])
  })

  test.each(ways)('stays when that is made again $how', async ({ again }) => {
    const it = await named()
    const { [`${kind}s` as 'assistants']: live } = rig.outside
    const { id: _id, orgId: _org, createdAt: _made, updatedAt: _changed, ...body } = await live.get(it.liveId)
    const { id } = await live.create({ ...body, name: 'Copy' })
    await again(it, lose)
    await rig.settle()
    expect(await live.get(id)).toMatchObject({ name: 'Copy' })
    expect(await rig.sweep()).toEqual([])
    expect(await rig.data('GET', '/drift', undefined, await rig.operator())).toMatchObject([
      { difference: 'unmanaged', voice_id: id },
    ])
  })
})

const toolsOf = async (record: Body) =>
  (await rig.outside.assistants.get(String(record.voice_assistant_id))).model?.tools

/** All that can name one. */
async function naming(destination: Body) {
  const tools = [handoff(destination)]
  const desk = await make('Desk', { model: { tools } })
  const overrides = { 'tools:append': tools }
  const members = [{ assistantId: (await make('Ann')).assistant_id, assistantOverrides: overrides }]
  const team = await publish('Team', { members, membersOverrides: overrides })
  const draft = await rig.data('POST', '/squads', { name: 'Draft', members, membersOverrides: overrides })
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  const bought = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  const { type, [`${type}Id`]: id } = destination
  const number = await rig.data('PUT', `/phone-numbers/${bought.id}`, { [`voice_${type}_id`]: id })
  const records = [
    { path: `/squads/${team.external_squad_id}`, parts: ['members', 'members_overrides'] },
    { path: `/squads/${draft.external_squad_id}`, parts: ['members', 'members_overrides'] },
    { path: `/phone-numbers/${number.id}`, parts: [`voice_${type}_id`] },
  ]
  return {
    desk,
    records,
    /** What is named, in each of the records and each of the live objects. */
    async all() {
      const shown = records.map(async ({ path, parts }) => {
        const record = await rig.data('GET', path)
        return parts.map((part) => record[part])
      })
      const live = [
        rig.outside.assistants.get(String(desk.voice_assistant_id)).then(({ model }) => [model]),
        rig.outside.squads
          .get(String(team.external_squad_id))
          .then(({ members, membersOverrides }) => [members, membersOverrides]),
        rig.outside.phoneNumbers
          .get(String(number.voice_phone_number_id))
          .then(({ assistantId, squadId }) => [assistantId ?? squadId]),
      ]
      const parts = (await Promise.all<unknown[]>([...shown, ...live])).flat()
      // A member's own id stands before what it hands over to.
      const named = (part: unknown) =>
        [...JSON.stringify(part).matchAll(/"(?:assistantId|squadId)":"([^"]*)"/g)].at(-1)?.[1]
      return parts.map((part) => (typeof part === 'string' ? part : named(part)))
    },
  }
}

/** An operator gives it to somebody in another workspace. */
async function give({ body }: Named, path: string) {
  const operator = await rig.operator()
  const email = `someone-${crypto.randomUUID()}@example.com`
  const { id: user_id } = await rig.data('POST', '/admin/users', { name: 'Ada', email }, operator)
  return rig.send('PUT', path, { ...body, user_id }, operator)
}

const cases = kinds.flatMap((kind) => ways.map((way) => ({ ...kind, ...way })))

describe.each(cases)('$kind that is made again $how', ({ kind, named, idNow, to, lose, again }) => {
  /** One that was made again, what names it, and its new id. */
  async function madeAgain() {
    const one = await named()
    const names = await naming(to(one.liveId))
    expect(new Set(await names.all())).toEqual(new Set([one.liveId]))
    await again(one, lose)
    await rig.settle()
    await rig.app.services.phoneNumbers.work.run()
    const id = await idNow(one)
    expect(id).not.toBe(one.liveId)
    return { one, id, names }
  }

  test('is named by its new id by all that named it, on both sides', async () => {
    const { id, names } = await madeAgain()
    expect(new Set(await names.all())).toEqual(new Set([id]))
    expect(await rig.sweep()).toEqual([])
  })

  test('can be saved where it is named as that is read, and named by the id that it had', async () => {
    const { one, id, names } = await madeAgain()
    for (const { path } of names.records) {
      const { members, members_overrides: membersOverrides } = await rig.data('GET', path)
      await rig.data('PUT', path, { name: 'Renamed', members, membersOverrides })
    }
    const path = `/assistants/${names.desk.assistant_id}`
    await rig.data('PUT', path, { name: 'Renamed' })
    expect(await toolsOf(names.desk)).toMatchObject([handoff(to(id))])
    const destination = to(one.liveId.toUpperCase())
    await rig.data('PUT', path, { name: 'Desk', model: { tools: [handoff(destination)] } })
    expect(await toolsOf(names.desk)).toMatchObject([handoff(to(id))])
    await rig.settle()
    expect(await rig.sweep()).toEqual([])
  })

  test('comes back with a version that named it, although nothing names it since', async () => {
    const one = await named()
    const desk = await make('Desk', { model: { tools: [handoff(to(one.liveId))] } })
    const path = `/assistants/${desk.assistant_id}`
    await rig.data('PUT', path, { name: 'Desk', model: { tools: [] } })
    await again(one, lose)
    await rig.settle()
    const id = await idNow(one)
    const versions = await rig.data<Body[]>('GET', `${path}/update-log`)
    const { status, body } = await rig.send('POST', `${path}/update-log/${versions.at(-1)?.id}/restore`)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('left_out')
    expect(await toolsOf(desk)).toMatchObject([handoff(to(id))])
    await rig.data('PUT', path, { name: 'Front desk' })
    expect(await toolsOf(desk)).toMatchObject([handoff(to(id))])
  })

  test('does not move to another workspace while it is named', async () => {
    const one = await named()
    await make('Desk', { model: { tools: [handoff(to(one.liveId))] } })
    await again(one, lose)
    await rig.settle()
    const at = kind === 'squad' ? `/squads/${await idNow(one)}` : one.path
    const message = `This ${kind} is named by the assistant "Desk". Take it out of there first.`
    expect(await give(one, at)).toMatchObject({ status: 409, body: { message } })
  })

  test.each(['save', 'theirs', 'merge'])('is named by an id in capitals that was adopted by %s', async (how) => {
    const one = await named()
    const desk = await make('Desk')
    const liveId = String(desk.voice_assistant_id)
    const { model } = await rig.outside.assistants.get(liveId)
    const tools = [handoff(to(one.liveId.toUpperCase()))]
    await rig.outside.assistants.update(liveId, { model: { ...model, tools } } as never)
    const path = `/assistants/${desk.assistant_id}`
    if (how === 'save') await rig.data('PUT', path, { name: 'Desk' })
    else await rig.data('POST', `${path}/reconcile`, { keep: how })
    const message = `This ${kind} is named by the assistant "Desk". Take it out of there first.`
    expect(await give(one, one.path)).toMatchObject({ status: 409, body: { message } })
    await again(one, lose)
    await rig.settle()
    expect(await toolsOf(desk)).toMatchObject([handoff(to(await idNow(one)))])
    expect(await rig.sweep()).toEqual([])
  })

  test('leaves what versions name freely as it is', async () => {
    const one = await named()
    const variableValues = { who: one.liveId }
    const desk = await make('Desk', { variableValues, model: { tools: [handoff(to(one.liveId))] } })
    const path = `/assistants/${desk.assistant_id}`
    await rig.data('PUT', path, { name: 'Front desk', variableValues: { who: 'nobody' } })
    await again(one, lose)
    await rig.settle()
    const versions = await rig.data<Body[]>('GET', `${path}/update-log`)
    const restored = await rig.data('POST', `${path}/update-log/${versions.at(-1)?.id}/restore`)
    expect(restored).toMatchObject({ metadata: { variable_values: variableValues } })
    expect(await toolsOf(desk)).toMatchObject([handoff(to(await idNow(one)))])
  })

  test('is named by a tool that hands calls to it', async () => {
    const one = await named()
    const operator = await rig.operator()
    const definition = { function: { name: 'pass_on' }, destinations: [to(one.liveId)] }
    const own = {
      label: 'Pass on',
      description: 'Passes the call on.',
      type: 'handoff',
      scope: 'own',
      owner_id: rig.user.userId,
      definition,
    }
    const tool = await rig.data('POST', '/admin/tools', own, operator)
    const message = `This ${kind} is named by the tool "Pass on". Take it out of there first.`
    expect(await give(one, one.path)).toMatchObject({ status: 409, body: { message } })
    await again(one, lose)
    await rig.settle()
    const destinations = [to(await idNow(one))]
    expect(await rig.data('GET', `/admin/tools/${tool.id}`, undefined, operator)).toMatchObject({
      definition: { destinations },
    })
    expect(await rig.outside.tools.get(String(tool.id))).toMatchObject({ destinations })
  })

  test('is still named where somebody changed the list around it before that was told', async () => {
    const one = await named()
    const desk = await make('Desk', { model: { tools: [handoff(to(one.liveId))] } })
    await lose(one.liveId)
    await rig.data('POST', `${one.path}/reconcile`, { keep: 'ours' })
    const liveId = String(desk.voice_assistant_id)
    const { model } = await rig.outside.assistants.get(liveId)
    const added = { type: 'endCall' }
    const tools = [handoff(to(one.liveId)), added]
    await rig.outside.assistants.update(liveId, { model: { ...model, tools } } as never)
    await rig.settle()
    const id = await idNow(one)
    const both = [handoff(to(id)), added]
    expect(await toolsOf(desk)).toMatchObject(both)
    await rig.data('PUT', `/assistants/${desk.assistant_id}`, { name: 'Front desk' })
    expect(await toolsOf(desk)).toMatchObject(both)
    expect(await rig.sweep()).toEqual([])
  })
})

test('a member that is made again goes on being handed over to by its live id', async () => {
  const [ann, bob] = [await make('Ann'), await make('Bob')]
  const destination = { type: 'assistant', assistantName: 'Bob', assistantId: bob.voice_assistant_id }
  const members = [
    { assistantId: ann.assistant_id, assistantDestinations: [destination] },
    { assistantId: bob.assistant_id },
  ]
  const { external_squad_id: id } = await publish('Team', { members })
  await rig.outside.assistants.delete(String(bob.voice_assistant_id))
  const again = await rig.data('POST', `/assistants/${bob.assistant_id}/reconcile`, { keep: 'ours' })
  await rig.settle()
  const read = await rig.data('GET', `/squads/${id}`)
  expect(read.members).toEqual([
    { ...members[0], assistantDestinations: [{ ...destination, assistantId: again.voice_assistant_id }] },
    members[1],
  ])
  await rig.data('PUT', `/squads/${id}`, { name: 'Crew', members: read.members })
})

test('a destination in capitals is one of the members, also of a draft whose member is made again', async () => {
  const [ann, bob] = [await make('Ann'), await make('Bob')]
  const to = (id: unknown) => ({ type: 'assistant', assistantName: 'Bob', assistantId: String(id).toUpperCase() })
  const membersWith = (id: unknown) => [
    { assistantId: ann.assistant_id, assistantDestinations: [to(id)] },
    { assistantId: bob.assistant_id },
  ]
  for (const id of [bob.assistant_id, bob.voice_assistant_id]) await publish('Team', { members: membersWith(id) })
  const members = membersWith(bob.voice_assistant_id)
  const { external_squad_id: draft } = await rig.data('POST', '/squads', { name: 'Draft', members })
  await rig.outside.assistants.delete(String(bob.voice_assistant_id))
  await rig.data('POST', `/assistants/${bob.assistant_id}/reconcile`, { keep: 'ours' })
  const read = await rig.data('GET', `/squads/${draft}`)
  expect(await rig.data('PUT', `/squads/${draft}`, read)).toMatchObject({ status: 'published' })
})

test('what callers name freely stays as it is', async () => {
  const [ann, bob] = [await make('Ann'), await make('Bob')]
  const liveId = String(bob.voice_assistant_id)
  const variableValues = { assistantId: liveId }
  const tools = [handoff({ type: 'assistant', assistantId: liveId })]
  const members = [{ assistantId: ann.assistant_id, assistantOverrides: { variableValues, 'tools:append': tools } }]
  const { external_squad_id: id } = await publish('Team', { members })
  await rig.outside.assistants.delete(liveId)
  const again = await rig.data('POST', `/assistants/${bob.assistant_id}/reconcile`, { keep: 'ours' })
  await rig.settle()
  const now = [handoff({ type: 'assistant', assistantId: again.voice_assistant_id })]
  const overrides = [{ assistantOverrides: { variableValues, 'tools:append': now } }]
  expect(await rig.data('GET', `/squads/${id}`)).toMatchObject({ members: overrides })
  expect(await rig.outside.squads.get(String(id))).toMatchObject({ members: overrides })
})
