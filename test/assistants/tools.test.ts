import { beforeAll, describe, expect, test } from 'vitest'
import { newAssistant } from '../calls/call.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { addTools, attachOutside } from '../support/rows/assistants.ts'

let app: TestApp
let user: TestUser
let stranger: TestUser
const ids: Record<'own' | 'global' | 'locked' | 'foreign', string> = {
  own: crypto.randomUUID(),
  global: crypto.randomUUID(),
  locked: crypto.randomUUID(),
  foreign: crypto.randomUUID(),
}

beforeAll(async () => {
  app = await testApp()
  user = await newUser(app.database)
  stranger = await newUser(app.database)
  const tool = { description: 'Does it', type: 'function' }
  await addTools(app.database, [
    { id: ids.own, label: 'A own', scope: 'own', ownerId: user.userId, ...tool },
    { id: ids.global, label: 'Z global', scope: 'global', ...tool },
    { id: ids.locked, label: 'Y locked', scope: 'global', locked: true, ...tool },
    { id: ids.foreign, label: 'B foreign', scope: 'own', ownerId: stranger.userId, ...tool },
  ])
})

const picks = async (query: string, token = user.token) => {
  const answer = await app.send('GET', `/assistants/tools${query}`, { token })
  const { success, data, locked_tool_ids } = await answer.json()
  expect([answer.status, success]).toEqual([200, true])
  const known = Object.values(ids)
  return {
    labels: data
      .filter(({ value }: { value: string }) => known.includes(value))
      .map(({ label }: { label: string }) => label),
    locked: locked_tool_ids.filter((id: string) => known.includes(id)),
    first: data[0],
  }
}

describe('GET /assistants/tools', () => {
  test('global tools first, then own ones; locked ids apart', async () => {
    const { labels, locked, first } = await picks('')
    expect(labels).toEqual(['Y locked', 'Z global', 'A own'])
    expect(locked).toEqual([ids.locked])
    expect(Object.keys(first).sort()).toEqual(['description', 'label', 'locked', 'scope', 'type', 'value'])
  })

  test.each([
    [`?include=${ids.foreign},nonsense`],
    [`?include=${ids.own}&include=${ids.foreign}`],
    [`?include[]=${ids.foreign}`],
  ])('%s resolves the label of what an assistant of the workspace has, and of nothing else', async (query) => {
    expect((await picks(query)).labels).toEqual(['Y locked', 'Z global', 'A own'])
    const keeper = await newUser(app.database)
    expect((await picks(query, keeper.token)).labels).toEqual(['Y locked', 'Z global'])
    const { assistantId } = await newAssistant(app, keeper)
    await attachOutside(app.database, assistantId, [ids.foreign, ids.own])
    const asked = [ids.own, ids.foreign].filter((id) => query.includes(id))
    const labels = { [ids.own]: 'A own', [ids.foreign]: 'B foreign' }
    const expected = ['Y locked', 'Z global', ...asked.map((id) => labels[id])]
    expect((await picks(query, keeper.token)).labels).toEqual(expected)
  })

  test('owner_id is honoured for admin roles within what they see', async () => {
    expect((await picks(`?owner_id=${stranger.userId}`)).labels).toEqual(['Y locked', 'Z global', 'A own'])
    const admin = await newUser(app.database, { role: 'admin' })
    expect((await picks(`?owner_id=${stranger.userId}`, admin.token)).labels).toEqual([
      'Y locked',
      'Z global',
      'B foreign',
    ])
    const resellerAdmin = await newUser(app.database, { role: 'reseller_admin', resellerId: user.resellerId })
    expect((await picks(`?owner_id=${user.userId}`, resellerAdmin.token)).labels).toEqual([
      'Y locked',
      'Z global',
      'A own',
    ])
    expect((await picks(`?owner_id=${stranger.userId}`, resellerAdmin.token)).labels).toEqual(['Y locked', 'Z global'])
  })
})

describe('attaching', () => {
  const create = async (model: object) => {
    const answer = await app.send('POST', '/assistants', { token: user.token, body: { name: 'T', model } })
    return { status: answer.status, ...(await answer.json()) }
  }
  const update = async (id: string, model: object | null) => {
    const answer = await app.send('PUT', `/assistants/${id}`, { token: user.token, body: { name: 'T', model } })
    return (await answer.json()).data
  }

  test('toolIds and tools both take ids, on both sides', async () => {
    const { data } = await create({ toolIds: [ids.own], tools: [ids.global, { value: ids.locked }] })
    expect(data.model.toolIds).toEqual([ids.own, ids.global, ids.locked])
    const live = await app.services.platform.assistants.get(data.voice_assistant_id)
    expect(live.model).toMatchObject({ toolIds: [ids.own, ids.global, ids.locked] })
  })

  test('an assistant that moves to another workspace leaves the tools of its old one behind, on both sides', async () => {
    const { data } = await create({ toolIds: [ids.own, ids.global, ids.locked] })
    const admin = await newUser(app.database, { role: 'admin' })
    const body = { name: 'T', user_id: stranger.userId }
    const moved = await app.send('PUT', `/assistants/${data.assistant_id}`, { token: admin.token, body })
    expect((await moved.json()).data).toMatchObject({
      workspace_id: stranger.workspaceId,
      model: { toolIds: [ids.global, ids.locked] },
    })
    const live = await app.services.platform.assistants.get(data.voice_assistant_id)
    expect(live.model).toMatchObject({ toolIds: [ids.global, ids.locked] })
  })

  test.each([
    ['another list', { toolIds: [ids.own] }, [ids.locked, ids.own]],
    ['an empty list', { tools: [] }, [ids.locked]],
    ['null', { toolIds: null }, [ids.locked]],
    ['a cleared model', null, [ids.locked]],
    ['nothing about tools', { maxTokens: 60 }, [ids.locked, ids.global]],
  ])('a locked tool stays attached after %s', async (_what, model, expected) => {
    const { data } = await create({ toolIds: [ids.locked, ids.global] })
    expect((await update(data.assistant_id, model)).model.toolIds).toEqual(expected)
  })

  test.each([
    ['a tool of another account', [ids.own, ids.foreign], { 'model.toolIds.1': ['The selected tool does not exist.'] }],
    ['no UUID', ['x'], { 'model.toolIds.0': ['The model.toolIds.0 field must be a valid UUID.'] }],
  ])('%s is refused', async (_what, toolIds, errors) => {
    expect(await create({ toolIds })).toMatchObject({ status: 422, success: false, errors })
  })

  test('an assistant gets no tool of another workspace from those who see both', async () => {
    const admin = await newUser(app.database, { role: 'admin' })
    const seller = await newUser(app.database, { role: 'reseller_admin', resellerId: stranger.resellerId })
    const { data } = await create({})
    const errors = { 'model.toolIds.0': ['The selected tool does not exist.'] }
    const body = { name: 'T', model: { toolIds: [ids.foreign] } }
    for (const [method, path, { token }] of [
      ['PUT', `/assistants/${data.assistant_id}`, admin],
      ['PUT', `/assistants/${data.assistant_id}/advanced`, admin],
      ['POST', '/assistants', seller],
    ] as const) {
      const refused = await app.send(method, path, { token, body })
      expect(refused.status).toBe(422)
      expect(await refused.json()).toMatchObject({ errors })
    }
    const given = await app.send('POST', '/assistants', {
      token: seller.token,
      body: { ...body, user_id: stranger.userId },
    })
    expect(given.status).toBe(201)
  })

  test.each([
    ['nothing', {}],
    ['a type that is no text', { type: 7 }],
    ['an empty type', { type: '' }],
  ])('a tool in place that says %s of what it is, is refused', async (_what, tool) => {
    const errors = { 'model.tools.1.type': ['The model.tools.1.type field is required.'] }
    expect(await create({ tools: [{ type: 'endCall' }, tool] })).toMatchObject({ status: 422, success: false, errors })
  })

  test('a tool that only the platform knows is refused: it may be anybody’s', async () => {
    const errors = { 'model.toolIds.0': ['The selected tool does not exist.'] }
    expect(await create({ toolIds: [crypto.randomUUID()] })).toMatchObject({ status: 422, errors })
  })
})
