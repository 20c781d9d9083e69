import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newTokenFor, type TestApp, testApp } from '../support/app.ts'
import { type Caller, caller, squadApart } from '../support/numbers/rig.ts'
import { violations } from '../support/voice-platform/description.ts'

let app: TestApp
let me: Caller
let anna: Awaited<ReturnType<Caller['assistant']>>
let bob: Awaited<ReturnType<Caller['assistant']>>

beforeAll(async () => {
  app = await testApp()
  me = await caller(app)
  anna = await me.assistant('Anna')
  bob = await me.assistant('Bob')
})
beforeEach(() => app.platform.faults.clear())

const draft = (body: object = { name: 'Front desk', members: [] }) => me.data(201, 'POST', '/squads', body)
const draftPath = async () => `/squads/${(await draft()).external_squad_id}`
const put = async (path: string, body: unknown) => {
  const answer = await me.send('PUT', path, body)
  return { status: answer.status, body: await answer.json() }
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const members = () => [{ assistantId: anna.assistant_id }, { assistantId: bob.assistant_id }]

test('a page of squads with more than 8 MB of text is refused', async () => {
  const other = await caller(app)
  const metadata = { note: 'x'.repeat(900_000) }
  for (let index = 0; index < 10; index++)
    await other.data(201, 'POST', '/squads', { name: 'Large', members: [], metadata })
  const refused = await other.send('GET', '/squads?per_page=10')
  const text = 'The per_page field is too high: these entries have more than 8 MB of text. Ask for fewer at a time.'
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: { per_page: [text] } }])
  expect((await other.send('GET', '/squads?per_page=8')).status).toBe(200)
})

test('a squad is drafted, listed, published as a new live squad, patched in place and deleted', async () => {
  const made = await me.send('POST', '/squads', { name: 'Café Desk!', metadata: { color: 'red' } })
  expect(made.status).toBe(201)
  const { success, data: drafted } = await made.json()
  expect(success).toBe(true)
  expect(drafted.external_squad_id).toMatch(/^draft_cafe-desk-[0-9a-f]{8}$/)
  expect(drafted).toEqual({
    name: 'Café Desk!',
    external_squad_id: drafted.external_squad_id,
    status: 'draft',
    user_id: me.userId,
    created_by: me.userId,
    reseller_id: String(me.resellerId),
    workspace_id: me.workspaceId,
    members: [],
    members_overrides: null,
    variable_values: null,
    metadata: { color: 'red' },
    created_at: expect.any(String),
    updated_at: expect.any(String),
    user: { id: me.userId, name: expect.any(String), email: expect.any(String) },
    creator: { id: me.userId, name: expect.any(String), email: expect.any(String) },
    memberCount: 0,
    entryAssistantName: '',
    createdAt: drafted.created_at,
    updatedAt: drafted.updated_at,
    coreData: { id: drafted.external_squad_id },
  })
  const draftAt = `/squads/${drafted.external_squad_id}`
  expect(await me.data(200, 'GET', draftAt)).toEqual(drafted)

  const sent = {
    name: 'Desk',
    members: [
      {
        assistantId: anna.assistant_id,
        assistantOverrides: { firstMessage: 'Welcome' },
        assistantDestinations: [
          {
            type: 'assistant',
            assistantName: 'Bob',
            assistantId: bob.assistant_id,
            message: 'One moment',
            description: 'For invoices',
            transferMode: 'delete-history',
          },
        ],
        position: { x: 10, y: -4.5 },
      },
      { assistantId: bob.voice_assistant_id, position: null },
    ],
    membersOverrides: { maxDurationSeconds: 120 },
    variableValues: { city: 'Austin' },
  }
  const published = await put(draftAt, sent)
  expect(published.status).toBe(200)
  const squad = published.body.data
  expect(squad.external_squad_id).toMatch(uuid)
  expect(squad).toMatchObject({
    status: 'published',
    name: 'Desk',
    memberCount: 2,
    entryAssistantName: 'Anna',
    coreData: { id: squad.external_squad_id },
    members_overrides: sent.membersOverrides,
    variable_values: sent.variableValues,
    metadata: { color: 'red' },
    members: [sent.members[0], { assistantId: bob.assistant_id, position: null }],
  })
  const live = await app.services.platform.squads.get(squad.external_squad_id)
  const create = app.platform.requests.findLast(({ method, path }) => method === 'POST' && path === '/squad')
  expect(violations('CreateSquadDTO', create?.body)).toEqual([])
  expect(live).toMatchObject({
    name: 'Desk',
    members: [
      {
        assistantId: anna.voice_assistant_id,
        assistantOverrides: { firstMessage: 'Welcome' },
        assistantDestinations: [
          {
            type: 'assistant',
            assistantName: 'Bob',
            message: 'One moment',
            description: 'For invoices',
            transferMode: 'delete-history',
          },
        ],
      },
      { assistantId: bob.voice_assistant_id },
    ],
    membersOverrides: { maxDurationSeconds: 120, variableValues: { city: 'Austin' } },
  })
  expect(JSON.stringify(live)).not.toMatch(/position|color/)
  const gone = await me.send('GET', draftAt)
  expect(gone.status).toBe(404)
  expect(await gone.json()).toEqual({ success: false, message: 'Squad not found' })
  expect((await me.send('PUT', draftAt, sent)).status).toBe(404)

  const at = `/squads/${squad.external_squad_id}`
  const changed = await put(at, { name: 'Desk 2', members: [{ assistantId: bob.assistant_id }], variableValues: null })
  expect(changed.body.data).toMatchObject({
    external_squad_id: squad.external_squad_id,
    status: 'published',
    memberCount: 1,
    entryAssistantName: 'Bob',
    members_overrides: sent.membersOverrides,
    variable_values: null,
  })
  expect(await squadApart(app, squad.external_squad_id)).toEqual([])
  expect((await app.services.platform.squads.get(squad.external_squad_id)).name).toBe('Desk 2')

  const listed = await (await me.send('GET', '/squads?search=desk')).json()
  expect(listed.data.map((one: { name: string }) => one.name)).toEqual(['Desk 2'])
  expect(listed.pagination).toMatchObject({ total: 1, per_page: 15 })
  const deleted = await me.send('DELETE', at)
  expect(await deleted.json()).toEqual({ success: true, message: 'Squad deleted successfully' })
  await expect(app.services.platform.squads.get(squad.external_squad_id)).rejects.toMatchObject({ kind: 'not_found' })
  expect((await me.send('GET', at)).status).toBe(404)
})

test('a draft is changed here only, and deleted', async () => {
  const path = await draftPath()
  const before = app.platform.requests.length
  expect((await me.send('DELETE', path)).status).toBe(200)
  expect((await me.send('GET', path)).status).toBe(404)
  expect(app.platform.requests.length).toBe(before)
})

test('a name that a member overrides is the one that counts', async () => {
  const named = [
    { assistantId: anna.assistant_id, assistantDestinations: [{ assistantName: 'Carla' }] },
    { assistantId: bob.assistant_id, assistantOverrides: { name: 'Carla' } },
  ]
  expect(await put(await draftPath(), { name: 'x', members: named })).toMatchObject({ status: 200 })
  const swapped = [named[1], { assistantId: anna.assistant_id }]
  const { body } = await put(await draftPath(), { name: 'x', members: swapped })
  expect(body.data.entryAssistantName).toBe('Carla')
})

describe('overrides that leave the engine open', () => {
  const open = {
    voice: { speed: 1 },
    model: { maxTokens: 100, temperature: 0.3 },
    transcriber: { language: 'en' },
    voicemailDetection: { enabled: true },
  }
  const speaking = async (name: string, voice: object) => {
    const admin = await caller(app, { role: 'admin' })
    const base = await admin.data(201, 'POST', '/admin/base-configs', { name, config: { voice } })
    return me.data(201, 'POST', '/v2/assistants', { name, base_config_id: base.id })
  }
  const liveSquad = async (id: string) => JSON.parse(JSON.stringify(await app.services.platform.squads.get(id)))

  test('of a member go with the engine that it has', async () => {
    const liz = await speaking('Liz', { provider: 'openai', voiceId: 'nova' })
    const member = { assistantId: liz.assistant_id, assistantOverrides: { ...open, firstMessage: 'Hi' } }
    const { status, body } = await put(await draftPath(), { name: 'x', members: [member] })
    expect([status, body.data.members[0].assistantOverrides]).toEqual([200, { ...open, firstMessage: 'Hi' }])
    const live = await liveSquad(body.data.external_squad_id)
    expect(live.members[0].assistantOverrides).toEqual({
      firstMessage: 'Hi',
      voice: { provider: 'openai', voiceId: 'nova', speed: 1 },
      model: { provider: 'openai', model: expect.any(String), maxTokens: 100, temperature: 0.3 },
      transcriber: { provider: expect.any(String), model: expect.any(String), language: 'en' },
      voicemailDetection: { provider: expect.any(String) },
    })
  })

  test('of all members go with the engine that all have, and name theirs where they have several', async () => {
    const liz = await speaking('Liz', { provider: 'openai', voiceId: 'nova' })
    const zoe = await speaking('Zoe', { provider: 'openai', voiceId: 'nova' })
    const max = await speaking('Max', { provider: '11labs', voiceId: 'sarah' })
    const membersOverrides = { voice: { speed: 1.1 }, firstMessage: 'Hello' }
    const alike = [{ assistantId: liz.assistant_id }, { assistantId: zoe.assistant_id }]
    const { status, body } = await put(await draftPath(), { name: 'x', members: alike, membersOverrides })
    expect([status, body.data.members_overrides]).toEqual([200, membersOverrides])
    const live = await liveSquad(body.data.external_squad_id)
    const voice = { provider: 'openai', voiceId: 'nova', speed: 1.1 }
    expect(live.membersOverrides).toMatchObject({ firstMessage: 'Hello', voice })
    expect(await squadApart(app, body.data.external_squad_id)).toEqual([])
    const several = [...alike, { assistantId: max.assistant_id }]
    expect(await put(await draftPath(), { name: 'x', members: several, membersOverrides })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Squad payload invalid: membersOverrides.voice.provider') },
    })
  })

  test('stay open when something is changed outside, also once a member has another engine', async () => {
    const liz = await speaking('Liz', { provider: 'openai', voiceId: 'nova' })
    const member = { assistantId: liz.assistant_id, assistantOverrides: { voice: { speed: 0.8 } } }
    const sent = { name: 'x', members: [member], membersOverrides: { model: { temperature: 0.3 } } }
    const { body } = await put(await draftPath(), sent)
    const id = body.data.external_squad_id
    const { platform } = app.services
    const changed = (live: Record<string, unknown>) => platform.squads.update(id, live as never)
    const { members, membersOverrides } = await liveSquad(id)
    const [first] = members
    await changed({
      members: [{ ...first, assistantOverrides: { ...first.assistantOverrides, firstMessage: 'Hi' } }],
      membersOverrides: { ...membersOverrides, endCallMessage: 'Bye' },
    })
    await platform.assistants.update(String(liz.voice_assistant_id), {
      voice: { provider: '11labs', voiceId: 'sarah' },
    } as never)
    await me.data(200, 'POST', `/assistants/${liz.assistant_id}/reconcile`, { keep: 'theirs' })
    expect(await me.data(200, 'POST', `/squads/${id}/reconcile`, { keep: 'theirs' })).toMatchObject({
      members: [{ assistantOverrides: { voice: { speed: 0.8 }, firstMessage: 'Hi' } }],
      members_overrides: { model: { temperature: 0.3 }, endCallMessage: 'Bye' },
    })
    await put(`/squads/${id}`, { ...sent, membersOverrides: { model: { temperature: 0.5 } } })
    const after = await liveSquad(id)
    expect(after.membersOverrides.model).toMatchObject({ provider: 'openai', temperature: 0.5 })
    expect(after.members[0].assistantOverrides.voice).toEqual({ provider: '11labs', voiceId: 'sarah', speed: 0.8 })
    expect(await squadApart(app, id)).toEqual([])
  })

  test('that name one go as they are', async () => {
    const voice = { provider: '11labs', voiceId: 'sarah', speed: 1 }
    const member = { assistantId: anna.assistant_id, assistantOverrides: { voice } }
    const { body } = await put(await draftPath(), { name: 'x', members: [member] })
    expect((await liveSquad(body.data.external_squad_id)).members[0].assistantOverrides).toEqual({ voice })
  })
})

describe('the platform', () => {
  test('rejecting a squad is a 422 that says why, on either side nothing changes', async () => {
    const path = await draftPath()
    const body = { name: 'x', members: [{ assistantId: anna.assistant_id, assistantOverrides: { firstMessage: 11 } }] }
    expect(await put(path, body)).toEqual({
      status: 422,
      body: {
        success: false,
        message: 'Squad payload invalid: members.0.assistantOverrides.firstMessage must be a string',
      },
    })
    expect(await me.data(200, 'GET', path)).toMatchObject({ status: 'draft', name: 'Front desk' })
  })

  test.each([
    ['failing', { mode: 'status', status: 500, times: 4 }],
    ['refusing our key', { mode: 'status', status: 403 }],
    ['out of reach', { mode: 'refuse', times: 4 }],
  ] as const)('%s is a 502', async (_, fault) => {
    const squad = await me.squad([anna.assistant_id])
    const at = `/squads/${squad.external_squad_id}`
    app.platform.faults.add({ method: 'PATCH', ...fault })
    expect(await put(at, { name: 'New', members: members() })).toEqual({
      status: 502,
      body: { success: false, message: 'Failed to publish the squad. Please try again.' },
    })
    app.platform.faults.clear()
    app.platform.faults.add({ method: 'DELETE', ...fault })
    const deleted = await me.send('DELETE', at)
    expect(deleted.status === 502 || deleted.status === 422).toBe(true)
    app.platform.faults.clear()
    await app.services.mirror.work.run()
    expect(await squadApart(app, squad.external_squad_id)).toEqual([])
  })

  test('that already lost the squad does not keep it from being deleted', async () => {
    const squad = await me.squad([anna.assistant_id])
    await app.services.platform.squads.delete(squad.external_squad_id)
    expect((await me.send('DELETE', `/squads/${squad.external_squad_id}`)).status).toBe(200)
  })

  test('is given one squad when a draft is published twice at once', async () => {
    const path = await draftPath()
    const body = { name: 'Twice', members: [{ assistantId: anna.assistant_id }] }
    const answers = await Promise.all([me.send('PUT', path, body), me.send('PUT', path, body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const twice = (await app.services.platform.squads.list({ limit: 1000 })).filter(({ name }) => name === 'Twice')
    expect(twice).toHaveLength(1)
  })
})

test('an assistant that a squad names cannot be deleted', async () => {
  const one = await me.assistant('Member')
  const squad = await me.squad([one.assistant_id])
  const refused = await me.send('DELETE', `/assistants/${one.assistant_id}`)
  expect(refused.status).toBe(409)
  expect(await refused.json()).toEqual({
    success: false,
    message: 'This assistant is a member of the squad "Team". Take it out of there first.',
  })
  expect((await app.services.platform.assistants.get(one.voice_assistant_id)).name).toBe('Member')
  await me.data(200, 'PUT', `/squads/${squad.external_squad_id}`, { name: 'Team', members: members() })
  expect((await me.send('DELETE', `/assistants/${one.assistant_id}`)).status).toBe(200)
})

test('an assistant is deleted or becomes a member, never both', async () => {
  for (let round = 0; round < 5; round += 1) {
    const one = await me.assistant()
    const path = await draftPath()
    const [removed, published] = await Promise.all([
      me.send('DELETE', `/assistants/${one.assistant_id}`),
      me.send('PUT', path, { name: 'Race', members: [{ assistantId: one.assistant_id }] }),
    ])
    expect([
      [200, 422],
      [409, 200],
    ]).toContainEqual([removed.status, published.status])
  }
})

test('a squad of another account is a 404, a viewer may not write, and an admin names the owner', async () => {
  const squad = await me.squad([anna.assistant_id])
  const at = `/squads/${squad.external_squad_id}`
  const body = { name: 'Team', members: members() }
  const stranger = await caller(app)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    expect((await stranger.send(method, at, method === 'PUT' ? body : undefined)).status, method).toBe(404)
  }
  const viewer = await caller(app, { workspaceId: me.workspaceId, resellerId: me.resellerId, workspaceRole: 'viewer' })
  expect((await viewer.send('GET', at)).status).toBe(200)
  expect((await viewer.send('PUT', at, body)).status).toBe(403)
  expect((await viewer.send('DELETE', at)).status).toBe(403)
  expect((await viewer.send('POST', '/squads', { name: 'x', members: [] })).status).toBe(403)
  const without = await caller(app, { features: ['phone_numbers'] })
  expect(await (await without.send('GET', '/squads')).json()).toMatchObject({ success: false, feature: 'squads' })

  const colleague = await caller(app, { workspaceId: me.workspaceId, resellerId: me.resellerId })
  expect((await me.data(200, 'PUT', at, { ...body, user_id: colleague.userId })).user_id).toBe(me.userId)
  const admin = await caller(app, { role: 'admin' })
  expect(await admin.data(200, 'PUT', at, { ...body, user_id: colleague.userId })).toMatchObject({
    user_id: colleague.userId,
    created_by: me.userId,
  })
  const nobody = await admin.send('PUT', at, { ...body, user_id: 2_000_000_000 })
  expect(await nobody.json()).toMatchObject({ errors: { user_id: ['The selected user_id does not exist.'] } })
})

test.each(['nothing', 'draft_', 'draft_unknown-00000000', '5f0c2f0e-3d3b-4a7e-9f5e-0d5a3a1c9b10'])(
  'the path id %s is a 404',
  async (id) => {
    const answer = await me.send('GET', `/squads/${id}`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ success: false, message: 'Squad not found' })
  },
)

test('a draft asked for again with its Idempotency-Key is the same draft', async () => {
  const body = { name: 'Keyed', members: [] }
  const token = await newTokenFor(app.database, me.userId)
  const send = () =>
    app.send('POST', '/squads', { token, body, headers: { 'idempotency-key': 'k1' } }).then((answer) => answer.json())
  expect(await send()).toEqual(await send())
})
