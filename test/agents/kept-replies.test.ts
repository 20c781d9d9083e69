import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'

/** What an Idempotency-Key keeps of a chat goes with it. */
let app: TestApp
let ownerUser: TestUser
let guestUser: TestUser
let owner: Caller
let guest: Caller
beforeAll(async () => {
  app = await testApp({ remember: false })
  ownerUser = await newUser(app.database)
  guestUser = await newUser(app.database)
  owner = callerOf(app, ownerUser.token)
  guest = callerOf(app, guestUser.token)
})

const said = 'We open at nine.'

type Thread = { agent: string; chat: string }
type Kind = [what: string, path: (thread: Thread) => string, body: (thread: Thread) => object]

const completion = { messages: [{ role: 'user', content: said }] }
const input = ({ agent, chat }: Thread) => ({ agent_id: agent, chat_id: chat, content: said })
const kinds: Kind[] = [
  ['a message', ({ agent, chat }) => `/agents/${agent}/chats/${chat}/messages`, () => ({ content: said })],
  ['a completion', () => '/chat/completions', ({ chat }) => ({ ...completion, chat })],
  ['a message over tRPC', () => '/trpc/messages.send', input],
  [
    'a batch over tRPC',
    () => '/trpc/messages.send,messages.send?batch=1',
    (thread) => ({ 0: input(thread), 1: { ...input(thread), content: 'And on Sundays?' } }),
  ],
]

const endings: [what: string, end: (thread: Thread) => Promise<{ status: number }>][] = [
  ['its chat', ({ agent, chat }) => guest.send('DELETE', `/agents/${agent}/chats/${chat}`)],
  ['its agent', ({ agent }) => owner.send('DELETE', `/agents/${agent}`)],
  ['the share in its agent', ({ agent }) => owner.send('DELETE', `/agents/${agent}/shares/${guestUser.userId}`)],
]

async function thread(): Promise<Thread> {
  const agent = await owner.agent({ instructions: said })
  await owner.data('PUT', `/agents/${agent}/shares/${guestUser.userId}`, { access: 'view', mcp_access: true })
  return { agent, chat: await guest.chat(agent) }
}

describe.each(endings)('after the end of %s', (_what, end) => {
  test.each(kinds)('%s under the same key is 404', async (_kind, path, body) => {
    const of = await thread()
    const send = () => guest.post(path(of), body(of), { 'idempotency-key': of.chat })
    const first = await send()
    expect([first.status, JSON.stringify(first.body)]).toEqual([
      expect.toSatisfy((s) => s < 300),
      expect.stringContaining(said),
    ])
    const again = await send()
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
    expect((await end(of)).status).toBe(200)
    const late = await send()
    expect([late.status, late.headers.get('idempotency-replayed')]).toEqual([404, null])
    expect(JSON.stringify(late.body)).not.toContain(said)
  })
})

test('a completion that began its chat is 404 once that is deleted', async () => {
  const agent = await guest.agent({ instructions: said })
  const send = () => guest.post('/chat/completions', { ...completion, agent }, { 'idempotency-key': agent })
  const { chat } = (await send()).body.service
  expect((await send()).body.service.chat).toBe(chat)
  expect((await guest.send('DELETE', `/agents/${agent}/chats/${chat}`)).status).toBe(200)
  const { status, body } = await send()
  expect([status, body.error?.message]).toEqual([404, 'Chat not found.'])
})
