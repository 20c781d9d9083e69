import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callerOf } from '../agents/caller.ts'
import { fakeModelServer } from '../agents/fake-model-server.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'

/** The protocol's reference server, as it is published, in a process of its own. */
const entry = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

let server: Bun.Subprocess
let url: string
beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}/mcp`
  server = Bun.spawn(['bun', entry, 'streamableHttp'], {
    env: { PATH: Bun.env.PATH, PORT: String(port) },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const answers = () => expect(fetch(url)).resolves.toBeInstanceOf(Response)
  await vi.waitFor(answers, { timeout: 30_000, interval: 100 })
})
afterAll(async () => {
  server.kill()
  await server.exited
})

/** An agent of a new user that has the reference server. */
async function agentWithReference(app: TestApp) {
  const caller = callerOf(app, (await newUser(app.database)).token)
  const agent = await caller.agent()
  const { body } = await caller.post('/connectors', { name: 'Reference', server_url: url })
  const { uid } = body.data
  await caller.send('PUT', `/agents/${agent}/connectors/${uid}`, { enabled: true })
  const ask = async (content: string) =>
    caller.post(`/agents/${agent}/chats/${await caller.chat(agent)}/messages`, { content })
  return { caller, agent, uid, ask }
}

const options = { allowPrivateNetwork: ['127.0.0.1'], remember: false }

test('the reference server is listed with its tools', async () => {
  const { caller, agent, uid } = await agentWithReference(await testApp(options))
  const [entryOfAgent] = (await caller.get(`/agents/${agent}/connectors`)).body.data
  expect(entryOfAgent).toMatchObject({ uid, enabled: true, reachable: true })
  expect(entryOfAgent.tools.map(({ name }: { name: string }) => name)).toContain('echo')
})

test('a turn of the local model calls one of its tools, and answers with what that said', async () => {
  const { ask } = await agentWithReference(await testApp(options))
  const { status, body } = await ask('Please use the echo tool: echo back the message "Harbour at nine".')
  expect([status, body.tools_used]).toEqual([201, ['echo']])
  expect(body.data.assistant_message.content).toContain('Echo: Harbour at nine')
})

test('so does a turn of a configured model', async () => {
  const fake = fakeModelServer()
  try {
    const { ask } = await agentWithReference(await testApp({ ...options, models: fake.models }))
    fake.script.push({ call: 'Reference__get-sum', args: '{"a":19,"b":23}' }, { reply: 'It is 42.' })
    const { status, body } = await ask('What is 19 and 23?')
    expect([status, body.tools_used, body.data.assistant_message.content]).toEqual([201, ['get-sum'], 'It is 42.'])
    const [first, second] = fake.received
    expect(first?.tools?.map((tool) => tool.function.name)).toContain('Reference__get-sum')
    expect(second?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('42') })
  } finally {
    await fake.stop()
  }
})
