import { beforeAll, describe, expect, test } from 'vitest'
import { referencesIn } from '../src/voice-platform/references/find.ts'
import { type TestApp, testApp } from './support/app.ts'
import { clientOf } from './support/client.ts'
import { type Caller, caller } from './support/numbers/rig.ts'
import { addTools, storedAssistant } from './support/rows/assistants.ts'

let app: TestApp
let me: Caller
let stranger: Caller
let mine: { assistant: string; live: string; tool: string; squad: string }
let theirs: typeof mine

async function belongings(owner: Caller): Promise<typeof mine> {
  const { assistant_id: assistant, voice_assistant_id: live } = await owner.assistant()
  const { external_squad_id: squad } = await owner.squad([assistant])
  const tool = crypto.randomUUID()
  const fields = { description: 'Does it', type: 'function', scope: 'own', ownerId: owner.userId } as const
  await addTools(app.database, [{ id: tool, label: 'Own', ...fields }])
  return { assistant, live, tool, squad }
}

beforeAll(async () => {
  app = await testApp()
  me = await caller(app)
  stranger = await caller(app)
  mine = await belongings(me)
  theirs = await belongings(stranger)
})

type Ids = typeof mine
type Case = [where: string, path: string, body: (ids: Ids) => object]

const handoff = (destination: object) => ({ type: 'handoff', destinations: [destination] })

/** A body in which one id stands, and its path; the same body is fine with one's own id and refused with another's. */
const ofAssistants: Case[] = [
  ['a picked tool', 'model.toolIds.0', ({ tool }) => ({ model: { toolIds: [tool] } })],
  ['a tool by its id alone', 'model.tools.0', ({ tool }) => ({ model: { tools: [tool] } })],
  [
    'the assistant that a tool in place hands over to',
    'model.tools.0.destinations.0.assistantId',
    ({ live }) => ({ model: { tools: [handoff({ type: 'assistant', assistantId: live })] } }),
  ],
  [
    'a squad, and an assistant deep in its members',
    'model.tools.0.destinations.0.squad.members.0.assistantId',
    ({ live }) => ({
      model: { tools: [handoff({ type: 'squad', squad: { members: [{ assistantId: live }] } })] },
    }),
  ],
  [
    'a squad by its id',
    'model.tools.0.destinations.0.squadId',
    ({ squad }) => ({ model: { tools: [handoff({ type: 'squad', squadId: squad })] } }),
  ],
  [
    'tools in overrides of a handoff',
    'model.tools.0.destinations.0.assistantOverrides.model.toolIds.0',
    ({ tool }) => ({
      model: { tools: [handoff({ type: 'dynamic', assistantOverrides: { model: { toolIds: [tool] } } })] },
    }),
  ],
]

const send = (who: Caller, method: string, path: string, body: object) =>
  clientOf(app, who.token).send(method, path, body)

const spellings: [string, (ids: Ids) => Ids][] = [
  ['another tenant’s', (ids) => ids],
  ['another tenant’s in capitals', (ids) => upper(ids)],
]
const upper = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toUpperCase()])) as Ids

describe.each(ofAssistants)('%s', (_where, path, body) => {
  test.each(spellings)('%s is refused on its path by every editor', async (_whose, spelled) => {
    const sent = { name: 'Desk', ...body(spelled(theirs)) }
    const patches = app.platform.requests.length
    for (const [method, url] of [
      ['POST', '/assistants'],
      ['PUT', `/assistants/${mine.assistant}`],
      ['PUT', `/assistants/${mine.assistant}/advanced`],
    ] as const) {
      const answer = await send(me, method, url, sent)
      expect(answer.status, url).toBe(422)
      expect(Object.keys(answer.body.errors)).toEqual([path])
    }
    expect(app.platform.requests.slice(patches)).toEqual([])
  })

  test('one’s own is taken, in the platform’s form', async () => {
    const answer = await send(me, 'PUT', `/assistants/${mine.assistant}`, { name: 'Desk', ...body(upper(mine)) })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const live = await app.services.platform.assistants.get(mine.live)
    const ids = referencesIn(live).map(({ id }) => id)
    expect(Object.values(mine)).toEqual(expect.arrayContaining(ids))
    expect(JSON.stringify(live.model)).toContain(ids[0])
    await send(me, 'PUT', `/assistants/${mine.assistant}`, { name: 'Desk', model: null })
  })
})

test('a public id is turned into the one that the platform knows', async () => {
  const tool = handoff({ type: 'assistant', assistantId: mine.assistant })
  const { body } = await send(me, 'POST', '/assistants', { name: 'Desk', model: { tools: [tool] } })
  const live = await app.services.platform.assistants.get(body.data.voice_assistant_id)
  expect(live.model).toMatchObject({ tools: [handoff({ type: 'assistant', assistantId: mine.live })] })
})

describe('an assistant that moves to another workspace', () => {
  const credential = crypto.randomUUID()
  const calling = (server: object) => ({ type: 'function', function: { name: 'find' }, server })
  const own: [string, (ids: Ids) => object][] = [
    ['an assistant', ({ live }) => handoff({ type: 'assistant', assistantId: live })],
    ['a squad', ({ squad }) => handoff({ type: 'squad', squadId: squad })],
    ['a credential', () => calling({ url: 'https://tools.example.com', credentialId: credential })],
    [
      'a tool, deep in overrides',
      ({ tool }) => handoff({ type: 'dynamic', assistantOverrides: { model: { toolIds: [tool] } } }),
    ],
  ]
  const grant = (workspaceId: number) =>
    operator.data(200, 'PATCH', `/admin/workspaces/${workspaceId}`, { webhook_credentials: [credential] })
  let operator: Caller

  beforeAll(async () => {
    operator = await caller(app, { role: 'admin' })
    await grant(me.workspaceId)
  })

  const plain = calling({ url: 'https://tools.example.com' })
  const make = (tool: object) => me.data(201, 'POST', '/assistants', { name: 'Desk', model: { tools: [plain, tool] } })
  const toolsOf = async ({ assistant_id, voice_assistant_id }: Record<string, string>) => {
    const { config } = await storedAssistant(app.database, String(assistant_id))
    const live = await app.services.platform.assistants.get(String(voice_assistant_id))
    return [config.model?.tools, (live.model as { tools?: unknown }).tools]
  }

  test.each(['', '/advanced'].flatMap((editor) => own.map(([what, tool]) => [what, editor, tool] as const)))(
    'leaves what names %s of its old one behind, on both sides (PUT %s)',
    async (_what, editor, tool) => {
      const made = await make(tool(mine))
      const body = { name: 'Desk', user_id: stranger.userId }
      const moved = await operator.data(200, 'PUT', `/assistants/${made.assistant_id}${editor}`, body)
      expect(moved).toMatchObject({ workspace_id: stranger.workspaceId })
      expect(await toolsOf(made)).toEqual([[plain], [plain]])
      await stranger.data(200, 'PUT', `/assistants/${made.assistant_id}`, { name: 'Desk 2' })
      expect(await toolsOf(made)).toEqual([[plain], [plain]])
    },
  )

  test('keeps a credential that its new one has been granted, too', async () => {
    const other = await caller(app)
    await grant(other.workspaceId)
    const tool = calling({ url: 'https://tools.example.com', credentialId: credential })
    const made = await make(tool)
    await operator.data(200, 'PUT', `/assistants/${made.assistant_id}`, { name: 'Desk', user_id: other.userId })
    expect(await toolsOf(made)).toEqual([
      [plain, tool],
      [plain, tool],
    ])
  })

  test('keeps what operators configured in its layers', async () => {
    const tools = [calling({ url: 'https://tools.example.com', credentialId: crypto.randomUUID() })]
    const config = { model: { provider: 'openai', model: 'gpt-4o', tools } }
    const { id } = await operator.data(201, 'POST', '/admin/base-configs', { name: 'Base', config })
    const made = await me.data(201, 'POST', '/v2/assistants', { name: 'Desk', base_config_id: id })
    const path = `/assistants/${made.assistant_id}`
    await operator.data(200, 'PUT', path, { name: 'Desk', user_id: stranger.userId })
    const live = await app.services.platform.assistants.get(String(made.voice_assistant_id))
    expect(live.model).toMatchObject({ tools })
  })

  test('takes nothing of the old one along that the same body names', async () => {
    const made = await make(plain)
    const model = { tools: [handoff({ type: 'assistant', assistantId: mine.live })] }
    const body = { name: 'Desk', user_id: stranger.userId, model }
    const refused = await send(operator, 'PUT', `/assistants/${made.assistant_id}`, body)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([
      422,
      ['model.tools.0.destinations.0.assistantId'],
    ])
  })
})

test.each<[string, string, (ids: Ids) => object]>([
  [
    'a member’s overrides',
    'members.0.assistantOverrides.model.toolIds.0',
    ({ tool }) => ({ model: { toolIds: [tool] } }),
  ],
  ['credentials', 'members.0.assistantOverrides.credentialIds.0', ({ tool }) => ({ credentialIds: [tool] })],
  [
    'a hook of a member',
    'members.0.assistantOverrides.hooks.0.do.0.toolId',
    ({ tool }) => ({ hooks: [{ on: 'call.ending', do: [{ type: 'tool', toolId: tool }] }] }),
  ],
])('%s of a squad may name only what the account has', async (_where, path, overrides) => {
  const squad = await me.squad([mine.assistant])
  const member = { assistantId: mine.assistant, assistantOverrides: overrides(theirs) }
  for (const [method, url] of [
    ['POST', '/squads'],
    ['PUT', `/squads/${squad.external_squad_id}`],
  ] as const) {
    const answer = await send(me, method, url, { name: 'Team', members: [member] })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [path]])
  }
  const answer = await send(me, 'PUT', `/squads/${squad.external_squad_id}`, {
    name: 'Team',
    members: [{ assistantId: mine.assistant }],
    membersOverrides: overrides(theirs),
  })
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([
    422,
    [path.replace('members.0.assistantOverrides', 'membersOverrides')],
  ])
})

test('hooks of a number may name only what the account has', async () => {
  const { phone_number: number } = await me.number()
  const hooks = [{ on: 'call.ringing', do: [{ type: 'transfer', destination: { assistantId: theirs.live } }] }]
  const answer = await send(me, 'PUT', `/phone-numbers/${number}`, { hooks })
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { 'hooks.0.do.0.destination.assistantId': ['The selected assistant does not exist.'] },
  ])
})

describe('what is looked at', () => {
  test('a kind of object that no account has is refused', async () => {
    const body = { name: 'Desk', analysisPlan: { outcomeIds: [crypto.randomUUID()] } }
    const answer = await send(me, 'PUT', `/assistants/${mine.assistant}/advanced`, body)
    expect(answer.body.errors).toEqual({ 'analysisPlan.outcomeIds.0': ['The selected object does not exist.'] })
  })

  test('ids that are only data, or a parameter’s name, are not the platform’s', async () => {
    const parameters = { type: 'object', properties: { assistantId: { type: 'string' } }, required: ['assistantId'] }
    const tool = { type: 'function', function: { name: 'find', parameters } }
    const body = { name: 'Desk', model: { tools: [tool] }, variableValues: { assistantId: 'a desk' } }
    expect((await send(me, 'POST', '/assistants', body)).status).toBe(201)
    expect(referencesIn({ metadata: { toolId: 'x' }, server: { headers: { squadId: 'y' } } })).toEqual([])
  })
})
