import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOf } from './agents/caller.ts'
import { newUser, type TestApp, testApp } from './support/app.ts'
import { listening } from './support/listening.ts'

const root = join(import.meta.dirname, '..')
let app: TestApp
let server: ReturnType<typeof listening>
let token: string

beforeAll(async () => {
  app = await testApp({ remember: false })
  server = listening(app)
  token = (await newUser(app.database)).token
})
afterAll(() => server.stop())

function start(file: string, args: string[] = [], more: Record<string, string> = {}) {
  const env = { PATH: String(process.env.PATH), SWITCHBOARD_URL: server.url, SWITCHBOARD_KEY: token, ...more }
  const command = [process.execPath, join(root, 'examples', file), ...args]
  return Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
}

async function run(file: string, ...args: string[]): Promise<string> {
  const child = start(file, args)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect([await child.exited, err]).toEqual([0, ''])
  return out
}

test('node-rest makes an assistant that answers a call', async () => {
  expect(await run('node-rest/main.ts')).toContain('We open at eight on weekdays.')
}, 120_000)

test('openai-client asks an agent', async () => {
  const agent = await callerOf(app, token).agent({ instructions: 'We deliver on Mondays.' })
  expect(await run('openai-client/main.ts', agent)).toContain('We deliver on Mondays.')
}, 120_000)

test('scripts write into every assistant', async () => {
  const { token: own } = await newUser(app.database)
  const caller = callerOf(app, own)
  for (const name of ['One', 'Two']) await caller.post('/assistants', { name })
  const child = start('scripts/nightly-prompt.ts', ['We are closed today.'], { SWITCHBOARD_KEY: own })
  expect((await new Response(child.stdout).text()).trim().split('\n').sort()).toEqual(['One: written', 'Two: written'])
  const { body } = await caller.get('/assistants')
  for (const { coreData } of body.data) expect(coreData.model.messages[0].content).toBe('We are closed today.')
}, 120_000)

test('webhook-receiver believes only who knows the secret', async () => {
  const child = start('webhook-receiver/main.ts', [], { PORT: '0', WEBHOOK_SECRET: 'hush' })
  try {
    const reader = child.stdout.getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    const port = /listening on (\d+)/.exec(await read())?.[1]
    const send = async (secret: string) => {
      const headers = { 'x-vapi-secret': secret }
      const body = JSON.stringify({ message: { type: 'end-of-call-report', call: { id: 'call-1' } } })
      return (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body })).status
    }
    expect([await send('guess'), await send(''), await send('hush')]).toEqual([401, 401, 204])
    expect(await read()).toBe('end-of-call-report call-1\n')
  } finally {
    child.kill()
    await child.exited
  }
}, 120_000)

test('react-tanstack can be built for a page', async () => {
  const { success, outputs } = await Bun.build({
    entrypoints: [join(root, 'examples/react-tanstack/assistants.tsx')],
    target: 'browser',
  })
  expect([success, outputs.length]).toEqual([true, 1])
}, 120_000)

test('widget-page has the tag as the server gives it', async () => {
  const page = readFileSync(join(root, 'examples/widget-page/index.html'), 'utf8')
  const caller = callerOf(app, token)
  const { assistant_id: id } = (await caller.post('/assistants', { name: 'Desk' })).body.data
  const { embed_html: given } = (await caller.get(`/assistants/${id}/embed`)).body.data
  const attributes = (tag: string) => [...tag.matchAll(/ ([a-z-]+)(?==)/g)].map(([, name]) => name).sort()
  expect(attributes(/<script src=.*?>/.exec(page)?.[0] ?? '')).toEqual(attributes(/<script.*?>/.exec(given)?.[0] ?? ''))
})
