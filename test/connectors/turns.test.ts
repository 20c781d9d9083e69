import { dynamicTool, jsonSchema } from 'ai'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { callByBareName } from '../../src/language-model/bare-names.ts'
import { type Caller, callerOf } from '../agents/caller.ts'
import { fakeModelServer } from '../agents/fake-model-server.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { mcpServer, type TestMcpServer } from './mcp-server.ts'

let app: TestApp
let server: TestMcpServer
let caller: Caller

beforeAll(async () => {
  server = mcpServer()
  app = await testApp({ allowPrivateNetwork: ['127.0.0.1'], remember: false })
  caller = callerOf(app, (await newUser(app.database)).token)
})
afterAll(() => server.stop())

const ask = async (agent: string, content: string) => {
  const chat = await caller.chat(agent)
  return caller.post(`/agents/${agent}/chats/${chat}/messages`, { content })
}
const withConnector = async (url: string) => {
  const agent = await caller.agent()
  const { body } = await caller.post('/connectors', { name: 'Branch desk', server_url: url })
  await caller.send('PUT', `/agents/${agent}/connectors/${body.data.uid}`, { enabled: true })
  return { agent, uid: body.data.uid }
}

test('a turn calls a real tool and names it', async () => {
  const { agent } = await withConnector(server.url)
  const toolbox = await app.services.toolbox.open(
    { id: await idOf(agent), agentId: agent },
    new AbortController().signal,
  )
  expect(Object.keys(toolbox.tools)).toEqual(['Branch_desk__opening_hours', 'Branch_desk__fails', 'Branch_desk__huge'])
  expect(toolbox.nameOf('Branch_desk__opening_hours')).toBe('opening.hours')
  const { status, body } = await ask(agent, 'What are the opening hours of the branch "Harbour"?')
  expect([status, body.tools_used]).toEqual([201, ['opening.hours']])
  expect(body.data.assistant_message.content).toContain('nine to five')
  expect(server.calls).toEqual([{ branch: 'Harbour' }])
  const run = toolbox.tools.Branch_desk__opening_hours
  const output = await run?.execute?.({ branch: 'Harbour' }, {
    toolCallId: '1',
    messages: [],
    context: undefined,
  } as never)
  expect(output).toBe('The Harbour branch is open from nine to five.')
  expect(server.calls).toHaveLength(2)
})

test('what a tool says went wrong is an error, and a long answer is cut', async () => {
  const { uid } = await withConnector(server.url)
  const target = { uid, owner: '1', url: server.url, headers: {} }
  const { signal } = new AbortController()
  const call = (name: string) => {
    const tool = { name, description: '', inputSchema: { type: 'object' as const } }
    return app.services.mcpServers.call(target, tool, {}, signal)
  }
  await expect(call('fails')).rejects.toThrow('The ledger is closed.')
  expect((await call('huge')).length).toBe(8000)
})

test('a dead server breaks no turn', async () => {
  const dead = mcpServer()
  const { agent } = await withConnector(dead.url)
  await dead.stop()
  const { status, body } = await ask(agent, 'Hello!')
  expect([status, body.tools_used]).toEqual([201, []])
})

test('a switched-off tool is not offered', async () => {
  const { agent, uid } = await withConnector(server.url)
  await caller.send('PUT', `/agents/${agent}/connectors/${uid}/tools/huge`, { enabled: false })
  const toolbox = await app.services.toolbox.open(
    { id: await idOf(agent), agentId: agent },
    new AbortController().signal,
  )
  expect(Object.keys(toolbox.tools)).not.toContain('Branch_desk__huge')
})

test.each([
  ['a tool of one connector is called by its own name', 1, 'opening.hours', ['opening.hours']],
  ['a tool of one connector is called by its own name in signs of the wire', 1, 'opening_hours', ['opening.hours']],
  ['a name that tools of two connectors have calls none', 2, 'opening_hours', []],
  ['a name that no tool has calls none', 1, 'hours', []],
])('%s', async (_what, connectors, name, used) => {
  const fake = fakeModelServer()
  onTestFinished(() => fake.stop())
  const other = await testApp({ models: fake.models, allowPrivateNetwork: ['127.0.0.1'], remember: false })
  const caller = callerOf(other, (await newUser(other.database)).token)
  const agent = await caller.agent()
  for (let made = 0; made < connectors; made++) {
    const { body } = await caller.post('/connectors', { name: `Desk ${made}`, server_url: server.url })
    await caller.send('PUT', `/agents/${agent}/connectors/${body.data.uid}`, { enabled: true })
  }
  const path = `/agents/${agent}/chats/${await caller.chat(agent)}/messages`
  for (const accept of ['application/json', 'text/event-stream']) {
    const call = { id: 'a', call: name, args: '{"branch":"Harbour"}' }
    fake.script.push({ calls: [call] }, { reply: `At nine, ${accept}.` })
    const { status } = await caller.post(path, { content: `When, ${accept}?` }, { accept })
    expect(status).toBe(accept === 'application/json' ? 201 : 200)
    const { body } = await caller.get(`${path}?include=sources`)
    expect(body.data.at(-1).tool_uses.map((use: { name: string }) => use.name)).toEqual(used)
    const result = fake.received.at(-1)?.messages.at(-1)
    expect(result).toMatchObject({ role: 'tool', content: expect.stringContaining(used[0] ? 'nine to five' : name) })
  }
})

test.each([
  ['kb.search', 'Desk__kb_search_1'],
  ['kb_search', 'Desk__kb_search_2'],
  ['kb/search', undefined],
])('of tools whose names look alike, %s calls the one of exactly that name', async (toolName, found) => {
  const tool = dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => '' })
  const names: Record<string, string> = { Desk__kb_search_1: 'kb.search', Desk__kb_search_2: 'kb_search' }
  const tools = { Desk__kb_search_1: tool, Desk__kb_search_2: tool }
  const call = callByBareName({ tools, nameOf: (wire) => names[wire] ?? wire, close: async () => {} })
  expect((await call({ toolCall: { toolName } }))?.toolName).toBe(found)
})

const idOf = async (agentId: string) => {
  const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agentId}`
  return row?.id ?? 0
}
