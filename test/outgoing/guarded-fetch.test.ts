import { getEventListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuardedFetch } from '../../src/outgoing/guarded-fetch.ts'
import { allowedPlaces } from '../../src/outgoing/places.ts'
import { OutgoingError } from '../../src/outgoing/refusal.ts'
import { certificate, privateKey } from './certificate.ts'

const bounds = { httpAllowed: true, timeoutMs: 2000, maxBytes: 1000 }

let reached: string[] = []
let server: ReturnType<typeof Bun.serve>
let other: ReturnType<typeof Bun.serve>
let secure: ReturnType<typeof Bun.serve>

const slow = (firstBytes: string) =>
  new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(firstBytes))
        await Bun.sleep(1500)
        controller.close()
      },
    }),
  )

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  reached.push(pathname)
  const status = Number(/^\/status\/(\d+)$/.exec(pathname)?.[1])
  if (status) return new Response(null, { status, headers: { location: 'http://127.0.0.1:1/inside' } })
  switch (pathname) {
    case '/echo':
      return Response.json({
        host: request.headers.get('host'),
        secret: request.headers.get('x-secret'),
        body: await request.text(),
        method: request.method,
      })
    case '/large':
      return new Response('x'.repeat(5000))
    case '/endless':
      return new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(600).fill(120)) }),
      )
    case '/bomb':
      return new Response(Bun.gzipSync(new Uint8Array(500_000)), { headers: { 'content-encoding': 'gzip' } })
    case '/encoded':
      // Nothing that undoes it would get this far.
      return new Response('not compressed', { headers: { 'content-encoding': 'br' } })
    case '/accepts':
      return new Response(request.headers.get('accept-encoding'))
    case '/silent':
      await Bun.sleep(1500)
      return new Response('late')
    case '/stuck':
      return slow('begun')
    default:
      return new Response('first')
  }
}

beforeAll(() => {
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  other = Bun.serve({ hostname: '127.0.0.2', port: server.port, fetch: () => new Response('second') })
  const tls = { cert: certificate, key: privateKey }
  secure = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: answer })
})
afterAll(() => Promise.all([server, other, secure].map((each) => each.stop(true))))

/** Names of the tests, each with the answers that it gives in turn; the last one stays. */
function guard(names: Record<string, string[][]>, allow = ['127.0.0.1', '127.0.0.2']) {
  const asked: string[] = []
  const resolve = async (host: string) => {
    const answers = names[host]
    if (!answers) throw new Error('no such name')
    const nth = asked.filter((name) => name === host).length
    asked.push(host)
    return answers[Math.min(nth, answers.length - 1)] ?? []
  }
  const guarded = createGuardedFetch({ allowed: allowedPlaces(allow), resolve, ca: certificate })
  const reasonOf = async (url: string, changed: Partial<typeof bounds> = {}) => {
    try {
      await (await guarded(url, {}, { ...bounds, ...changed })).arrayBuffer()
      return 'none'
    } catch (error) {
      if (error instanceof OutgoingError) return error.reason
      throw error
    }
  }
  return { guarded, reasonOf, asked }
}

const at = (host: string, path: string) => `http://${host}:${server.port}${path}`

describe('reaching a host', () => {
  test('the request arrives under the name, with its own headers and body', async () => {
    const { guarded } = guard({ 'tools.test': [['127.0.0.1']] })
    const request = {
      method: 'POST',
      body: 'hello',
      headers: { 'x-secret': 's', host: 'evil.test', 'transfer-encoding': 'chunked', 'content-length': '1' },
    }
    const got = await guarded(at('tools.test', '/echo'), request, bounds)
    expect(got.status).toBe(200)
    expect(await got.json()).toEqual({ host: `tools.test:${server.port}`, secret: 's', body: 'hello', method: 'POST' })
  })

  test('an error status is an answer like any other', async () => {
    const { guarded } = guard({ 'tools.test': [['127.0.0.1']] })
    for (const status of [204, 304, 400, 401, 500]) {
      const got = await guarded(at('tools.test', `/status/${status}`), {}, bounds)
      expect([got.status, await got.text()]).toEqual([status, ''])
    }
  })

  test('over TLS the certificate must be of the name, not of the address', async () => {
    const { guarded, reasonOf } = guard({ 'tls.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] })
    const url = (host: string) => `https://${host}:${secure.port}/echo`
    const got = await guarded(url('tls.test'), {}, { ...bounds, httpAllowed: false })
    expect((await got.json()).host).toBe(`tls.test:${secure.port}`)
    expect(await reasonOf(url('other.test'))).toBe('unreachable')
    expect(await reasonOf(url('127.0.0.1'))).toBe('unreachable')
    const untrusting = createGuardedFetch({
      allowed: allowedPlaces(['127.0.0.1']),
      resolve: async () => ['127.0.0.1'],
    })
    await expect(untrusting(url('tls.test'), {}, bounds)).rejects.toMatchObject({ reason: 'unreachable' })
  })

  test.each<Record<string, string>>([{ 'a b': 'x' }, { a: 'x\r\nInjected: yes' }, { '': 'x' }, { a: '日本' }])(
    'headers that cannot be sent are the reason: %j',
    async (headers) => {
      reached = []
      const { guarded } = guard({ 'tools.test': [['127.0.0.1']] }, ['127.0.0.0/8'])
      await expect(guarded(at('tools.test', '/'), { headers }, bounds)).rejects.toMatchObject({
        reason: 'unsendable_headers',
        message: 'The URL is asked with headers that cannot be sent.',
      })
      expect(reached).toEqual([])
    },
  )

  test('the next address is tried where nobody listens', async () => {
    const { guarded } = guard({ 'tools.test': [['127.0.0.3', '127.0.0.1']] }, ['127.0.0.0/8'])
    expect(await (await guarded(at('tools.test', '/'), {}, bounds)).text()).toBe('first')
  })
})

describe('refusing a host', () => {
  test.each([
    ['a private address', { 'a.test': [['10.0.0.1']] }],
    ['a loopback address', { 'a.test': [['127.0.0.9']] }],
    ['the metadata service', { 'a.test': [['169.254.169.254']] }],
    ['IPv6 loopback', { 'a.test': [['::1']] }],
    ['an IPv4-mapped private address', { 'a.test': [['::ffff:10.0.0.1']] }],
    ['one private address among public ones', { 'a.test': [['8.8.8.8', '10.0.0.1']] }],
    ['something that is no address', { 'a.test': [['elsewhere.test']] }],
  ])('a name that leads to %s', async (_what, names) => {
    reached = []
    expect(await guard(names).reasonOf(at('a.test', '/'))).toBe('private_address')
    expect(reached).toEqual([])
  })

  test.each(['127.0.0.9', '2130706441', '0x7f000009', '0177.0.0.011', '127.9', '[::1]', '[::ffff:127.0.0.9]'])(
    'the address %s',
    async (host) => {
      expect(await guard({}).reasonOf(at(host, '/'))).toBe('private_address')
    },
  )

  test('a name of the allowed list may lead anywhere, another one with the same ending may not', async () => {
    const names = { 'tools.test': [['127.0.0.1']], 'x.tools.test': [['127.0.0.1']] }
    const { reasonOf } = guard(names, ['tools.test'])
    expect(await reasonOf(at('tools.test', '/'))).toBe('none')
    expect(await reasonOf(at('tools.test.', '/'))).toBe('none')
    expect(await reasonOf(at('x.tools.test', '/'))).toBe('private_address')
    expect(await reasonOf(at('tools.test', '/'), { httpAllowed: false })).toBe('none')
    expect(await reasonOf(at('x.tools.test', '/'), { httpAllowed: false })).toBe('https_only')
  })

  test('a name that is not found', async () => {
    expect(await guard({}).reasonOf(at('missing.test', '/'))).toBe('unresolved')
    expect(await guard({ 'empty.test': [[]] }).reasonOf(at('empty.test', '/'))).toBe('unresolved')
  })

  test('a name that changes its mind: it is asked once, and the checked address is the one that is reached', async () => {
    const names = { 'rebind.test': [['127.0.0.1'], ['127.0.0.2']] }
    const { guarded, asked } = guard(names, ['127.0.0.1'])
    expect(await (await guarded(at('rebind.test', '/'), {}, bounds)).text()).toBe('first')
    expect(asked).toEqual(['rebind.test'])
    await expect(guarded(at('rebind.test', '/'), {}, bounds)).rejects.toMatchObject({ reason: 'private_address' })
  })

  test.each([301, 302, 303, 307, 308])('a %i is not followed', async (status) => {
    reached = []
    const { reasonOf } = guard({ 'tools.test': [['127.0.0.1']] })
    expect(await reasonOf(at('tools.test', `/status/${status}`))).toBe('redirect')
    expect(reached).toEqual([`/status/${status}`])
  })
})

describe('bounds', () => {
  const names = { 'tools.test': [['127.0.0.1']] }
  test.each(['/large', '/endless'])('%s is cut off', async (path) => {
    expect(await guard(names).reasonOf(at('tools.test', path))).toBe('too_large')
  })

  test.each(['/bomb', '/encoded'])(
    '%s: a compressed body is not asked for, and neither undone nor taken',
    async (path) => {
      const { guarded, reasonOf } = guard(names)
      const headers = { 'accept-encoding': 'gzip, br' }
      const asked = await guarded(at('tools.test', '/accepts'), { headers }, bounds)
      expect(await asked.text()).toBe('identity')
      const { status } = await guarded(at('tools.test', path), {}, bounds)
      expect([status, await reasonOf(at('tools.test', path))]).toEqual([200, 'encoded'])
    },
  )

  test('an answer of exactly the limit is whole', async () => {
    const { guarded } = guard(names)
    expect(await (await guarded(at('tools.test', '/large'), {}, { ...bounds, maxBytes: 5000 })).text()).toHaveLength(
      5000,
    )
  })

  test.each(['/silent', '/stuck'])('%s ends in time', async (path) => {
    expect(await guard(names).reasonOf(at('tools.test', path), { timeoutMs: 100 })).toBe('timeout')
  })

  test('a name server that never answers ends in time', async () => {
    const guarded = createGuardedFetch({ allowed: allowedPlaces([]), resolve: () => new Promise(() => {}) })
    await expect(guarded('https://a.test/', {}, { ...bounds, timeoutMs: 50 })).rejects.toMatchObject({
      reason: 'timeout',
    })
  })

  test('name servers that are silent hold up no file and no compressed response', async () => {
    const guarded = createGuardedFetch({ allowed: allowedPlaces([]) })
    const asked = Array.from({ length: 60 }, (_, index) =>
      guarded(`https://host-${index}.nowhere.example/`, {}, { ...bounds, timeoutMs: 6000 }).catch(
        (error: unknown) => error,
      ),
    )
    await Bun.sleep(20)
    const begun = performance.now()
    await promisify(gzip)(Buffer.alloc(100_000))
    await readFile(import.meta.filename)
    expect(performance.now() - begun).toBeLessThan(4000)
    for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(OutgoingError)
  })

  test('names of the machine itself are found, and refused unless they are allowed', async () => {
    const reason = createGuardedFetch({ allowed: allowedPlaces([]) })('http://localhost/', {}, bounds)
    await expect(reason).rejects.toMatchObject({ reason: 'private_address' })
    const allowed = createGuardedFetch({ allowed: allowedPlaces(['localhost']) })
    expect((await allowed(`http://localhost:${server.port}/first`, {}, bounds)).status).toBe(200)
  })

  test("the caller's own end is passed on as it is", async () => {
    const { guarded } = guard(names)
    const controller = new AbortController()
    const pending = guarded(at('tools.test', '/silent'), { signal: controller.signal }, bounds)
    setTimeout(() => controller.abort(new Error('gone')), 50)
    await expect(pending).rejects.toThrow('gone')
    await expect(guarded(at('tools.test', '/'), { signal: AbortSignal.abort() }, bounds)).rejects.toThrow()
  })
})

describe('the time of a request', () => {
  /** Sends a request, does with its response what is said, and counts what still waits for the request to end. */
  async function waitingAfter(path: string, use: (response: Response) => unknown, ending?: AbortSignal) {
    let started = 0
    const waiting = new Set<() => void>()
    const after = (ms: number, run: () => void) => {
      started += 1
      waiting.add(run)
      const timer = setTimeout(() => {
        waiting.delete(run)
        run()
      }, ms)
      return () => {
        clearTimeout(timer)
        waiting.delete(run)
      }
    }
    const resolve = async (host: string) => {
      if (host === 'nowhere.test') return ['127.0.0.3']
      if (host === 'tools.test') return ['127.0.0.1']
      throw new Error('no such name')
    }
    const allowed = allowedPlaces(['127.0.0.0/8'])
    const guarded = createGuardedFetch({ allowed, resolve, timers: { after } })
    const caller = new AbortController()
    ending?.addEventListener('abort', () => caller.abort(new Error('gone')))
    const listeners = () => getEventListeners(caller.signal, 'abort').length
    const limits = { ...bounds, timeoutMs: 300 }
    const url = path.startsWith('http') ? path : at('tools.test', path)
    await guarded(url, { signal: caller.signal }, limits)
      .then(use)
      .catch(() => {})
    return { started, timers: waiting.size, listeners: listeners() }
  }

  const read = (response: Response) => response.text()
  test.each<[string, string, (response: Response) => unknown]>([
    ['a body was read to its end', '/', read],
    ['there is no body', '/status/204', () => {}],
    ['an empty body was read', '/status/500', read],
    ['a body was cancelled', '/endless', (response) => response.body?.cancel()],
    [
      'a body that had begun was cancelled',
      '/endless',
      async ({ body }) => {
        const reader = body?.getReader()
        await reader?.read()
        await reader?.cancel()
      },
    ],
    ['a body is announced as too large', '/large', read],
    ['a body turns out too large', '/endless', read],
    ['a body is compressed', '/encoded', () => {}],
    ['a body is late', '/stuck', read],
    ['its time is over and nobody has read the body', '/endless', () => Bun.sleep(350)],
    ['the response is late', '/silent', read],
    ['it was a redirect', '/status/302', read],
    ['nobody listens', 'http://nowhere.test:1/', read],
    ['the name is not found', 'http://missing.test/', read],
  ])('holds nothing once %s', async (_what, path, use) => {
    expect(await waitingAfter(path, use)).toEqual({ started: 1, timers: 0, listeners: 0 })
  })

  test.each(['/silent', '/stuck'])('holds nothing once its caller has given up on %s', async (path) => {
    expect(await waitingAfter(path, read, AbortSignal.timeout(50))).toMatchObject({ timers: 0, listeners: 0 })
  })

  test('goes on while a body is read', async () => {
    let during: Promise<unknown> | undefined
    const after = await waitingAfter('/stuck', async ({ body }) => {
      during = body
        ?.getReader()
        .read()
        .then(() => 'begun')
      await during
    })
    expect(await during).toBe('begun')
    expect(after).toEqual({ started: 1, timers: 1, listeners: 1 })
  })
})
