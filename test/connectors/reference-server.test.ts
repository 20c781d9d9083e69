import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callerOf } from '../agents/caller.ts'
import { newUser, testApp } from '../support/app.ts'

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

test('the reference server is listed with its tools, and a tool is called', async () => {
  const app = await testApp({ allowPrivateNetwork: ['127.0.0.1'], remember: false })
  const caller = callerOf(app, (await newUser(app.database)).token)
  const agent = await caller.agent()
  const { body } = await caller.post('/connectors', { name: 'Reference', server_url: url })
  const { uid } = body.data
  await caller.send('PUT', `/agents/${agent}/connectors/${uid}`, { enabled: true })
  const [entryOfAgent] = (await caller.get(`/agents/${agent}/connectors`)).body.data
  expect(entryOfAgent).toMatchObject({ uid, enabled: true, reachable: true })
  expect(entryOfAgent.tools.map(({ name }: { name: string }) => name)).toContain('echo')
  const signal = AbortSignal.timeout(10_000)
  const answer = await app.services.mcpServers.call({ uid, url, headers: {} }, 'echo', { message: 'Harbour' }, signal)
  expect(answer).toContain('Harbour')
})
