import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { listening } from '../support/listening.ts'

const main = join(import.meta.dirname, '../../cli/main.ts')
const home = mkdtempSync(join(tmpdir(), 'switchboard-cli-'))

let app: TestApp
let user: TestUser
let url: string
let stop: () => Promise<unknown>

beforeAll(async () => {
  app = await testApp()
  user = await newUser(app.database)
  ;({ url, stop } = listening(app))
})
afterAll(async () => {
  await stop()
  rmSync(home, { recursive: true, force: true })
})

interface Ran {
  code: number
  out: string
  err: string
}

async function run(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const set = { SWITCHBOARD_URL: url, SWITCHBOARD_KEY: user.token }
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: { PATH: process.env.PATH, HOME: home, DATA_DIR: join(home, 'none'), ...set, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

test('every procedure is a command: made, listed, read, changed and deleted by its name', async () => {
  const made = await run(['assistants', 'create', '--name', 'Desk', '--first-message', 'Hello.', '--json'])
  expect([made.code, made.err]).toEqual([0, ''])
  const { assistant_id } = JSON.parse(made.out).data
  const listed = await run(['assistants', 'list', '--search', 'desk', '--lite'])
  expect(listed.out).toMatch(/^id .*name/)
  expect(listed.out).toContain('page 1 of 1, 1 in all')
  const body = join(home, 'body.json')
  writeFileSync(body, JSON.stringify({ name: 'Front', maxDurationSeconds: 90 }))
  const changed = await run(['assistants', 'update', assistant_id, '--body', `@${body}`])
  expect(changed.out).toMatch(/^Assistant updated successfully\n/)
  const model = JSON.stringify({ messages: [{ role: 'system', content: 'Be brief.' }] })
  await run(['assistants', 'update', '--assistant-id', assistant_id, '--name', 'Front', '--model', model])
  const read = JSON.parse((await run(['assistants', 'get', assistant_id, '--json'])).out).data
  expect(read).toMatchObject({
    name: 'Front',
    max_duration_seconds: 90,
    model: { messages: [{ content: 'Be brief.' }] },
  })
  const gone = await run(['assistants', 'delete', assistant_id])
  expect(gone).toEqual({ code: 0, out: 'Assistant deleted successfully\n', err: '' })
})

test('what others wrote does not steer the terminal of whoever lists it', async () => {
  const signs = '\u001b]0;owned\u0007\u009b2J\u202e'
  const name = `Desk ${signs}end`
  const made = await run(['agents', 'create', '--name', name, '--json'])
  const { id } = JSON.parse(made.out).data
  expect(JSON.parse(made.out).data.name).toBe(name)
  const shown = [
    made,
    await run(['agents', 'list']),
    await run(['agents', 'get', id]),
    await run(['agents', 'get', `x${signs}`]),
  ]
  for (const { out, err } of shown) {
    expect(out + err).not.toBe('')
    expect((out + err).match(/[^\P{Cc}\n]|\p{Bidi_Control}/u)).toBeNull()
  }
  expect(shown[1]?.out).toContain('Desk \ufffd]0;owned')
})

test.each(['.', '..'])('a value that is %j in a path is refused, and asks for nothing else', async (value) => {
  const agent = JSON.parse((await run(['agents', 'create', '--name', 'Kept', '--json'])).out).data
  const { code, err } = await run(['chats', 'delete', agent.id, value])
  expect([code, err]).toEqual([1, `"${value}" cannot be a part of a path.\n`])
  expect((await run(['agents', 'get', agent.id])).code).toBe(0)
})

test('a file is uploaded and downloaded', async () => {
  const agent = JSON.parse((await run(['agents', 'create', '--name', 'Helper', '--json'])).out).data
  const file = join(home, 'hours.md')
  writeFileSync(file, '# Hours\n\nOpen from nine to five.')
  const uploaded = await run(['agent-files', 'upload', agent.id, '--file', file, '--json'])
  expect(uploaded.err).toBe('')
  const { id } = JSON.parse(uploaded.out).data
  const copy = join(home, 'copy.md')
  expect((await run(['agent-files', 'download', agent.id, String(id), '-o', copy])).code).toBe(0)
  expect(readFileSync(copy, 'utf8')).toBe('# Hours\n\nOpen from nine to five.')
})

test.each<[string, string[], number, string]>([
  ['an unknown command', ['assistants', 'lost'], 2, 'There is no command "assistants lost". Here go: list,'],
  ['an unknown flag', ['assistants', 'list', '--nonsense', '1'], 2, "Unknown option '--nonsense'"],
  ['a number that is none', ['assistants', 'list', '--page', 'two'], 2, '--page must be a number.'],
  ['JSON that is none', ['assistants', 'create', '--model', '{'], 2, '--model must be JSON'],
  ['a path value that is missing', ['assistants', 'get'], 2, '--assistant-id is required.'],
  ['a refused input', ['assistants', 'create', '--name', ''], 1, '  name: Assistant name is required.'],
  ['a missing resource', ['assistants', 'get', crypto.randomUUID()], 1, 'Assistant not found'],
])('%s is said in words', async (_what, args, code, text) => {
  const ran = await run(args)
  expect(ran).toMatchObject({ code, out: '', err: expect.stringContaining(text) })
})

test.each([
  ['start', ['--port', '80'], "Unknown option '--port'"],
  ['start', ['now'], "Unexpected argument 'now'"],
  ['login', ['--token', 'vk_x'], "Unknown option '--token'"],
  ['plan', ['--colour'], "Unknown option '--colour'"],
])('%s takes no %j', async (command, args, text) => {
  expect(await run([command, ...args])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) })
})

test.each(['start', 'login', 'pull'])('%s says how it is used', async (command) => {
  const usage = expect.stringContaining(`Usage: switchboard ${command}`)
  expect(await run([command, '--help'])).toMatchObject({ code: 0, out: usage, err: '' })
})

test('a server and a token are kept as a profile, for the owner alone', async () => {
  const kept = await run(['login', '--url', `${url}/`, '--key', user.token, '--profile', 'work'])
  expect(kept.code).toBe(0)
  const file = join(home, '.config/switchboard/profiles.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const env = { SWITCHBOARD_URL: '', SWITCHBOARD_KEY: '' }
  expect((await run(['profile', 'get', '--profile', 'work'], env)).code).toBe(0)
  expect((await run(['profile', 'get', '--profile', 'play'], env)).err).toContain('There is no profile play')
  const nowhere = await run(['profile', 'get', '--url', 'http://127.0.0.1:1'], { ...env, SWITCHBOARD_KEY: 'vk_x' })
  expect(nowhere.err).toContain('There is no server at http://127.0.0.1:1')
  expect((await run(['profile', 'get', '--url', 'http://127.0.0.1:1'], env)).err).toContain('No token')
})

test('a workspace is kept as files, and a plan that is not empty exits with 2', async () => {
  const folder = join(home, 'workspace')
  await run(['agents', 'create', '--name', 'Filed'])
  expect(await run(['pull', folder])).toMatchObject({ code: 0, err: '' })
  expect(await run(['plan', folder])).toMatchObject({ code: 0, out: 'Nothing to change.\n' })
  const file = join(folder, 'agents/filed.yaml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}description: Kept in a file\n`)
  expect(await run(['plan', folder])).toMatchObject({ code: 2, err: '' })
  expect(await run(['apply', folder])).toMatchObject({ code: 0, out: 'updated agents/filed\n' })
  expect((await run(['pull'])).err).toContain('Usage: switchboard pull <folder>')
})

test('help lists every command and its flags, and words are completed', async () => {
  const overview = await run(['--help'])
  expect(overview.out).toMatch(/assistant-versions +list, get, .*restore/)
  const help = await run(['squads', 'draft', '--help'])
  expect(help.out).toContain('--members <JSON or @file>')
  expect((await run(['__complete', 'assistants'])).out.split('\n')).toContain('create')
  expect((await run(['__complete', 'assistants', 'list'])).out.split('\n')).toContain('--phone-search')
  expect((await run(['completion', 'bash'])).out).toContain('complete -F _switchboard switchboard')
})
