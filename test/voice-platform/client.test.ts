import { describe, expect, test } from 'vitest'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { PlatformError } from '../../src/voice-platform/errors.ts'
import { createRig } from '../support/voice-platform/embedded.ts'
import type { VirtualClock } from '../support/voice-platform/virtual-clock.ts'

const body = { name: 'Anna', metadata: { external_ref: 'ref-1' } }

/** The error of a call, with the virtual clock driving it. */
async function failureOf(clock: VirtualClock, call: Promise<unknown>): Promise<PlatformError> {
  const error = await clock.settle(call).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PlatformError)) throw new Error(`Expected a PlatformError, got ${String(error)}`)
  return error
}

const always = { times: 99 }

describe('how calls fail', () => {
  const verbs = ['create', 'get', 'update', 'delete'] as const
  type Verb = (typeof verbs)[number]
  type Row = [name: string, fault: Fault, expected: Record<Verb, [kind: string, attempts: number]>]
  const same = (kind: string, attempts: number): Record<Verb, [string, number]> => ({
    create: [kind, attempts],
    get: [kind, attempts],
    update: [kind, attempts],
    delete: [kind, attempts],
  })
  const rows: Row[] = [
    ['refused connection', { mode: 'refuse', ...always }, same('unavailable', 3)],
    ['too many requests', { mode: 'status', status: 429, ...always }, same('unavailable', 3)],
    ['bad request', { mode: 'status', status: 400, ...always }, same('rejected', 1)],
    ['conflict', { mode: 'status', status: 409, ...always }, same('rejected', 1)],
    ['not found', { mode: 'status', status: 404, ...always }, same('not_found', 1)],
    ['server error', { mode: 'status', status: 503, ...always }, { ...same('unknown', 3), create: ['unknown', 1] }],
    ['request timeout', { mode: 'status', status: 408, ...always }, { ...same('unknown', 3), create: ['unknown', 1] }],
    ['lost connection', { mode: 'drop_before', ...always }, { ...same('unknown', 3), create: ['unknown', 1] }],
    ['silence', { mode: 'timeout', ...always }, same('unknown', 1)],
    ['an unreadable success', { mode: 'not_json', ...always }, same('unknown', 1)],
    [
      'a redirect',
      { mode: 'status', status: 302, headers: { location: 'http://localhost/x' }, ...always },
      { ...same('unknown', 3), create: ['unknown', 1] },
    ],
  ]
  test.each(
    rows.flatMap(([name, fault, expected]) => verbs.map((verb) => [name, verb, fault, ...expected[verb]] as const)),
  )('%s on %s', async (_, verb, fault, kind, attempts) => {
    const { client, platform, clock } = createRig()
    const { id } = await clock.settle(client.assistants.create(body))
    platform.requests.length = 0
    platform.faults.add(fault)
    const start = clock.elapsed
    const calls = {
      create: () => client.assistants.create(body),
      get: () => client.assistants.get(id),
      update: () => client.assistants.update(id, body),
      delete: () => client.assistants.delete(id),
    }
    const error = await failureOf(clock, calls[verb]())
    expect([error.kind, platform.requests.length]).toEqual([kind, attempts])
    expect(clock.elapsed - start).toBeLessThanOrEqual(20_000)
    expect(error.detail).toMatch(/^[^/]{10,200}$/)
  })

  test('an answer that is JSON but no object is unreadable', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'status', status: 200, body: [] }, { mode: 'status', status: 200, body: { name: 'x' } })
    expect((await failureOf(clock, client.assistants.get('x'))).kind).toBe('unknown')
    expect((await failureOf(clock, client.assistants.get('x'))).kind).toBe('unknown')
    platform.faults.add({ mode: 'status', status: 200, body: {} })
    expect((await failureOf(clock, client.assistants.list())).kind).toBe('unknown')
  })
})

describe('what a retry may conclude', () => {
  test.each<[string, Fault[], string]>([
    ['a refusal after an unanswered attempt', [{ mode: 'drop_after' }, { mode: 'status', status: 400 }], 'unknown'],
    [
      '429 after an unanswered attempt',
      [{ mode: 'drop_after' }, { mode: 'status', status: 429, ...always }],
      'unknown',
    ],
    [
      'refused after a server error',
      [
        { mode: 'status', status: 500 },
        { mode: 'refuse', ...always },
      ],
      'unknown',
    ],
    ['404 after an unanswered attempt', [{ mode: 'drop_before' }, { mode: 'status', status: 404 }], 'not_found'],
  ])('%s', async (_, faults, kind) => {
    const { client, platform, clock } = createRig()
    const { id } = await clock.settle(client.assistants.create(body))
    platform.faults.add(...faults)
    expect((await failureOf(clock, client.assistants.update(id, body))).kind).toBe(kind)
  })

  test('a delete whose first answer was lost finds the object gone', async () => {
    const { client, platform, clock } = createRig()
    const { id } = await clock.settle(client.assistants.create(body))
    platform.faults.add({ method: 'DELETE', mode: 'drop_after' })
    expect((await failureOf(clock, client.assistants.delete(id))).kind).toBe('not_found')
  })

  test.each<[string, object]>([
    ['204', { status: 204 }],
    ['200 and no object', { status: 200, body: {} }],
  ])('a delete that is answered with %s is done', async (_, answered) => {
    const { client, platform, clock } = createRig()
    const { id } = await clock.settle(client.assistants.create(body))
    platform.requests.length = 0
    platform.faults.add({ method: 'DELETE', mode: 'status', ...answered })
    await clock.settle(client.assistants.delete(id))
    expect(platform.requests).toHaveLength(1)
  })

  test('a create whose answer was lost is not sent again and is found by its reference', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ method: 'POST', mode: 'drop_after' })
    const since = clock.now()
    expect((await failureOf(clock, client.assistants.create(body))).kind).toBe('unknown')
    expect(await clock.settle(client.assistants.findByExternalRef('ref-1', since))).toMatchObject({ name: 'Anna' })
    expect(await clock.settle(client.assistants.list())).toHaveLength(1)
    expect(await clock.settle(client.assistants.findByExternalRef('ref-2', since))).toBeNull()
  })

  test('a passing fault is not seen by the caller', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'refuse' }, { mode: 'status', status: 429 })
    expect(await clock.settle(client.assistants.create(body))).toMatchObject({ name: 'Anna' })
  })
})

describe('Retry-After and the deadline', () => {
  test.each<[string, string, number]>([
    ['seconds', '7', 7000],
    ['a date', 'Tue, 01 Jan 2030 00:00:04 GMT', 4000],
    ['something unreadable', 'soon', 500],
    ['less than the own pause', '0', 500],
  ])('%s', async (_, header, waited) => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'status', status: 429, headers: { 'retry-after': header } })
    await clock.settle(client.assistants.create(body))
    expect(clock.elapsed).toBe(waited)
  })

  test('a wait beyond the deadline is not begun', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'status', status: 429, headers: { 'retry-after': '20' } })
    expect((await failureOf(clock, client.assistants.create(body))).kind).toBe('unavailable')
    expect([clock.elapsed, platform.requests.length]).toEqual([0, 1])
  })

  test('a second attempt has only the rest of the time', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'status', status: 429, headers: { 'retry-after': '15' } }, { mode: 'timeout' })
    expect((await failureOf(clock, client.assistants.create(body))).kind).toBe('unknown')
    expect(clock.elapsed).toBe(20_000)
  })

  test('a process that stood still until it was over sends nothing more', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'status', status: 429, headers: { 'retry-after': '7' } })
    const call = client.assistants.create(body)
    await expect.poll(() => platform.requests.length, { timeout: 60_000 }).toBe(1)
    clock.pass(60_000)
    expect((await failureOf(clock, call)).kind).toBe('unavailable')
    expect(platform.requests.length).toBe(1)
  })

  test('a search over many pages shares one deadline', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'timeout' })
    await failureOf(clock, client.assistants.findByExternalRef('ref-1', clock.now(), { timeoutMs: 3000 }))
    expect(clock.elapsed).toBe(3000)
  })
})

describe('the caller’s signal', () => {
  test('before anything was sent: certainly not done', async () => {
    const { client, platform, clock } = createRig()
    const error = await failureOf(clock, client.assistants.create(body, { signal: AbortSignal.abort() }))
    expect([error.kind, platform.requests.length]).toEqual(['unavailable', 0])
  })

  test('while waiting for the answer: unknown', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'timeout' })
    const caller = new AbortController()
    const call = client.assistants.create(body, { signal: caller.signal })
    setImmediate(() => caller.abort())
    await expect(call).rejects.toMatchObject({ kind: 'unknown' })
    expect(clock.elapsed).toBe(0)
    expect(client.breaker.state).toBe('closed')
  })
})

describe('the breaker', () => {
  const options = { retries: 0, breaker: { threshold: 3, pauseMs: 10_000, maxPauseMs: 10_000 } }

  test('opens after failures in a row, probes once after the pause, closes on an answer', async () => {
    const { client, platform, clock } = createRig({}, options)
    platform.faults.add({ mode: 'status', status: 503, times: 4 })
    for (let count = 0; count < 3; count += 1) await failureOf(clock, client.assistants.list())
    expect(client.breaker.state).toBe('open')
    expect((await failureOf(clock, client.assistants.create(body))).kind).toBe('unavailable')
    expect(platform.requests).toHaveLength(3)

    clock.pass(10_000)
    expect(client.breaker.state).toBe('half-open')
    const probe = failureOf(clock, client.assistants.list())
    const second = failureOf(clock, client.assistants.list())
    expect([(await probe).kind, (await second).kind]).toEqual(['unknown', 'unavailable'])
    expect(platform.requests).toHaveLength(4)
    expect(client.breaker.state).toBe('open')

    clock.pass(10_000)
    expect(await clock.settle(client.assistants.list())).toEqual([])
    expect(client.breaker.state).toBe('closed')
  })

  test('as it is set, tries a platform that failed again soon, and one that goes on failing ever later', async () => {
    const { client, platform, clock } = createRig({}, { retries: 0 })
    platform.faults.add({ mode: 'refuse', times: 11 })
    for (let count = 0; count < 5; count += 1) await failureOf(clock, client.assistants.list())
    for (const pause of [250, 500, 1_000, 2_000, 4_000, 4_000]) {
      clock.pass(pause - 1)
      expect(client.breaker.state).toBe('open')
      clock.pass(1)
      await failureOf(clock, client.assistants.list())
    }
    clock.pass(4_000)
    expect(await clock.settle(client.assistants.list())).toEqual([])
    for (let count = 0; count < 5; count += 1) {
      platform.faults.add({ mode: 'refuse', times: 1 })
      await failureOf(clock, client.assistants.list())
    }
    clock.pass(250)
    expect(await clock.settle(client.assistants.list())).toEqual([])
  })

  test('conversations in this process have none: failures of one caller stop nobody else', async () => {
    const { client, platform, clock } = createRig({}, { retries: 0, simulated: true })
    platform.faults.add({ mode: 'status', status: 500, times: 20 })
    const reply = () => client.chat.create({ assistantId: crypto.randomUUID(), input: 'Hi' })
    for (let count = 0; count < 20; count += 1) await failureOf(clock, reply())
    expect((await failureOf(clock, reply())).kind).not.toBe('unavailable')
  })

  test('an answer in between, even a refusal, starts the count again', async () => {
    const { client, platform, clock } = createRig({}, options)
    const fails: Fault = { mode: 'refuse', times: 2 }
    platform.faults.add(fails, { mode: 'status', status: 400 }, fails)
    for (let count = 0; count < 5; count += 1) await failureOf(clock, client.assistants.list())
    expect(client.breaker.state).toBe('closed')
  })
})

describe('what users are told', () => {
  test.each<[string, number, unknown, string, string[]]>([
    [
      'a list of texts',
      400,
      { message: ['server.url must be a URL address', 'x'] },
      'server.url must be a URL address',
      ['server.url must be a URL address', 'x'],
    ],
    ['one text', 400, { message: 'Nope.' }, 'Nope.', ['Nope.']],
    [
      'an address and a key',
      422,
      { message: 'See https://a.example/x?k=1 with Bearer abc' },
      'See the address with Bearer ***',
      ['See https://a.example/x?k=1 with Bearer abc'],
    ],
    ['several lines', 400, { message: 'one\n  two' }, 'one two', ['one\n  two']],
    ['nothing readable', 418, '<html>', 'The voice platform rejected the request (status 418).', []],
    [
      'a refused key',
      401,
      { message: 'Invalid Key.' },
      'The voice platform refused the configured API key.',
      ['Invalid Key.'],
    ],
  ])('%s', async (_, status, answer, detail, messages) => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'status', status, body: answer })
    const error = await failureOf(clock, client.assistants.create(body))
    expect({ detail: error.detail, messages: error.messages, status: error.status }).toEqual({
      detail,
      messages,
      status,
    })
    expect(error.cause).toBeUndefined()
  })

  test('what was sent as a secret is not repeated', async () => {
    const { client, platform, clock } = createRig()
    const headers = { 'X-Shop': 'of-the-shop', 'X-Mode': 'name' }
    const sent = {
      ...body,
      voice: { provider: 'custom-voice', server: { url: 'https://a.example/', secret: 'shop-key-1', headers } },
    }
    const message = 'name: X-Shop of-the-shop and shop-key-1 are no good'
    platform.faults.add({ mode: 'status', status: 400, body: { message } })
    const { detail, messages } = await failureOf(clock, client.assistants.create(sent as never))
    const told = 'name: X-Shop *** and *** are no good'
    expect({ detail, messages }).toEqual({ detail: told, messages: [told] })
  })

  test('a long text is cut', async () => {
    const { client, platform, clock } = createRig()
    platform.faults.add({ mode: 'status', status: 400, body: { message: '😀'.repeat(500) } })
    expect([...(await failureOf(clock, client.assistants.create(body))).detail]).toHaveLength(200)
  })
})

test('a create leaves out what null would clear, an update sends it', async () => {
  const { client, platform, clock } = createRig()
  const { id } = await clock.settle(client.assistants.create({ ...body, server: null }))
  expect(platform.requests.at(-1)?.body).toEqual(body)
  await clock.settle(client.assistants.update(id, { server: { url: 'https://hooks.example' } }))
  expect(await clock.settle(client.assistants.update(id, { server: null }))).not.toHaveProperty('server')
  expect(platform.requests.at(-1)?.body).toEqual({ server: null })
})
