import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { loggedLines } from '../support/logged-lines.ts'
import { apart, type Caller, caller } from '../support/numbers/rig.ts'
import { changeWorkspace } from '../support/rows/accounts.ts'
import { hurryPending, makeDeliveriesDue, storedDeliveries } from '../support/rows/deliveries.ts'
import { violations } from '../support/voice-platform/description.ts'
import { isSigned, type Receiver, startReceiver } from './receiver.ts'

let app: TestApp
let me: Caller
let receiver: Receiver

beforeAll(async () => {
  app = await testApp({
    allowPrivateNetwork: ['127.0.0.1'],
    webhookCredentials: new Map([
      ['hmac-1', { kind: 'hmac', secret: 'key of the signature' }],
      ['bearer-1', { kind: 'bearer', secret: 'a-token' }],
    ]),
  })
  me = await caller(app)
  await grant(['hmac-1', 'bearer-1', 'forgotten'])
})
beforeEach(() => {
  receiver = startReceiver()
})
afterEach(() => receiver.stop())

const grant = async (webhook_credentials: string[]) => {
  const admin = await operator(app)
  return admin.send('PATCH', `/admin/workspaces/${me.workspaceId}`, { webhook_credentials })
}

interface Delivery {
  id: string
  type: string
  status: string
  attempts: number
  last_status: number | null
  last_error: string | null
  next_attempt_at: string | null
  url: string
}

async function assistant(body: object = {}): Promise<string> {
  const made: { assistant_id?: string } = await me.data(201, 'POST', '/assistants', {
    name: 'Front desk',
    firstMessage: 'Hello.',
    metadata: { webhook_url: `${receiver.url}/hook` },
    ...body,
  })
  return String(made.assistant_id)
}

async function call(assistantId: string, body: object = { messages: ['When are you open?'] }): Promise<string> {
  const made: { id?: string } = await me.data(201, 'POST', `/assistants/${assistantId}/test-calls`, body)
  await app.services.webhooks.drain()
  return String(made.id)
}

const deliveries = (assistantId: string, query = ''): Promise<Delivery[]> =>
  me.data(200, 'GET', `/assistants/${assistantId}/deliveries${query}`) as unknown as Promise<Delivery[]>

/** Lets the time pass that the retries wait for. */
async function later(): Promise<void> {
  await makeDeliveriesDue(app.database)
  await app.services.webhooks.drain()
}

const only = (...serverMessages: string[]) => ({ serverMessages })

describe('a test call', () => {
  test('tells the webhook what a real call tells, in order', async () => {
    const id = await assistant()
    const made: Record<string, unknown> = await me.data(201, 'POST', `/assistants/${id}/test-calls`, {
      messages: ['When are you open?'],
    })
    expect(made).toMatchObject({
      type: 'webCall',
      status: 'ended',
      ended_reason: 'customer-ended-call',
      summary: expect.stringContaining('When are you open?'),
      transcript: expect.stringMatching(/^AI: Hello\.\nUser: When are you open\?\nAI: .+\n$/),
    })
    await app.services.webhooks.drain()
    const said = ['speech-update', 'speech-update', 'conversation-update']
    expect(receiver.types()).toEqual([
      'status-update',
      'assistant.started',
      ...said,
      ...said,
      ...said,
      'status-update',
      'end-of-call-report',
    ])
    const messages = receiver.received.map(({ message }) => message)
    expect(messages.map(({ timestamp }) => timestamp)).toEqual(messages.map(({ timestamp }) => timestamp).toSorted())
    expect(messages[0]).toMatchObject({
      status: 'in-progress',
      call: { id: made.id },
      assistant: { name: 'Front desk' },
    })
    expect(messages.at(-2)).toMatchObject({ status: 'ended', endedReason: 'customer-ended-call' })
    expect(messages.at(-1)).toMatchObject({
      endedReason: 'customer-ended-call',
      analysis: { successEvaluation: 'true' },
      artifact: { transcript: made.transcript },
      startedAt: made.started_at,
      endedAt: made.ended_at,
      cost: made.cost,
    })
  })

  test.each([
    ['status-update', 'ServerMessageStatusUpdate', 2],
    ['transcript', 'ServerMessageTranscript', 3],
    ['transcript[transcriptType="final"]', 'ServerMessageTranscript', 3],
    ['speech-update', 'ServerMessageSpeechUpdate', 6],
    ['conversation-update', 'ServerMessageConversationUpdate', 3],
    ['assistant.speechStarted', 'ServerMessageAssistantSpeech', 2],
    ['end-of-call-report', 'ServerMessageEndOfCallReport', 1],
    ['tool-calls', 'ServerMessageHang', 0],
  ] as const)('tells only what serverMessages selects, as described: %s', async (type, schema, count) => {
    await call(await assistant(only(type)))
    expect(receiver.received).toHaveLength(count)
    for (const { message, path, headers } of receiver.received) {
      expect(violations(schema, message)).toEqual([])
      expect(path).toBe('/hook')
      expect(headers.get('content-type')).toBe('application/json')
    }
  })

  test('shows up in the statistics and the list of calls at once', async () => {
    const id = await assistant()
    const total = async () => (await me.data(200, 'GET', `/assistants/${id}/stats`)) as { calls?: { total: number } }
    expect((await total()).calls?.total).toBe(0)
    const made = await call(id)
    expect((await total()).calls?.total).toBe(1)
    expect(await me.data(200, 'GET', `/assistants/${id}/calls`)).toMatchObject([{ id: made }])
  })

  test('is a write, of an assistant of the account', async () => {
    const id = await assistant()
    const viewer = await caller(app, {
      workspaceId: me.workspaceId,
      resellerId: me.resellerId,
      workspaceRole: 'viewer',
    })
    const stranger = await caller(app)
    expect((await viewer.send('POST', `/assistants/${id}/test-calls`, {})).status).toBe(403)
    expect((await stranger.send('POST', `/assistants/${id}/test-calls`, {})).status).toBe(404)
    expect((await me.send('POST', `/assistants/${id}/test-calls`, { scenario: 'other' })).status).toBe(422)
    expect(
      (await me.send('POST', `/assistants/${id}/test-calls`, { messages: [{ role: 'user', content: 'Hi' }] })).status,
    ).toBe(201)
  })

  test('is 501 on a platform that cannot simulate', async () => {
    const { simulation: _none, ...platform } = app.services.platform
    const { log, lines } = loggedLines()
    const real = await testApp({ platform: { ...platform, simulation: undefined }, log })
    const answer = await real.send('POST', `/assistants/${await assistant()}/test-calls`, { token: me.token, body: {} })
    expect(answer.status).toBe(501)
    expect(await answer.json()).toEqual({ success: false, message: expect.any(String) })
    const told = lines.filter(({ level }) => Number(level) > 30)
    expect(told, 'what is no fault of the server').toEqual([])
    expect(lines).toContainEqual(expect.objectContaining({ event: 'request', status: 501 }))
  })
})

describe('the number of the assistant', () => {
  /** A number that the assistant answers, with a server block. */
  async function number(assistantId: string, server: object): Promise<void> {
    const { phone_number } = await me.number()
    await me.data(200, 'PUT', `/phone-numbers/${phone_number}`, { voice_assistant_id: assistantId, server })
  }

  test('is called, and its server block receives with the secret and headers when the assistant has no URL', async () => {
    const id = await assistant({ metadata: {}, ...only('status-update', 'end-of-call-report') })
    await number(id, { url: `${receiver.url}/number`, secret: 'hush', headers: { 'X-Team': 'a' } })
    await call(id)
    expect(receiver.types()).toEqual(['status-update', 'status-update', 'end-of-call-report'])
    for (const { headers, path, text } of receiver.received) {
      expect(path).toBe('/number')
      expect(headers.get('x-vapi-secret')).toBe('hush')
      expect(headers.get('x-team')).toBe('a')
      expect(text).not.toContain('hush')
    }
    expect(receiver.received[0]?.message).toMatchObject({ call: { type: 'inboundPhoneCall' } })
    const [first] = await deliveries(id)
    const log = JSON.stringify(await me.data(200, 'GET', `/deliveries/${first?.id}`))
    expect(log).not.toContain('hush')
    expect(await storedDeliveries(app.database)).not.toContain('hush')
  })

  test('does not receive when the assistant has a URL of its own', async () => {
    const id = await assistant(only('end-of-call-report'))
    await number(id, { url: `${receiver.url}/number`, secret: 'hush' })
    await call(id)
    expect(receiver.received.map(({ path, headers }) => [path, headers.get('x-vapi-secret')])).toEqual([
      ['/hook', null],
    ])
  })

  test.each([
    ['hmac-1', (one: Receiver['received'][number]) => isSigned(one, 'key of the signature')],
    ['bearer-1', ({ headers }: Receiver['received'][number]) => headers.get('authorization') === 'Bearer a-token'],
  ])('authenticates with the credential %s', async (credentialId, isAuthentic) => {
    const id = await assistant({ metadata: {}, ...only('end-of-call-report') })
    await number(id, { url: receiver.url, credentialId })
    await call(id)
    expect(receiver.received.map(isAuthentic)).toEqual([true])
  })

  test('is not sent without the credential that it names', async () => {
    const id = await assistant({ metadata: {}, ...only('end-of-call-report') })
    await number(id, { url: receiver.url, credentialId: 'forgotten' })
    await call(id)
    expect(receiver.received).toEqual([])
    expect(await deliveries(id)).toMatchObject([
      { status: 'pending', attempts: 1, last_error: 'The credential of this webhook is not configured.' },
    ])
  })
})

test('no webhook has a secret of the assistant or the number in it', async () => {
  const mark = `hidden-${crypto.randomUUID()}`
  const server = (place: string) => ({
    url: `https://tools.example.com/${place}?key=${mark}`,
    secret: mark,
    headers: { 'X-Own': mark },
  })
  const tool = (name: string) => ({
    type: 'function',
    function: { name },
    server: server(name),
    parameters: [{ key: 'own', value: mark }],
  })
  const asked = `https://me:${mark}@orders.example.com/all#${mark}`
  const types = ['status-update', 'assistant.started', 'tool-calls', 'end-of-call-report']
  const id = await assistant(only(...types))
  const { phone_number } = await me.number()
  await me.data(200, 'PUT', `/phone-numbers/${phone_number}`, { voice_assistant_id: id, server: server('number') })
  const { voice_assistant_id: liveId } = await me.data(200, 'GET', `/assistants/${id}`)
  const { platform } = app.services
  const set = {
    voice: { provider: 'custom-voice', server: server('voice') },
    model: {
      ...{ provider: 'custom-llm', model: 'own', url: `https://model.example.com/v1?key=${mark}`, maxTokens: 400 },
      ...{ headers: { 'X-Model': mark }, tools: [tool('book'), { type: 'apiRequest', method: 'GET', url: asked }] },
    },
    hooks: [{ on: 'call.ending', do: [{ type: 'tool', tool: tool('end') }] }],
  }
  await platform.assistants.update(String(liveId), set as unknown as Parameters<typeof platform.assistants.update>[1])
  await call(id)
  expect(receiver.types()).toEqual(['status-update', 'assistant.started', 'status-update', 'end-of-call-report'])
  expect(receiver.received.filter(({ text }) => text.includes(mark))).toEqual([])
  expect(receiver.received[0]?.message).toMatchObject({
    assistant: {
      voice: { provider: 'custom-voice', server: { url: 'https://tools.example.com/voice?***' } },
      model: {
        maxTokens: 400,
        url: 'https://model.example.com/v1?***',
        tools: [
          { function: { name: 'book' }, server: { url: 'https://tools.example.com/book?***' } },
          { type: 'apiRequest', url: 'https://orders.example.com/all' },
        ],
      },
    },
  })
})

describe('a credential', () => {
  const server = { url: 'https://hooks.example.com', credentialId: 'bearer-1' }

  test('of the operator is for workspaces that it was granted to', async () => {
    const stranger = await caller(app)
    const { phone_number: theirs } = await stranger.number()
    const uuid = crypto.randomUUID()
    const spellings = [uuid, uuid.toUpperCase(), ` ${uuid}`, uuid.replaceAll('-', ''), `{${uuid}}`, `urn:uuid:${uuid}`]
    for (const credentialId of spellings) {
      const answer = await stranger.send('PUT', `/phone-numbers/${theirs}`, { server: { ...server, credentialId } })
      const text = 'The selected credential does not exist.'
      expect([answer.status, (await answer.json()).errors]).toEqual([422, { 'server.credentialId': [text] }])
    }
    const { phone_number: mine } = await me.number()
    const saved = await me.data(200, 'PUT', `/phone-numbers/${mine}`, {
      server: { ...server, credentialId: ' Bearer-1' },
    })
    expect(saved.server).toMatchObject({ credentialId: 'bearer-1' })
  })

  test.each(['bearer-1', 'BEARER-1', 'crm-key', 'c'.repeat(255)])(
    '%s of a workspace that it was not granted to is kept, and nothing is sent with it',
    async (credentialId) => {
      const stranger = await caller(app)
      const { phone_number: theirs } = await stranger.number()
      const path = `/phone-numbers/${theirs}`
      const saved = await stranger.data(200, 'PUT', path, { server: { url: receiver.url, secret: 's', credentialId } })
      expect(saved.server).toEqual({ url: receiver.url, secret: 's', credentialId, staticIpAddressesEnabled: false })
      const renamed = await stranger.data(200, 'PUT', path, { name: 'Desk' })
      expect(renamed.server).toEqual(saved.server)
      expect(await app.services.platform.phoneNumbers.findByNumber(theirs)).toMatchObject({ server: { credentialId } })
      expect(await apart(app, theirs)).toEqual([])
      await stranger.data(201, 'POST', `${path}/test-calls`, {})
      await app.services.webhooks.drain()
      expect(receiver.received).toEqual([])
    },
  )

  test('signs what is told of a call that nobody answers, too', async () => {
    const { phone_number: mine } = await me.number()
    await me.data(200, 'PUT', `/phone-numbers/${mine}`, { server: { url: receiver.url, credentialId: 'bearer-1' } })
    await me.data(201, 'POST', `/phone-numbers/${mine}/test-calls`, {})
    await app.services.webhooks.drain()
    expect(receiver.types()).toContain('status-update')
    expect(new Set(receiver.received.map(({ headers }) => headers.get('authorization')))).toEqual(
      new Set(['Bearer a-token']),
    )
  })

  test('that is not granted any more is not used, also by a number that was saved before anybody asked', async () => {
    const { phone_number: mine } = await me.number()
    const id = await assistant({ metadata: {}, ...only('end-of-call-report') })
    await me.data(200, 'PUT', `/phone-numbers/${mine}`, {
      voice_assistant_id: id,
      server: { url: receiver.url, credentialId: 'bearer-1' },
    })
    await changeWorkspace(app.database, me.workspaceId, { webhookCredentials: ['hmac-1'] })
    await call(id)
    const last_error = 'The credential of this webhook is not granted to the workspace.'
    expect([receiver.received, await deliveries(id)]).toMatchObject([
      [],
      [{ status: 'pending', attempts: 1, last_error }],
    ])

    await changeWorkspace(app.database, me.workspaceId, { webhookCredentials: ['hmac-1', 'bearer-1'] })
    await later()
    expect(receiver.received.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer a-token'])
  })

  test('is not taken away while a number names it', async () => {
    const { phone_number: mine } = await me.number()
    await me.data(200, 'PUT', `/phone-numbers/${mine}`, { server })
    const { status, body } = await grant(['hmac-1', 'forgotten'])
    expect([status, body.errors]).toEqual([
      422,
      {
        webhook_credentials: [expect.stringMatching(/^The credential bearer-1 is in use by the phone number \+\d+\.$/)],
      },
    ])
    expect((await grant(['hmac-1', 'bearer-1', 'forgotten', 'new'])).body.data).toMatchObject({
      webhook_credentials: ['hmac-1', 'bearer-1', 'forgotten', 'new'],
    })
  })

  test.each(['assistant', 'squad'])('is not taken away while an %s names it', async (kind) => {
    const others = ['hmac-1', 'bearer-1', 'forgotten', 'new']
    await grant([...others, 'spare'])
    const assistantOverrides = { credentialIds: ['spare'] }
    const handoff = { type: 'handoff', destinations: [{ type: 'dynamic', assistantOverrides }] }
    const naming = kind === 'assistant' ? { model: { tools: [handoff] } } : {}
    const assistantId = await assistant({ name: 'Credentialed', ...naming })
    const members = [{ assistantId, assistantOverrides }]
    if (kind === 'squad') await me.data(201, 'POST', '/squads', { name: 'Credentialed', members })
    const refused = await grant(others)
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { webhook_credentials: [`The credential spare is in use by the ${kind} Credentialed.`] },
    ])
    if (kind === 'assistant') await me.data(200, 'DELETE', `/assistants/${assistantId}`)
  })
})

describe('a receiver that fails', () => {
  test('is tried again later, until it has everything', async () => {
    const id = await assistant(only('status-update', 'end-of-call-report'))
    receiver.answers.push(500, 503, 302)
    const callId = await call(id)
    expect(await deliveries(id)).toMatchObject([
      { type: 'end-of-call-report', status: 'pending', attempts: 1 },
      {
        type: 'status-update',
        status: 'pending',
        attempts: 1,
        last_status: 503,
        last_error: 'The receiver answered with status 503.',
      },
      { type: 'status-update', status: 'pending', attempts: 1, last_status: 500, next_attempt_at: expect.any(String) },
    ])
    await app.services.webhooks.drain()
    expect(receiver.received).toHaveLength(3)
    await later()
    expect((await deliveries(id)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 2],
      ['delivered', 2],
      ['delivered', 2],
    ])
    expect(receiver.types(callId).slice(3).toSorted()).toEqual(['end-of-call-report', 'status-update', 'status-update'])
  })

  test('loses nothing while it is away', async () => {
    const id = await assistant(only('status-update', 'end-of-call-report'))
    await receiver.stop()
    await call(id)
    for (let count = 0; count < 6; count++) await later()
    expect(await deliveries(id, '?status=pending')).toHaveLength(3)
    receiver = startReceiver(receiver.url)
    await later()
    expect(receiver.received).toHaveLength(3)
    expect(await deliveries(id, '?status=delivered')).toHaveLength(3)
  })

  test('is given up after the last try, and gets it when it is replayed', async () => {
    const id = await assistant(only('end-of-call-report'))
    receiver.answers.push(...Array.from({ length: 9 }, () => 500))
    const callId = await call(id)
    for (let count = 0; count < 12; count++) await later()
    const [dead] = await deliveries(id)
    expect(dead).toMatchObject({ status: 'dead', attempts: 9, last_status: 500, next_attempt_at: null })
    expect(receiver.received).toHaveLength(9)

    const replayed = await me.send('POST', `/deliveries/${dead?.id}/replay`)
    expect(replayed.status).toBe(200)
    expect(await replayed.json()).toMatchObject({ success: true, data: { id: dead?.id, status: 'pending' } })
    await app.services.webhooks.drain()
    expect(await deliveries(id)).toMatchObject([
      { status: 'delivered', attempts: 10, last_status: 200, last_error: null },
    ])
    expect(receiver.types(callId)).toHaveLength(10)
  })

  test('has the time that its block gives', async () => {
    const id = await assistant(only('end-of-call-report'))
    receiver.answers.push('hang')
    await me.data(201, 'POST', `/assistants/${id}/test-calls`, { messages: ['Hi'] })
    await hurryPending(app.database)
    await app.services.webhooks.drain()
    expect(await deliveries(id)).toMatchObject([{ status: 'pending', last_error: 'The URL does not answer in time.' }])
  })
})

describe('an address that must not be reached', () => {
  test.each([
    ['http://10.0.0.1/hook', 'The URL must not lead to a private network.'],
    ['http://169.254.169.254/latest', 'The URL must not lead to a private network.'],
    ['http://[::1]:9/hook', 'The URL must not lead to a private network.'],
    ['http://2130706434/', 'The URL must not lead to a private network.'],
  ])('is refused at delivery, for good, and the log says why: %s', async (url, reason) => {
    const id = await assistant({ metadata: { webhook_url: url }, ...only('end-of-call-report') })
    await call(id)
    expect(await deliveries(id)).toMatchObject([{ status: 'dead', attempts: 1, last_status: null, last_error: reason }])
  })
})

describe('the log', () => {
  test('shows the body, the address without its query, and page by page', async () => {
    const id = await assistant({
      metadata: { webhook_url: `${receiver.url}/hook?key=hidden` },
      ...only('status-update', 'end-of-call-report'),
    })
    const callId = await call(id)
    const answer = await (await me.send('GET', `/assistants/${id}/deliveries?per_page=2`)).json()
    expect(answer.pagination).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3, from: 1, to: 2 })
    expect(answer.data[0]).toEqual({
      id: expect.any(String),
      type: 'end-of-call-report',
      call_id: callId,
      url: `${receiver.url}/hook?***`,
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      last_error: null,
      next_attempt_at: null,
      delivered_at: expect.any(String),
      created_at: expect.any(String),
    })
    const { payload } = (await me.data(200, 'GET', `/deliveries/${answer.data[0].id}`)) as { payload?: object }
    expect(payload).toMatchObject({ message: { type: 'end-of-call-report', call: { id: callId } } })
    expect(JSON.stringify([payload, receiver.received.map(({ text }) => text)])).not.toContain('hidden')
  })

  test('is of the account, and a replay is a write', async () => {
    const id = await assistant(only('end-of-call-report'))
    await call(id)
    const [one] = await deliveries(id)
    const viewer = await caller(app, {
      workspaceId: me.workspaceId,
      resellerId: me.resellerId,
      workspaceRole: 'viewer',
    })
    const stranger = await caller(app)
    expect((await viewer.send('GET', `/deliveries/${one?.id}`)).status).toBe(200)
    expect((await viewer.send('POST', `/deliveries/${one?.id}/replay`)).status).toBe(403)
    for (const [method, path] of [
      ['GET', `/deliveries/${one?.id}`],
      ['POST', `/deliveries/${one?.id}/replay`],
      ['GET', '/deliveries/x'],
    ] as const) {
      const answer = await stranger.send(method, path)
      expect([answer.status, await answer.json()]).toEqual([404, { success: false, message: 'Delivery not found' }])
    }
  })
  test('of a workspace has what an assistant was told that is deleted, for its accounts alone', async () => {
    const owner = await caller(app)
    const kept = me
    me = owner
    const id = await assistant(only('end-of-call-report'))
    await call(id)
    const [one] = await deliveries(id)
    await owner.data(200, 'DELETE', `/assistants/${id}`)
    me = kept
    const path = `/deliveries?workspace_id=${owner.workspaceId}`
    const list = async (who: Caller, query = '') => (await (await who.send('GET', `${path}${query}`)).json()).data
    expect(await list(owner)).toMatchObject([{ id: one?.id, status: 'delivered' }])
    expect(await list(owner, '&status=dead')).toEqual([])
    expect(await owner.data(200, 'GET', '/deliveries')).toEqual([])
    expect(await list(await caller(app, { role: 'admin' }))).toHaveLength(1)
    const reseller = { resellerId: owner.resellerId, role: 'reseller_admin' } as const
    expect(await list(await caller(app, reseller))).toHaveLength(1)
    expect(await list(await caller(app, { role: 'reseller_admin' }))).toEqual([])
    expect(await list(await caller(app))).toEqual([])
    const { call_id } = (await owner.data(200, 'GET', `/deliveries/${one?.id}`)) as never as { call_id: string }
    const ofCall = async (who: Caller, query = '') =>
      (await (await who.send('GET', `/deliveries?call_id=${call_id}${query}`)).json()).data
    expect(await ofCall(owner)).toMatchObject([{ id: one?.id, call_id }])
    expect(await ofCall(owner, `&workspace_id=${owner.workspaceId}&status=dead`)).toEqual([])
    expect(await ofCall(await caller(app, { role: 'admin' }))).toHaveLength(1)
    expect(await ofCall(await caller(app))).toEqual([])
    expect(await owner.data(200, 'GET', `/deliveries?call_id=${crypto.randomUUID()}`)).toEqual([])
    expect((await (await caller(app)).send('GET', `/deliveries/${one?.id}`)).status).toBe(404)
    expect((await owner.send('POST', `/deliveries/${one?.id}/replay`)).status).toBe(200)
    await app.services.webhooks.drain()
  })
})
