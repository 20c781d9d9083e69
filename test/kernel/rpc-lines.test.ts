import { createTRPCClient, httpBatchStreamLink } from '@trpc/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createUnread } from '../../src/api/rate-limit/unread.ts'
import { whenUndelivered } from '../../src/api/stream/undelivered.ts'
import { publicProcedure, router, workspaceProcedure } from '../../src/api/trpc.ts'
import { newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'
import { type Face, faceOf } from '../support/rpc-faces.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await testApp({ clock: testClock() })
  user = await newUser(app.database)
})

/** A call that ends when it is let, and knows when its caller has left. */
function gated() {
  const slow = Promise.withResolvers<string>()
  const left = Promise.withResolvers<void>()
  const wait = ({ ctx }: { ctx: { signal: AbortSignal } }) => {
    ctx.signal.addEventListener('abort', () => left.resolve())
    return slow.promise
  }
  const text = z.string()
  const served = router({
    fast: publicProcedure.output(text).query(() => 'fast'),
    slow: publicProcedure.output(text).query(wait),
    fastWrite: publicProcedure.output(text).mutation(() => 'fast'),
    slowWrite: publicProcedure.output(text).mutation(wait),
    broken: publicProcedure.output(text).query(() => {
      throw new Error('not foreseen')
    }),
  })
  return { slow, left, served, face: faceOf(app.services, served, true) }
}

const requestOf = (method: string, names: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost/trpc/${names}?batch=1`, {
    method,
    headers: { 'trpc-accept': 'application/jsonl', 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: '{}' }),
  })

/** Reads on until a text was read. */
async function readUntil(reader: ReadableStreamDefaultReader<string>, text: string): Promise<string> {
  let read = ''
  while (!read.includes(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`"${text}" is not in ${read}`)
    read += value
  }
  return read
}

/** A face on a real socket. */
function serving(face: Pick<Face, 'answer'>) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => face.answer(request) })
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) }
}

const readerOf = ({ body }: Response) => {
  if (!body) throw new Error('There is no body')
  return body.pipeThrough(new TextDecoderStream()).getReader()
}

describe('results as JSON lines', () => {
  test.each([
    ['GET', 'slow,fast'],
    ['POST', 'slowWrite,fastWrite'],
  ])('come each as soon as it is there: %s', async (method, names) => {
    const { slow, face } = gated()
    const response = await face.answer(requestOf(method, names))
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'application/jsonl',
        'cache-control': 'private, no-store',
        'x-accel-buffering': 'no',
      }),
    ])
    expect([response.headers.has('etag'), response.headers.has('transfer-encoding')]).toEqual([false, false])
    const reader = readerOf(response)
    expect(await readUntil(reader, '"fast"')).not.toContain('"slow"')
    slow.resolve('slow')
    await readUntil(reader, '"slow"')
    expect((await reader.read()).done).toBe(true)
  })

  test('also where the first of them failed', async () => {
    const { slow, face } = gated()
    const reader = readerOf(await face.answer(requestOf('GET', 'broken,slow')))
    await readUntil(reader, '"httpStatus":500')
    slow.resolve('slow')
    await readUntil(reader, '"slow"')
  })

  test('are heard one by one over the official link', async () => {
    const { slow, face, served } = gated()
    const client = createTRPCClient<typeof served>({
      links: [
        httpBatchStreamLink({
          url: 'http://localhost/trpc',
          fetch: (url, options) => face.answer(new Request(String(url), options as RequestInit)),
        }),
      ],
    })
    const asked = [client.slow.query(), client.fast.query()]
    expect(await Promise.race(asked)).toBe('fast')
    slow.resolve('slow')
    expect(await Promise.all(asked)).toEqual(['slow', 'fast'])
  })

  test('end with their caller', async () => {
    const { left, face } = gated()
    const response = await face.answer(requestOf('GET', 'fast,slow'))
    await response.body?.cancel()
    await left.promise
  })

  test('end with their caller, also on a socket', async () => {
    const { left, face } = gated()
    await using server = serving(face)
    const leaving = new AbortController()
    const { url, headers } = requestOf('GET', 'fast,slow')
    const response = await fetch(url.replace('http://localhost', server.url), { headers, signal: leaving.signal })
    await readUntil(readerOf(response), '"fast"')
    leaving.abort()
    await left.promise
  })

  test('come with what is left of the limits', async () => {
    const limited = await testApp({ clock: testClock(), rateLimits: { perMinute: 10 } })
    const headers = { 'trpc-accept': 'application/jsonl' }
    const { token } = user
    const response = await limited.send('GET', '/trpc/models.list,models.list?batch=1', { token, headers })
    expect(Number(response.headers.get('ratelimit-remaining'))).toBeLessThan(10)
    await response.text()
  })

  test('say so also when they are given again', async () => {
    const path = '/trpc/agents.create?batch=1'
    const headers = { 'trpc-accept': 'application/jsonl', 'idempotency-key': crypto.randomUUID() }
    const again = async () => {
      const response = await app.send('POST', path, { token: user.token, body: { 0: { name: 'Kept' } }, headers })
      return [response.headers.get('content-type'), await response.text()]
    }
    const first = await again()
    expect(first[0]).toBe('application/jsonl')
    expect(await again()).toEqual(first)
  })
})

describe('lines that nobody reads', () => {
  const page = 'x'.repeat(300_000)
  const told: string[] = []
  const served = router({
    turn: workspaceProcedure
      .meta({ document: 'agents' })
      .output(z.string())
      .mutation(({ ctx }) => {
        whenUndelivered(ctx.outcome, async () => void told.push('undelivered'))
        return page
      }),
    endless: workspaceProcedure
      .meta({ document: 'agents' })
      .output(z.string())
      .mutation(() => new Promise<string>(() => {})),
    page: workspaceProcedure
      .meta({ document: 'agents' })
      .output(z.string())
      .query(() => page),
    write: workspaceProcedure
      .meta({ document: 'agents' })
      .output(z.string())
      .mutation(() => page),
  })

  /** A process with room for two pages of a workspace, and for three of all. */
  async function crowded() {
    const waiting = new Set<() => void>()
    const after = (_ms: number, run: () => void) => {
      waiting.add(run)
      return () => waiting.delete(run)
    }
    const fire = () => [...waiting].map((run) => run())
    const bounds = { total: 1_000_000, perKey: 700_000 }
    const { services, database } = await testApp({ unread: createUnread({ after }, bounds) })
    const face = faceOf(services, served, true)
    const ask = (method: string, names: string, { token }: TestUser) =>
      face.answer(requestOf(method, names, { authorization: `Bearer ${token}` }))
    return { waiting, fire, ask, face, someone: () => newUser(database) }
  }

  test('that break off on a socket are not taken for whole', async () => {
    const { ask, someone, face, waiting } = await crowded()
    const one = await someone()
    await ask('GET', 'page,page', one)
    await expect.poll(() => waiting.size).toBe(1)
    await using server = serving(face)
    const { url, headers } = requestOf('GET', 'page', { authorization: `Bearer ${one.token}` })
    await expect(
      fetch(url.replace('http://localhost', server.url), { headers }).then((r) => r.text()),
    ).rejects.toThrow()
  })

  test.each([
    ['of a turn whose line was not read is told', 'turn,endless', 1, 1],
    ['of one whose line was read is not', 'turn,endless', page.length, 0],
    ['of two turns is told to each', 'turn,turn,endless', 1, 2],
  ])('leaving them %s', async (_what, names, length, times) => {
    const { ask, someone } = await crowded()
    told.length = 0
    const response = await ask('POST', names, await someone())
    const reader = response.body?.getReader()
    for (let read = 0; read < length; ) read += (await reader?.read())?.value?.length ?? length
    // What is made reaches the count a moment later.
    await Bun.sleep(10)
    await reader?.cancel()
    expect(told).toEqual(Array(times).fill('undelivered'))
  })

  test('are counted until they were read, given up or had their time, and break off where too much waits', async () => {
    const { ask, someone, waiting, fire } = await crowded()
    const [one, two] = [await someone(), await someone()]
    const twoPages = await ask('GET', 'page,page', one)
    await expect.poll(() => waiting.size).toBe(1)
    await expect(ask('GET', 'page', one).then((response) => response.text())).rejects.toBeNull()
    expect((await (await ask('GET', 'page', two)).text()).length).toBeGreaterThan(page.length)
    expect((await twoPages.text()).length).toBeGreaterThan(2 * page.length)
    const again = await ask('GET', 'page,page', one)
    await expect.poll(() => waiting.size).toBe(1)
    await again.body?.cancel()
    expect(waiting.size).toBe(0)
    const late = await ask('GET', 'page,page', one)
    await expect.poll(() => waiting.size).toBe(1)
    fire()
    await expect(late.text()).rejects.toBeNull()
    expect((await (await ask('GET', 'page,page', one)).text()).length).toBeGreaterThan(2 * page.length)
    expect(waiting.size).toBe(0)
  })

  test('of writes are told however much waits, and nothing begins while there is no room left', async () => {
    const { ask, someone, waiting } = await crowded()
    const one = await someone()
    const three = await ask('POST', 'write,write,write', one)
    await expect.poll(() => waiting.size).toBe(1)
    expect(await (await ask('GET', 'page', one)).text()).toContain('Too Many Attempts.')
    expect((await three.text()).length).toBeGreaterThan(3 * page.length)
  })
})
