import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asAnotherProcess, createMirrorRig, createNetwork, type MirrorRig } from './mirror/rig.ts'
import { type Caller, caller } from './support/numbers/rig.ts'

const network = createNetwork()
let one: MirrorRig
let other: MirrorRig
let me: Caller
let stranger: Caller
let operator: Caller

beforeAll(async () => {
  const transport = { timeoutMs: 20_000 }
  one = await createMirrorRig({ network, transport })
  other = await createMirrorRig({ network, transport, database: asAnotherProcess(one.database) })
  me = await caller(one.app)
  stranger = await caller(one.app)
  operator = await caller(other.app, { role: 'admin' })
  return async () => {
    await other.stop()
    await one.stop()
  }
})
afterAll(async () => {
  expect(await one.settle()).toEqual([])
})

/** An object of mine that is moved, and what leads calls to it. */
interface Moved {
  destination: object
  move(): Promise<{ status: number; body: unknown }>
}

const answered = async (sent: Promise<Response>) => {
  const response = await sent
  return { status: response.status, body: await response.json() }
}

const kinds: { kind: 'assistant' | 'squad'; make(): Promise<Moved> }[] = [
  {
    kind: 'assistant',
    async make() {
      const { assistant_id, voice_assistant_id: assistantId } = await me.assistant()
      return {
        destination: { type: 'assistant', assistantId },
        move() {
          const body = { name: 'Moved', user_id: stranger.userId }
          return answered(operator.send('PUT', `/assistants/${assistant_id}`, body))
        },
      }
    },
  },
  {
    kind: 'squad',
    async make() {
      const { external_squad_id: squadId } = await me.squad([(await me.assistant()).assistant_id])
      const members = [{ assistantId: (await stranger.assistant()).assistant_id }]
      return {
        destination: { type: 'squad', squadId },
        move() {
          const body = { name: 'Moved', user_id: stranger.userId, members }
          return answered(operator.send('PUT', `/squads/${squadId}`, body))
        },
      }
    },
  },
]

const handoff = (destination: object) => ({ type: 'handoff', destinations: [destination] })

const passOn = (owner_id: unknown) => ({
  label: 'Pass on',
  description: 'Passes the call on.',
  type: 'handoff',
  scope: 'own',
  owner_id,
})

/** What names it: a request that does so, and one that takes it out again. */
interface Naming {
  where: string
  by: string
  /** Where the destination stands in the body. */
  path: string
  prepare(): Promise<(destination?: object) => Promise<Response>>
}

async function squadWith(part: (overrides: object) => object) {
  const { assistant_id: assistantId } = await me.assistant()
  const { external_squad_id: id } = await me.squad([assistantId])
  return (destination?: object) => {
    const overrides = destination ? { 'tools:append': [handoff(destination)] } : {}
    const body = { name: 'Team', members: [{ assistantId }], ...part({ assistantId, overrides }) }
    return me.send('PUT', `/squads/${id}`, body)
  }
}

const naming: Naming[] = [
  {
    where: 'another assistant',
    by: 'assistant "Desk"',
    path: 'model.tools.0.destinations.0',
    async prepare() {
      const { assistant_id: id } = await me.assistant('Desk')
      return (destination) =>
        me.send('PUT', `/assistants/${id}`, {
          name: 'Desk',
          model: { tools: destination ? [handoff(destination)] : [] },
        })
    },
  },
  {
    where: 'the overrides of a squad',
    by: 'squad "Team"',
    path: 'membersOverrides.tools:append.0.destinations.0',
    prepare: () => squadWith(({ overrides }: { overrides?: object }) => ({ membersOverrides: overrides })),
  },
  {
    where: 'the overrides of a member of a squad',
    by: 'squad "Team"',
    path: 'members.0.assistantOverrides.tools:append.0.destinations.0',
    prepare: () =>
      squadWith(({ assistantId, overrides }: { assistantId?: string; overrides?: object }) => ({
        members: [{ assistantId, assistantOverrides: overrides }],
      })),
  },
  {
    where: 'a tool of a member’s own',
    by: 'tool "Pass on"',
    path: 'definition.destinations.0',
    async prepare() {
      const tool = passOn(me.userId)
      const { id } = await operator.data(201, 'POST', '/admin/tools', tool)
      return (destination) =>
        operator.send('PUT', `/admin/tools/${id}`, {
          ...tool,
          definition: { destinations: destination ? [destination] : [] },
        })
    },
  },
]

const cases = kinds.flatMap((moved) => naming.map((one) => ({ ...moved, ...one })))

describe.each(cases)('$kind that is named by $where', ({ kind, make, by, path, prepare }) => {
  test('moves to another workspace once it is taken out of there', async () => {
    const name = await prepare()
    const { destination, move } = await make()
    expect((await name(destination)).status).toBe(200)
    const requests = network.platform.requests.length
    const message = expect.stringContaining(`This ${kind} is named by the ${by}`)
    expect(await move()).toEqual({ status: 409, body: { success: false, message } })
    expect(network.platform.requests.slice(requests).filter(({ method }) => method !== 'GET')).toEqual([])
    expect((await name()).status).toBe(200)
    expect(await move()).toMatchObject({ status: 200 })
    const id = kind === 'assistant' ? 'assistantId' : 'squadId'
    const refused = await answered(name(destination))
    const text = `The selected ${kind} does not exist.`
    expect(refused).toMatchObject({ status: 422, body: { message: text, errors: { [`${path}.${id}`]: [text] } } })
  })

  test('is not named when it moved while the platform was told', async () => {
    const name = await prepare()
    const { destination, move } = await make()
    const telling = network.hold('PATCH')
    const saving = name(destination)
    await telling.sent
    expect(await move()).toMatchObject({ status: 200 })
    await telling.arrive()
    expect(await answered(saving)).toMatchObject({
      status: 422,
      body: { message: `The selected ${kind} does not exist.` },
    })
  })

  test('stays when the save came first', async () => {
    const name = await prepare()
    const { destination, move } = await make()
    const telling = network.hold('PATCH')
    const moving = move()
    await telling.sent
    expect((await name(destination)).status).toBe(200)
    await telling.arrive()
    expect(await moving).toMatchObject({ status: 409 })
  })
})

test('a new assistant does not name one that moved while the platform was told', async () => {
  const [{ make }] = kinds as [(typeof kinds)[number]]
  const { destination, move } = await make()
  const telling = network.hold('POST')
  const saving = me.send('POST', '/assistants', { name: 'Desk', model: { tools: [handoff(destination)] } })
  await telling.sent
  expect(await move()).toMatchObject({ status: 200 })
  await telling.arrive()
  expect(await answered(saving)).toMatchObject({ status: 422 })
})

test('a new tool does not name an assistant of the workspace that its owner left while the platform was told', async () => {
  const { voice_assistant_id: assistantId } = await me.assistant()
  const { userId } = await caller(one.app, { workspaceId: me.workspaceId })
  const definition = { destinations: [{ type: 'assistant', assistantId }] }
  const telling = network.hold('POST')
  const saving = operator.send('POST', '/admin/tools', { ...passOn(userId), definition })
  await telling.sent
  const moved = await operator.send('PATCH', `/admin/users/${userId}`, { workspace_id: stranger.workspaceId })
  expect(moved.status).toBe(200)
  await telling.arrive()
  expect(await answered(saving)).toMatchObject({
    status: 422,
    body: { errors: { 'definition.destinations.0.assistantId': ['The selected assistant does not exist.'] } },
  })
})

test('a squad does not take a member that moved while the platform was told', async () => {
  const { external_squad_id: squad } = await me.squad([(await me.assistant()).assistant_id])
  const { assistant_id: assistantId } = await me.assistant()
  const telling = network.hold('PATCH')
  const saving = me.send('PUT', `/squads/${squad}`, { name: 'Team', members: [{ assistantId }] })
  await telling.sent
  await operator.data(200, 'PUT', `/assistants/${assistantId}`, { name: 'Moved', user_id: stranger.userId })
  await telling.arrive()
  expect(await answered(saving)).toMatchObject({
    status: 422,
    body: { message: 'Squad payload invalid: a member was deleted or moved to another workspace meanwhile.' },
  })
})

test('what names itself moves, and goes to another owner of its workspace', async () => {
  const desk = await me.assistant('Desk')
  const tools = [handoff({ type: 'assistant', assistantId: desk.voice_assistant_id })]
  const path = `/assistants/${desk.assistant_id}`
  await me.data(200, 'PUT', path, { name: 'Desk', model: { tools } })
  const colleague = await caller(one.app, { workspaceId: me.workspaceId })
  await operator.data(200, 'PUT', path, { name: 'Desk', user_id: colleague.userId })
  expect(await operator.data(200, 'PUT', path, { name: 'Desk', user_id: stranger.userId })).toMatchObject({
    workspace_id: stranger.workspaceId,
  })
})
