import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, callerOf, operator, refusal, someEmail } from '../admin/caller.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'

let app: TestApp
let admin: Caller
let me: Caller
let stranger: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})
beforeEach(async () => {
  me = callerOf(app, await newUser(app.database))
  stranger = callerOf(app, await newUser(app.database))
})

const entry = { label: 'Pass on', description: 'Passes the call on.', type: 'handoff' }
const own = (owner_id: unknown, definition: object | null) => ({ ...entry, scope: 'own', owner_id, definition })
const global = (definition: object) => ({ ...entry, scope: 'global', definition })
const make = (body: object) => admin.send('POST', '/admin/tools', body)
const made = async (body: object) => String((await admin.data('POST', '/admin/tools', body)).id)
const live = (id: unknown) => app.services.platform.tools.get(String(id))
const to = (destination: object) => ({ destinations: [{ type: 'assistant', ...destination }] })

const assistantOf = (caller: Caller) => caller.data('POST', '/assistants', { name: 'Desk' })

async function squadOf(caller: Caller) {
  const { external_squad_id: draft } = await caller.data('POST', '/squads', { name: 'Team', members: [] })
  const members = [{ assistantId: (await assistantOf(caller)).assistant_id }]
  return caller.data('PUT', `/squads/${draft}`, { name: 'Team', members })
}

async function credentialOf({ workspaceId }: Caller) {
  const id = crypto.randomUUID()
  await admin.data('PATCH', `/admin/workspaces/${workspaceId}`, { webhook_credentials: [id] })
  return id
}

const overridden = (assistantOverrides: object) => to({ assistantName: 'Desk', assistantOverrides })
const toolIn = (id: string) => overridden({ model: { toolIds: [id] } })
const askedWith = (credentialId: string) =>
  overridden({ server: { url: 'https://shop.example.com/calls', credentialId } })

interface Case {
  kind: string
  path: string
  define(of: Caller): Promise<{ id: string; definition: object }>
}

const hand = async (assistant: object) => {
  const id = String(Reflect.get(assistant, 'voice_assistant_id'))
  return { id, definition: to({ assistantId: id }) }
}

const cases: Case[] = [
  { kind: 'assistant', path: 'destinations.0.assistantId', define: async (of) => hand(await assistantOf(of)) },
  {
    kind: 'assistant',
    path: 'destinations.0.assistantId',
    async define(of) {
      const { id } = await hand(await assistantOf(of))
      return { id, definition: to({ assistantId: ` ${id.toUpperCase()}` }) }
    },
  },
  {
    kind: 'squad',
    path: 'destinations.0.squadId',
    async define(of) {
      const { external_squad_id: squadId } = await squadOf(of)
      return { id: String(squadId), definition: { destinations: [{ type: 'squad', squadId }] } }
    },
  },
  {
    kind: 'tool',
    path: 'destinations.0.assistantOverrides.model.toolIds.0',
    async define(of) {
      const id = await made(own(of.userId, null))
      return { id, definition: toolIn(id) }
    },
  },
  {
    kind: 'credential',
    path: 'destinations.0.assistantOverrides.server.credentialId',
    async define(of) {
      const id = await credentialOf(of)
      return { id, definition: askedWith(id) }
    },
  },
]

describe.each(cases)('an own tool that names the $kind at $path', ({ kind, path, define }) => {
  const refused = refusal(`definition.${path}`, `The selected ${kind} does not exist.`)

  test('is made and replaced for the workspace that has it, and no other', async () => {
    const { definition } = await define(me)
    const asked = app.platform.requests.length
    expect(await make(own(stranger.userId, definition))).toMatchObject(refused)
    const id = await made(own(stranger.userId, null))
    expect(await admin.send('PUT', `/admin/tools/${id}`, own(stranger.userId, definition))).toMatchObject(refused)
    const written = app.platform.requests.slice(asked).filter(({ method }) => method !== 'GET')
    expect(written.map(({ method }) => method)).toEqual(['POST'])
    const mine = await made(own(me.userId, definition))
    expect((await admin.send('PUT', `/admin/tools/${mine}`, own(me.userId, definition))).status).toBe(200)
  })

  test('is given to nobody in another workspace', async () => {
    const { definition } = await define(me)
    const id = await made(own(me.userId, definition))
    expect(await admin.send('PUT', `/admin/tools/${id}`, own(stranger.userId, definition))).toMatchObject(refused)
    expect(await admin.data('GET', `/admin/tools/${id}`)).toMatchObject({ owner_id: me.userId })
  })

  test('keeps its owner in the workspace until it names it no more', async () => {
    const ada = await admin.data('POST', '/admin/users', {
      name: 'Ada',
      email: someEmail(),
      workspace_id: me.workspaceId,
    })
    const { id: named, definition } = await define(me)
    const id = await made(own(ada.id, definition))
    const move = () => admin.send('PATCH', `/admin/users/${ada.id}`, { workspace_id: stranger.workspaceId })
    const text = `The tool Pass on names the ${kind} ${named}, which another workspace has.`
    expect(await move()).toMatchObject(refusal('workspace_id', text))
    expect((await admin.send('PUT', `/admin/tools/${id}`, own(ada.id, null))).status).toBe(200)
    expect((await move()).status).toBe(200)
  })
})

test('a tool may name an assistant by its public id, and the platform is told its own', async () => {
  const { assistant_id, voice_assistant_id } = await assistantOf(me)
  const id = await made(own(me.userId, to({ assistantId: String(assistant_id).toUpperCase() })))
  const told = { destinations: [{ assistantId: voice_assistant_id }] }
  expect(await live(id)).toMatchObject(told)
  expect(await admin.data('GET', `/admin/tools/${id}`)).toMatchObject({ definition: told })
})

test('what a tool names already may be said again when it is gone', async () => {
  const { assistant_id, voice_assistant_id } = await assistantOf(me)
  const definition = to({ assistantId: voice_assistant_id })
  const id = await made(own(me.userId, definition))
  await me.send('DELETE', `/assistants/${assistant_id}`)
  const again = await admin.send('PUT', `/admin/tools/${id}`, { ...own(me.userId, definition), label: 'Renamed' })
  expect(again).toMatchObject({ status: 200, body: { data: { label: 'Renamed', definition } } })
})

describe('a tool that is everybody’s', () => {
  test('names assistants as its operator says, and becomes the own one of their workspace alone', async () => {
    const { voice_assistant_id: assistantId } = await assistantOf(me)
    const definition = to({ assistantId })
    const id = await made(global(definition))
    const given = await admin.send('PUT', `/admin/tools/${id}`, own(stranger.userId, definition))
    const path = 'definition.destinations.0.assistantId'
    expect(given).toMatchObject(refusal(path, 'The selected assistant does not exist.'))
    expect((await admin.send('PUT', `/admin/tools/${id}`, own(me.userId, definition))).status).toBe(200)
  })

  test('names tools that are everybody’s, and keeps them so', async () => {
    const mine = await made(own(me.userId, null))
    const path = 'definition.destinations.0.assistantOverrides.model.toolIds.0'
    expect(await make(global(toolIn(mine)))).toMatchObject(refusal(path, 'The selected tool does not exist.'))
    const named = await made({ ...global({}), label: 'Named' })
    await made(global(toolIn(named)))
    const text = 'The tool Named is in use by the tool Pass on.'
    const given = await admin.send('PUT', `/admin/tools/${named}`, { ...own(me.userId, null), label: 'Named' })
    expect(given).toMatchObject(refusal('owner_id', text))
  })
})

describe('a tool that another own tool names', () => {
  const member = () =>
    admin.data('POST', '/admin/users', { name: 'Ada', email: someEmail(), workspace_id: me.workspaceId })

  test('is not deleted, nor given to another workspace, and its owner stays', async () => {
    const ada = await member()
    const named = await made({ ...own(ada.id, null), label: 'Named' })
    await made(own(me.userId, toolIn(named.toUpperCase())))
    const path = `/admin/tools/${named}`
    expect(await admin.send('DELETE', path)).toMatchObject({
      status: 409,
      body: { message: 'This entry is in use by tools.' },
    })
    const text = 'The tool Named is in use by the tool Pass on.'
    const given = await admin.send('PUT', path, { ...own(stranger.userId, null), label: 'Named' })
    expect(given).toMatchObject(refusal('owner_id', text))
    const moved = await admin.send('PATCH', `/admin/users/${ada.id}`, { workspace_id: stranger.workspaceId })
    expect(moved).toMatchObject(refusal('workspace_id', text))
  })

  test('goes with its owner where that is the owner of both, and one that names itself is deleted', async () => {
    const ada = await member()
    const named = await made(own(ada.id, null))
    await made(own(ada.id, toolIn(named)))
    const path = `/admin/users/${ada.id}`
    expect((await admin.send('PATCH', path, { workspace_id: stranger.workspaceId })).status).toBe(200)
    const alone = await made(own(ada.id, null))
    expect((await admin.send('PUT', `/admin/tools/${alone}`, own(ada.id, toolIn(alone)))).status).toBe(200)
    expect((await admin.send('DELETE', `/admin/tools/${alone}`)).status).toBe(200)
  })
})

test('a credential that an own tool names is not taken away', async () => {
  const id = await credentialOf(me)
  await made(own(me.userId, askedWith(id)))
  const taken = await admin.send('PATCH', `/admin/workspaces/${me.workspaceId}`, { webhook_credentials: [] })
  const text = `The credential ${id} is in use by the tool Pass on.`
  expect(taken).toMatchObject(refusal('webhook_credentials', text))
})

describe.each(cases)('a tool that was made on the platform and names the $kind at $path', ({ kind, define }) => {
  const outside = async () => {
    const { id: named, definition } = await define(me)
    const { id } = await app.services.platform.tools.create({ type: 'handoff', ...definition } as never)
    return { id, text: `The tool Pass on names the ${kind} ${named}. Make it here with its definition instead.` }
  }

  test('becomes nobody’s own, also not in the workspace of what it names', async () => {
    const { id, text } = await outside()
    for (const { userId } of [me, stranger]) {
      expect(await make({ ...own(userId, null), id })).toMatchObject(refusal('id', text))
    }
    expect((await make({ ...entry, scope: 'global', id })).status).toBe(201)
    const path = `/admin/tools/${id}`
    expect(await admin.send('PUT', path, own(me.userId, null))).toMatchObject(refusal('owner_id', text))
    expect((await admin.send('PUT', path, { ...entry, scope: 'global', label: 'Renamed' })).status).toBe(200)
  })
})

test('a tool that was made on the platform and names nothing is given on, and moves with its owner', async () => {
  const ada = await admin.data('POST', '/admin/users', {
    name: 'Ada',
    email: someEmail(),
    workspace_id: me.workspaceId,
  })
  const { id } = await app.services.platform.tools.create({ type: 'handoff', destinations: [] } as never)
  await made({ ...own(stranger.userId, null), id })
  expect((await admin.send('PUT', `/admin/tools/${id}`, own(ada.id, null))).status).toBe(200)
  app.platform.faults.add({ method: 'GET', path: /tool/, mode: 'status', status: 503, times: 5 })
  const renamed = { ...own(ada.id, null), label: 'Renamed' }
  expect((await admin.send('PUT', `/admin/tools/${id}`, renamed)).status).toBe(200)
  const moved = await admin.send('PATCH', `/admin/users/${ada.id}`, { workspace_id: stranger.workspaceId })
  app.platform.faults.clear()
  expect(moved.status).toBe(200)
})
