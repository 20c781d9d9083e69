import { VapiClient } from '@vapi-ai/server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servePlatform } from '../../src/voice-platform/embedded/serve.ts'
import { leavesBetween } from '../../src/voice-platform/mirror/agreement/leaves.ts'
import { markUnfinished } from '../../src/voice-platform/mirror/journal/mark.ts'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { newUser, type TestUser } from '../support/app.ts'
import { createRandom } from '../support/voice-platform/random-assistant.ts'
import { randomBody } from '../support/voice-platform/random-shape.ts'

let rig: DriftRig
let operator: TestUser
let sdk: VapiClient
let served: ReturnType<typeof servePlatform>

beforeAll(async () => {
  rig = await createDriftRig()
  operator = await newUser(rig.app.database, { role: 'admin' })
  served = servePlatform(rig.platform)
  sdk = new VapiClient({ token: 'sk_drift_test', environment: served.url, maxRetries: 0 })
})
afterAll(async () => {
  await served.stop()
  await rig.stop()
})

const asOperator = <T = Body>(method: string, path: string, body?: object) =>
  rig.data<T>(method, path, body, operator.token)
const candidates = (query = '') => asOperator<Body[]>('GET', `/imports/candidates?per_page=100${query}`)
const work = () => rig.app.services.adoptions.work.run()

/** An import from its start to its end. */
async function imported(body: object): Promise<Body> {
  const { id } = await asOperator('POST', '/imports', body)
  await work()
  return asOperator('GET', `/imports/${id}`)
}

/** What the platform has of an assistant, without what only the platform writes. */
async function contentOf(id: string): Promise<Body> {
  const { updatedAt: _moved, ...content } = { ...(await rig.outside.assistants.get(id)) }
  return content
}

const withoutMark = ({ metadata, ...content }: Body): Body => {
  const { external_ref: _mark, ...rest } = { ...(metadata as Body) }
  return { ...content, ...(Object.keys(rest).length > 0 && { metadata: rest }) }
}

const writesNow = () => rig.platform.requests.filter(({ method }) => method !== 'GET').length

/** The newest assistants, by their ids on the platform. */
async function assistantsByLiveId(): Promise<Map<unknown, Body>> {
  const rows = await asOperator<Body[]>('GET', '/assistants?per_page=100&sort_by=created_at&sort_order=desc')
  return new Map(rows.map((row) => [row.voice_assistant_id, row]))
}

async function assistantOf(voiceId: string): Promise<Body> {
  const found = (await assistantsByLiveId()).get(voiceId)
  if (!found) throw new Error(`no record of ${voiceId}`)
  return found
}

/** Objects of the account that is adopted whole; `IMPORT_OBJECTS=300` makes it a larger one. */
const accountSize = Number(process.env.IMPORT_OBJECTS ?? 100)

describe('every shape of an assistant', () => {
  const random = createRandom(20_400_211)
  const bodies = Array.from({ length: 60 }, () => randomBody(random, 'CreateAssistantDTO'))

  test('is adopted and saved without a change on the platform', async () => {
    const made: string[] = []
    for (const body of bodies) {
      const created = await rig.outside.assistants.create(body as never).catch(() => undefined)
      if (created) made.push(created.id)
    }
    // The rest has forms that the stand-in for the platform does not take.
    expect(made.length).toBeGreaterThan(30)
    const before = new Map(await Promise.all(made.map(async (id) => [id, await contentOf(id)] as const)))
    const done = await imported({ ids: made })
    expect(done).toMatchObject({ error: null, state: 'finished', total: made.length, pending: 0 })
    expect((done.items as Body[]).filter(({ state }) => state === 'refused')).toEqual([])
    const untouched = new Map(await Promise.all(made.map(async (id) => [id, await contentOf(id)] as const)))
    const records = await assistantsByLiveId()
    for (const id of made) {
      const ref = records.get(id)?.assistant_id
      await markUnfinished(rig.app.database.db, { kind: 'assistant', ref: String(ref) })
    }
    const writes = writesNow()
    await rig.settle()
    for (const id of made) {
      await asOperator('POST', `/assistants/${records.get(id)?.assistant_id}/reconcile`, { keep: 'ours' })
    }
    expect(writesNow()).toBe(writes)
    for (const id of made) {
      expect(await contentOf(id)).toEqual(untouched.get(id))
      const marked = await contentOf(id)
      expect(withoutMark(marked)).toEqual(withoutMark(before.get(id) ?? {}))
      const { assistant_id: ref, name } = { ...records.get(id) }
      expect((marked.metadata as Body).external_ref).toBe(ref)
      await asOperator('PUT', `/assistants/${ref}`, { name })
      await asOperator('PUT', `/assistants/${ref}/advanced`, { name })
      const { name: _given, ...saved } = await contentOf(id)
      const { name: _own, ...adopted } = marked
      expect(leavesBetween(adopted, saved)).toEqual([])
      expect(saved).toEqual(adopted)
    }
    expect(await rig.sweep()).toEqual([])
  }, 120_000)

  test('a save changes what it names, and keeps the rest', async () => {
    const created = await rig.outside.assistants.create({
      name: 'Kept',
      firstMessage: 'Hello.',
      voice: { provider: '11labs', voiceId: 'sarah', stability: 0.3 },
      model: {
        provider: 'openai',
        model: 'gpt-4o',
        temperature: 0.4,
        messages: [{ role: 'system', content: 'Brief.' }],
      },
      metadata: { team: 'north', company_name: 'Harbour' },
    } as never)
    await imported({ ids: [created.id] })
    const { assistant_id: ref, ...record } = await assistantOf(created.id)
    expect(record).toMatchObject({ name: 'Kept', first_message: 'Hello.', metadata: { company_name: 'Harbour' } })
    await asOperator('PUT', `/assistants/${ref}`, { name: 'Kept', voice: { voiceId: 'rachel' }, firstMessage: 'Hi.' })
    expect(await contentOf(created.id)).toMatchObject({
      firstMessage: 'Hi.',
      voice: { provider: '11labs', voiceId: 'rachel', stability: 0.3 },
      model: {
        provider: 'openai',
        model: 'gpt-4o',
        temperature: 0.4,
        messages: [{ role: 'system', content: 'Brief.' }],
      },
      metadata: { team: 'north', company_name: 'Harbour', external_ref: ref },
    })
    const log = await asOperator<Body[]>('GET', `/assistants/${ref}/update-log`)
    expect(log.map(({ source }) => source)).toEqual(['regular', 'import'])
  })
})

test('a candidate that names another one shows no id as kept', async () => {
  const { id: toolId } = await rig.outside.tools.create({ type: 'function', function: { name: 'named' } } as never)
  const model = { provider: 'openai', model: 'gpt-4o', toolIds: [toolId] }
  const created = await rig.outside.assistants.create({ name: 'Names a tool', model } as never)
  const kept = async () => (await candidates()).find((one) => one.voice_id === created.id)?.kept
  expect(await kept()).not.toContain('model.toolIds')
  await rig.outside.tools.delete(toolId)
  expect(await kept()).toContain('model.toolIds')
  await rig.outside.assistants.delete(created.id)
})

test('a squad and a number take over no override, hook or credential of what their workspace does not have', async () => {
  const { id: toolId } = await rig.outside.tools.create({ type: 'function', function: { name: 'strange' } } as never)
  const member = await rig.outside.assistants.create({ name: 'Member' })
  const overrides = { firstMessage: 'Hello', model: { provider: 'openai', model: 'gpt-4o', toolIds: [toolId] } }
  const squad = await rig.outside.squads.create({
    name: 'Overridden',
    members: [{ assistantId: member.id }],
    membersOverrides: overrides,
  } as never)
  const credentialId = 'c0ffee00-0000-4000-8000-000000000000'
  const number = await rig.outside.phoneNumbers.create({
    provider: 'twilio',
    number: '+14155559876',
    twilioAccountSid: 'AC0123456789abcdef0123456789abcdef',
    twilioAuthToken: 'token',
    server: { url: 'https://a.example', credentialId },
  } as never)
  await imported({ ids: [member.id, squad.id, number.id] })
  const record = await asOperator('GET', `/squads/${squad.id}`)
  expect(record.members_overrides).toMatchObject({ firstMessage: 'Hello' })
  expect(JSON.stringify(record)).not.toContain(toolId)
  expect(JSON.stringify(await asOperator('GET', '/phone-numbers/14155559876'))).not.toContain(credentialId)
  await asOperator('PUT', `/squads/${squad.id}`, { name: 'Saved', members: record.members })
  await asOperator('PUT', '/phone-numbers/14155559876', { name: 'Saved' })
  expect(await rig.outside.squads.get(squad.id)).toMatchObject({ name: 'Saved', membersOverrides: overrides })
  expect(await rig.outside.phoneNumbers.get(number.id)).toMatchObject({ name: 'Saved', server: { credentialId } })
  await asOperator('PUT', '/phone-numbers/14155559876', { server: { url: 'https://b.example' } })
  expect(JSON.stringify(await rig.outside.phoneNumbers.get(number.id))).not.toContain(credentialId)
  for (const path of ['/phone-numbers/14155559876', `/squads/${squad.id}`]) await asOperator('DELETE', path)
  await rig.outside.tools.delete(toolId)
})

test('an assistant takes no tool into its record that its workspace does not have, and keeps it on the platform', async () => {
  const make = async (name: string) =>
    (await rig.outside.tools.create({ type: 'function', function: { name } } as never)).id
  const [mine, strange] = [await make('mine'), await make('strange')]
  const model = { provider: 'openai', model: 'gpt-4o', toolIds: [mine, strange] }
  const created = await rig.outside.assistants.create({ name: 'Equipped', model } as never)
  expect(await imported({ ids: [mine] })).toMatchObject({ adopted: 1, items: [{ name: 'mine', resource: mine }] })
  await imported({ ids: [created.id] })
  const { assistant_id: ref } = await assistantOf(created.id)
  const [stored] = await rig.app.database.sql`select config from assistants where assistant_id = ${String(ref)}`
  expect(stored?.config.model.toolIds).toEqual([mine])
  await asOperator('PUT', `/assistants/${ref}`, { name: 'Renamed' })
  expect(await contentOf(created.id)).toMatchObject({ name: 'Renamed', model: { toolIds: [mine, strange] } })
  await rig.outside.assistants.delete(created.id)
  for (const id of [mine, strange]) await rig.outside.tools.delete(id)
  await asOperator('POST', `/assistants/${ref}/reconcile`, { keep: 'theirs' })
})

test('an object that names what another workspace has is refused, and says so', async () => {
  const theirs = await rig.data('POST', '/assistants', { name: 'Theirs' })
  const entry = { label: 'Private', description: 'Asks.', type: 'function', scope: 'own', owner_id: rig.user.userId }
  const { id: toolId } = await asOperator('POST', '/admin/tools', entry)
  const engine = { provider: 'openai', model: 'gpt-4o' }
  const destinations = [{ type: 'assistant', assistantId: theirs.voice_assistant_id }]
  for (const [what, model] of [
    [`the tool ${toolId}`, { ...engine, toolIds: [toolId] }],
    [`the assistant ${theirs.voice_assistant_id}`, { ...engine, tools: [{ type: 'handoff', destinations }] }],
  ] as const) {
    const created = await rig.outside.assistants.create({ name: 'Naming', model } as never)
    const reason = `It names ${what}, which another workspace has.`
    const found = await candidates('&kind=assistant')
    const candidate = { importable: false, reason, kept: [] }
    expect(found.find(({ voice_id }) => voice_id === created.id)).toMatchObject(candidate)
    expect(await imported({ ids: [created.id] })).toMatchObject({ refused: 1, items: [{ state: 'refused', reason }] })
    expect((await rig.outside.assistants.get(created.id)).metadata ?? {}).toEqual({})
    await rig.outside.assistants.delete(created.id)
  }
  const handoff = await rig.outside.tools.create({ type: 'handoff', destinations } as never)
  const named = `It names the assistant ${theirs.voice_assistant_id}. Make it here with its definition instead.`
  expect(await imported({ ids: [handoff.id] })).toMatchObject({ refused: 1, items: [{ reason: named }] })
  await rig.outside.tools.delete(handoff.id)
  const member = await rig.outside.assistants.create({ name: 'Member' })
  const squad = await rig.outside.squads.create({
    name: 'Naming',
    members: [{ assistantId: member.id }],
    membersOverrides: { model: { ...engine, toolIds: [toolId] } },
  } as never)
  const done = await imported({ ids: [member.id, squad.id] })
  expect(done).toMatchObject({ adopted: 1, refused: 1 })
  const reason = `It names the tool ${toolId}, which another workspace has.`
  expect((done.items as Body[]).find(({ voice_id }) => voice_id === squad.id)).toMatchObject({ reason })
  await rig.outside.squads.delete(squad.id)
})

test('an object that something of another workspace names already is refused, and no tool is made somebody’s own then', async () => {
  const { id: toolId } = await rig.outside.tools.create({ type: 'function', function: { name: 'named' } } as never)
  const { id: deskId } = await rig.outside.assistants.create({ name: 'Desk' })
  const destinations = [{ type: 'assistant', assistantId: deskId }]
  const engine = { provider: 'openai', model: 'gpt-4o' }
  const model = { ...engine, toolIds: [toolId], tools: [{ type: 'handoff', destinations }] }
  const { id: naming } = await rig.outside.assistants.create({ name: 'Naming', model } as never)
  expect(await imported({ ids: [naming] })).toMatchObject({ adopted: 1 })
  const owner = await newUser(rig.app.database)
  await asOperator('PATCH', `/admin/workspaces/${owner.workspaceId}`, { owner_id: owner.userId })
  const elsewhere = await imported({ ids: [toolId, deskId], workspace_id: owner.workspaceId })
  const reason = 'It is named by the assistant Naming, which another workspace has.'
  expect(elsewhere).toMatchObject({ refused: 2, items: [{ reason }, { reason }] })
  const entry = { id: toolId, label: 'Named', description: 'Asks.', type: 'function', scope: 'own' }
  const body = { ...entry, owner_id: owner.userId }
  expect(await rig.send('POST', '/admin/tools', body, operator.token)).toMatchObject({
    status: 422,
    body: { errors: { owner_id: ['The tool Named is in use by the assistant Naming.'] } },
  })
  expect(await imported({ ids: [toolId, deskId] })).toMatchObject({ adopted: 2 })
})

test('candidates are what has no record, with what would be kept and why something cannot be imported', async () => {
  const { id } = await rig.outside.assistants.create({ name: 'Lost', silenceTimeoutSeconds: undefined } as never)
  const other = await rig.outside.assistants.create({ name: 'Theirs', metadata: { external_ref: 'another' } } as never)
  await rig.data('POST', '/assistants', { name: 'Ours' })
  const found = await candidates('&kind=assistant')
  expect(found.find(({ voice_id }) => voice_id === id)).toMatchObject({ name: 'Lost', importable: true, reason: null })
  expect(found.find(({ voice_id }) => voice_id === other.id)).toMatchObject({
    importable: false,
    reason: 'It has the mark of an installation: name it by its id to take it over.',
  })
  expect(found.map(({ name }) => name)).not.toContain('Ours')
})

test('what is missing since a restore is refused with the reason when all is asked for, and adopted by its ids', async () => {
  const { voice_assistant_id: desk } = await rig.data('POST', '/assistants', { name: 'Made since' })
  const { id: number } = await rig.outside.phoneNumbers.create({
    ...{ provider: 'twilio', number: '+14155559888', assistantId: desk },
    ...{ twilioAccountSid: 'AC0123456789abcdef0123456789abcdef', twilioAuthToken: 'token' },
  } as never)
  await rig.app.database.sql`delete from assistants where voice_assistant_id = ${String(desk)}`
  const of = ({ items }: Body, id: unknown) => (items as Body[]).find(({ voice_id }) => voice_id === id)
  const left = { state: 'refused', reason: 'It has the mark of an installation: name it by its id to take it over.' }
  expect(of(await asOperator('POST', '/imports', { all: true, dry_run: true }), desk)).toMatchObject(left)
  const all = await imported({ all: true })
  expect(of(all, desk)).toMatchObject(left)
  expect(of(all, number)).toMatchObject({ state: 'refused' })
  expect(await imported({ ids: [number, desk] })).toMatchObject({ adopted: 2, refused: 0 })
  expect((await assistantOf(String(desk))).name).toBe('Made since')
})

test('who walks the candidates by cursor meets each once, also when the last one seen was adopted meanwhile', async () => {
  for (const name of ['First', 'Second', 'Third']) await rig.outside.assistants.create({ name })
  const all = (await candidates('&kind=assistant')).map(({ voice_id }) => voice_id)
  const seen: unknown[] = []
  for (let cursor: unknown = ''; cursor !== null; ) {
    const path = `/imports/candidates?kind=assistant&per_page=1&cursor=${cursor}`
    const { body } = await rig.send('GET', path, undefined, operator.token)
    const [one] = body.data as Body[]
    seen.push(one?.voice_id)
    if (seen.length === 1) await imported({ ids: [one?.voice_id] })
    cursor = (body.pagination as Body).next_cursor
  }
  expect(seen).toEqual(all)
})

test('a dry run writes nothing anywhere', async () => {
  const { id } = await rig.outside.assistants.create({ name: 'Dry' })
  const writes = writesNow()
  const dry = await asOperator('POST', '/imports', { ids: [id], dry_run: true })
  expect(dry).toMatchObject({
    id: null,
    state: 'dry_run',
    total: 1,
    pending: 1,
    items: [{ voice_id: id, state: 'pending' }],
  })
  await work()
  expect(writesNow()).toBe(writes)
  expect((await candidates('&kind=assistant')).map(({ voice_id }) => voice_id)).toContain(id)
})

test('is for operators alone, who say whose it becomes', async () => {
  const { id } = await rig.outside.assistants.create({ name: 'Given' })
  for (const call of [
    ['GET', '/imports/candidates'],
    ['POST', '/imports', { ids: [id] }],
    ['GET', '/imports/1'],
  ] as const) {
    const [method, path, body]: readonly [string, string, object?] = call
    expect(await rig.send(method, path, body)).toMatchObject({
      status: 403,
      body: { message: 'Only an operator may do this.' },
    })
  }
  const owner = await newUser(rig.app.database)
  const refused = await rig.send('POST', '/imports', { ids: [id], workspace_id: owner.workspaceId }, operator.token)
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { workspace_id: ['The workspace has no owner yet.'] } },
  })
  await asOperator('PATCH', `/admin/workspaces/${owner.workspaceId}`, { owner_id: owner.userId })
  expect(await imported({ ids: [id], workspace_id: owner.workspaceId })).toMatchObject({ adopted: 1 })
  const mine = await rig.data<Body[]>('GET', '/assistants', undefined, owner.token)
  expect(mine).toMatchObject([{ name: 'Given', user_id: owner.userId, workspace_id: owner.workspaceId }])
  expect((await rig.send('POST', '/imports', { ids: [id] }, operator.token)).body).toMatchObject({
    errors: { 'ids.0': ['The selected ids.0 is no candidate.'] },
  })
  expect((await rig.send('POST', '/imports', {}, operator.token)).status).toBe(422)
  expect((await rig.send('GET', '/imports/999999', undefined, operator.token)).body).toMatchObject({
    message: 'Import not found',
  })
})

test('an account that was made with the official SDK is adopted whole, in the order of what names what', async () => {
  const tool = await sdk.tools.create({
    type: 'function',
    function: { name: 'look_up', description: 'Looks up.' },
  } as never)
  const toolId = (tool as { id: string }).id
  const assistants: string[] = []
  for (let index = 0; index < accountSize - 30; index++) {
    const { id } = await sdk.assistants.create({
      name: `Bulk ${index}`,
      firstMessage: `Hello ${index}.`,
      model: {
        provider: 'openai',
        model: 'gpt-4o',
        messages: [{ role: 'system', content: `Be ${index}.` }],
        toolIds: [toolId],
      },
      ...(index % 3 === 0 && { silenceTimeoutSeconds: undefined, backgroundSound: 'office' }),
      ...(index % 5 === 0 && {
        artifactPlan: { recordingEnabled: false },
        server: { url: 'https://hooks.example.com/x' },
      }),
    } as never)
    assistants.push(id)
  }
  const squads: string[] = []
  for (let index = 0; index < 20; index++) {
    const members = [{ assistantId: assistants[index] }, { assistantId: assistants[index + 20] }]
    squads.push((await sdk.squads.create({ name: `Team ${index}`, members } as never)).id)
  }
  const numbers: string[] = []
  for (let index = 0; index < 9; index++) {
    const number = await sdk.phoneNumbers.create({
      provider: 'twilio',
      number: `+1415555${String(1000 + index)}`,
      twilioAccountSid: 'AC0123456789abcdef0123456789abcdef',
      twilioAuthToken: 'token',
      ...(index % 2 ? { assistantId: assistants[index] } : { squadId: squads[index] }),
    } as never)
    numbers.push(number.id)
  }
  const all = [toolId, ...assistants, ...squads, ...numbers]
  expect(all).toHaveLength(accountSize)
  const contents = async () => {
    const lists = [
      ...(await rig.outside.assistants.list({ limit: 1000 })),
      ...(await rig.outside.squads.list({ limit: 1000 })),
      ...(await rig.outside.phoneNumbers.list({ limit: 1000 })),
    ].filter(({ id }) => all.includes(id))
    return new Map(lists.map(({ updatedAt: _moved, ...content }) => [content.id, content as unknown as Body]))
  }

  // Numbers first in the request: the order is the import's own.
  const { id } = await asOperator('POST', '/imports', { ids: all.toReversed() })
  expect((await rig.send('POST', '/imports', { all: true }, operator.token)).body).toMatchObject({
    message: 'Another import is still running.',
  })
  // Killed in the middle, more than once: another process goes on.
  for (const stopAfter of [20, 60]) {
    const asked = rig.platform.requests.length
    const services = (await rig.another()).services
    const running = services.adoptions.work.run()
    while (rig.platform.requests.length < asked + stopAfter) await Bun.sleep(1)
    services.adoptions.stop()
    await running
    expect(await asOperator('GET', `/imports/${id}`)).toMatchObject({ state: 'running', total: accountSize })
  }
  await work()
  const done = await asOperator('GET', `/imports/${id}`)
  expect((done.items as Body[]).filter(({ state }) => state !== 'adopted')).toEqual([])
  expect(done).toMatchObject({
    state: 'finished',
    total: accountSize,
    adopted: accountSize,
    refused: 0,
    pending: 0,
    error: null,
  })

  const adopted = await contents()
  const mine = async (path: string) => {
    const found: Body[] = []
    for (let page = 1; ; page++) {
      const rows = await asOperator<Body[]>('GET', `${path}per_page=100&page=${page}`)
      found.push(...rows)
      if (rows.length < 100) return found
    }
  }
  for (const row of await mine('/assistants?')) {
    if (!all.includes(String(row.voice_assistant_id))) continue
    await asOperator('PUT', `/assistants/${row.assistant_id}`, { name: row.name })
  }
  for (const row of (await mine('/squads?')).filter(({ external_squad_id: one }) => squads.includes(String(one)))) {
    await asOperator('PUT', `/squads/${row.external_squad_id}`, { name: row.name, members: row.members })
  }
  const routed = (await mine('/phone-numbers?')).filter(({ phone_number: one }) => String(one).startsWith('+14155551'))
  expect(routed).toHaveLength(9)
  for (const row of routed) {
    expect(row.voice_assistant_id ?? row.voice_squad_id).not.toBeNull()
    await asOperator('PUT', `/phone-numbers/${String(row.phone_number).slice(1)}`, { name: row.name })
  }
  expect(await contents()).toEqual(adopted)
  expect(await rig.sweep()).toEqual([])
}, 240_000)

test('a try that died after the object was marked is done again', async () => {
  const { id } = await rig.outside.assistants.create({ name: 'Twice' })
  const { id: job } = await asOperator('POST', '/imports', { ids: [id] })
  rig.platform.faults.add({ method: 'PATCH', path: new RegExp(id), mode: 'drop_after', times: 1 })
  await work()
  await rig.app.database.sql`update imports set due_at = now() - interval '1 second' where finished_at is null`
  await work()
  expect(await asOperator('GET', `/imports/${job}`)).toMatchObject({ state: 'finished', adopted: 1 })
  const marks = [await contentOf(id)].map(({ metadata }) => (metadata as Body).external_ref)
  expect(marks).toEqual([(await assistantOf(id)).assistant_id])
})

test('an object that the platform fails to show holds up no other, and is refused after ten tries', async () => {
  const broken = await rig.outside.assistants.create({ name: 'Broken' })
  const whole = await rig.outside.assistants.create({ name: 'Whole' })
  rig.platform.faults.add({ method: 'GET', path: new RegExp(broken.id), mode: 'status', status: 500, times: 1_000 })
  try {
    const { id: job } = await asOperator('POST', '/imports', { ids: [broken.id, whole.id] })
    await work()
    expect(await asOperator('GET', `/imports/${job}`)).toMatchObject({ state: 'running', adopted: 1, pending: 1 })
    for (let tries = 1; tries < 10; tries++) {
      await rig.app.database.sql`update imports set due_at = now() - interval '1 second' where finished_at is null`
      await work()
    }
    const { items, ...ended } = await asOperator('GET', `/imports/${job}`)
    expect(ended).toMatchObject({ state: 'finished', adopted: 1, refused: 1, error: null })
    const reason = 'The live platform has failed 10 times to show it.'
    expect(items).toContainEqual(expect.objectContaining({ voice_id: broken.id, state: 'refused', reason }))
  } finally {
    rig.platform.faults.clear()
  }
}, 60_000)

test('while the platform shows no object, or takes no write, an import waits, however often it is tried', async () => {
  const { id } = await rig.outside.assistants.create({ name: 'Waits' })
  await rig.outside.assistants.create({ name: 'Stays' })
  const { id: job } = await asOperator('POST', '/imports', { ids: [id] })
  try {
    for (const [method, path] of [
      ['GET', /assistant\/./],
      ['PATCH', new RegExp(id)],
    ] as const) {
      rig.platform.faults.add({ method, path, mode: 'status', status: 500, times: 1_000 })
      for (let tries = 0; tries < 11; tries++) {
        await work()
        await rig.app.database.sql`update imports set due_at = now() - interval '1 second' where finished_at is null`
      }
      expect(await asOperator('GET', `/imports/${job}`)).toMatchObject({ state: 'running', pending: 1 })
      rig.platform.faults.clear()
    }
    await work()
    expect(await asOperator('GET', `/imports/${job}`)).toMatchObject({ state: 'finished', adopted: 1 })
  } finally {
    rig.platform.faults.clear()
  }
}, 60_000)
