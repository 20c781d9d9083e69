import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { listening } from '../support/listening.ts'

let app: TestApp
let operator: TestUser
let url: string
let stop: () => Promise<unknown>

beforeAll(async () => {
  app = await testApp()
  operator = await newUser(app.database, { role: 'admin' })
  ;({ url, stop } = listening(app))
})
afterAll(() => stop())

interface Ran {
  code: number
  out: string
  err: string
}

async function run(script: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, `../../scripts/${script}.ts`), ...args], {
    env: { PATH: process.env.PATH, SWITCHBOARD_URL: url, SWITCHBOARD_KEY: operator.token, ...env },
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

const get = async (path: string, token: string) => (await clientOf(app, token).get(path)).body
const tokenIn = (out: string) => /^token (vk_\w+)$/m.exec(out)?.[1] ?? ''

test.each(['user', 'token', 'seed', 'rotate-secrets'])('%s says how it is used', async (script) => {
  const { code, out } = await run(script, ['--help'], { SWITCHBOARD_URL: '', SWITCHBOARD_KEY: '' })
  expect([code, out]).toEqual([0, expect.stringContaining(`Usage: bun run ${script}`)])
})

test.each(['backup', 'restore', 'move'])('%s says how it is used', async (script) => {
  const { code, out } = await run(script, ['--help'])
  expect([code, out]).toEqual([0, expect.stringContaining(`Usage: switchboard ${script}`)])
})

describe('user', () => {
  test('makes a user as told, with a token that works', async () => {
    const email = `${randomUUID()}@example.com`
    const options = ['--role', 'reseller_admin', '--features', 'assistants, ai_chat', '--quota', '3', '--unverified']
    const { code, out } = await run('user', ['--name', 'Ada', '--email', email, ...options])
    expect(code).toBe(0)
    const { data } = await get('/user', tokenIn(out))
    expect(data).toMatchObject({ name: 'Ada', email, role: 'reseller_admin', email_verified_at: null })
    const operated = await get(`/admin/users/${data.id}`, operator.token)
    expect(operated.data).toMatchObject({ features: ['assistants', 'ai_chat'], assistant_quota: 3 })
  })

  test('joins a workspace, and makes no token when told so', async () => {
    const { workspaceId } = await newUser(app.database)
    const args = ['--name', 'Ada', '--email', `${randomUUID()}@example.com`, '--no-token', '--workspace-role', 'viewer']
    const { out } = await run('user', [...args, '--workspace-id', String(workspaceId)])
    expect(out).toContain(`workspace ${workspaceId}`)
    expect(out).not.toContain('vk_')
  })

  test.each([
    [['--email', 'x@example.com'], '--name: give --name'],
    [['--name', 'A', '--email', 'x'], 'email: The email field must be a valid e-mail address.'],
    [['--name', 'A', '--email', 'x@example.com', '--role', 'king'], '--role: '],
    [['--name', 'A', '--colour', 'red'], '--colour'],
    [['--name', 'A', '--email', 'x@example.com', '--key', 'vk_wrong'], 'Unauthenticated.'],
    [['--name', 'A', '--email', 'x@example.com', '--url', 'http://127.0.0.1:1'], 'Unable to connect'],
  ])('%j is refused in words', async (args, said) => {
    const { code, out, err } = await run('user', args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(said)
    expect(err).not.toMatch(/^\s+at /m)
  })

  test('without a key it says where to give one', async () => {
    const { code, err } = await run('user', ['--name', 'A', '--email', 'a@example.com'], { SWITCHBOARD_KEY: '' })
    expect([code, err]).toEqual([1, expect.stringContaining('No token: give one with --key or SWITCHBOARD_KEY')])
  })
})

test('token makes, lists and revokes tokens, of anyone and of oneself', async () => {
  const user = await newUser(app.database)
  const { email } = (await get('/user', user.token)).data
  for (const [options, env] of [
    [['--user', email], {}],
    [['--user', String(user.userId)], {}],
    [[], { SWITCHBOARD_KEY: user.token }],
  ] as const) {
    const rights = ['--expires-at', '2040-01-01T00:00:00Z', '--scopes', 'read,squads:write']
    const made = await run('token', [...options, '--name', 'CI', ...rights], env)
    expect(made.out).toContain('\nscopes read,squads:write\n')
    const token = tokenIn(made.out)
    expect((await get('/user', token)).data.id).toBe(user.userId)
    const id = /^id (\d+), ends 2040-01-01T00:00:00.000Z$/m.exec(made.out)?.[1] ?? ''
    const listed = await run('token', [...options, '--list'], env)
    expect(listed.out).toContain(`${id}  ${token.slice(0, 10)}...  CI`)
    expect(listed.out).not.toContain(token)
    expect((await run('token', [...options, '--revoke', id], env)).out).toBe(`token ${id} is revoked\n`)
    expect(await get('/user', token)).toEqual({ message: 'Unauthenticated.' })
  }
  const odd = await run('token', ['--scopes', 'everything'])
  expect([odd.code, odd.err]).toEqual([1, expect.stringContaining('--scopes.0')])
  const missing = await run('token', ['--user', 'nobody@example.com'])
  expect([missing.code, missing.err]).toEqual([1, 'There is no user with the address nobody@example.com.\n'])
})

test('seed makes a workspace to look around in, once per address', async () => {
  const args = ['--email', `${randomUUID()}@example.com`]
  const { code, out, err } = await run('seed', args)
  expect([code, err]).toEqual([0, ''])
  const token = tokenIn(out)
  expect((await get('/assistants', token)).pagination.total).toBe(3)
  const [agent] = (await get('/agents', token)).data
  expect((await get(`/agents/${agent.id}/files`, token)).data).toHaveLength(1)
  const [chat] = (await get(`/agents/${agent.id}/chats`, token)).data
  const messages = (await get(`/agents/${agent.id}/chats/${chat.id}/messages`, token)).data
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
  const again = await run('seed', args)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('The email has already been taken.')])
})

test('what an archive is called does not steer the terminal of whoever restores it', async () => {
  const { code, err } = await run('restore', ['/nowhere/\u001b]0;owned\u0007\u202e.tar.gz'])
  expect([code, err]).toEqual([1, 'There is no archive /nowhere/\ufffd]0;owned\ufffd\ufffd.tar.gz.\n'])
})
