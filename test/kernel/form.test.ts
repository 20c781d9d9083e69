import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { serveWith } from '../../src/api/http/request.ts'
import { post } from '../../src/api/meta.ts'
import { registerRest } from '../../src/api/rest/register.ts'
import { router, workspaceProcedure } from '../../src/api/trpc.ts'
import { newUser, testApp } from '../support/app.ts'
import { type Reply, replyOf } from '../support/client.ts'
import { loopback } from '../support/connections.ts'

const megabyte = 1024 * 1024

/** Where forms lie while they are served: nothing stays there. */
const place = mkdtempSync(join(tmpdir(), 'switchboard-forms-'))
const { TMPDIR } = process.env
beforeAll(() => {
  process.env.TMPDIR = place
  return () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    rmSync(place, { recursive: true })
  }
})
afterEach(() => vi.waitFor(() => expect(readdirSync(place)).toEqual([]), 30_000))

/** The files that reached the procedure, in order. */
const received: File[] = []

const formRouter = router({
  upload: workspaceProcedure
    .meta(post('/uploads', 'Upload', { tag: 'Test', multipart: true, status: 201 }))
    .input(z.object({ file: z.file().optional(), note: z.string().optional(), fail: z.boolean().optional() }))
    .output(z.object({ name: z.string().nullable(), size: z.int(), hash: z.string(), note: z.string().nullable() }))
    .mutation(async ({ input: { file, note = null, fail } }) => {
      if (file) received.push(file)
      if (fail) throw new Error('broken')
      const hasher = new Bun.CryptoHasher('sha256')
      if (file) for await (const chunk of file.stream()) hasher.update(chunk)
      return { name: file?.name ?? null, size: file?.size ?? 0, hash: hasher.digest('hex'), note }
    }),
})

let url: string
let token: string
beforeAll(async () => {
  const app = await testApp()
  token = (await newUser(app.database)).token
  const server = new Elysia({ aot: true, normalize: false })
  registerRest(server, formRouter, serveWith(app.services, loopback))
  server.listen({ hostname: '127.0.0.1', port: 0, maxRequestBodySize: Number.MAX_SAFE_INTEGER })
  url = `http://127.0.0.1:${server.server?.port}/uploads`
  return () => server.server?.stop(true)
})

/** To a server that has the router above alone, over a connection. */
const send = async (body: BodyInit, headers: Record<string, string> = {}) =>
  replyOf(await fetch(url, { method: 'POST', body, headers: { authorization: `Bearer ${token}`, ...headers } }))
const formWith = (content: BlobPart[], name: string, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new File(content, name))
  return form
}
const part = (head: string, content: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const typed = { 'content-type': 'multipart/form-data; boundary=b' }

/** A body that does not say how long it is. */
const unannounced = (chunk: Uint8Array<ArrayBuffer>, times: number, before = '') => {
  let sent = -1
  return new ReadableStream({
    pull(controller) {
      sent++
      if (sent === 0) controller.enqueue(new TextEncoder().encode(before))
      else if (sent <= times) controller.enqueue(chunk)
      else controller.close()
    },
  })
}

describe('a form', () => {
  test('has its file byte for byte, under the name that it was sent with', async () => {
    const content = new Uint8Array(20 * megabyte).map((_, index) => (index * 7) % 253)
    const name = '..\\reports/Umsätze 2026.bin'
    const { status, body } = await send(formWith([content], name, { note: 'für März' }))
    const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex')
    expect([status, body]).toEqual([201, { name, size: content.length, hash, note: 'für März' }])
  })

  test.each([
    ['an answer', {}, 201],
    ['a failure', { fail: 'true' }, 500],
    ['a refusal', { fail: 'perhaps' }, 422],
  ])('leaves no file behind after %s', async (_end, fields, status) => {
    received.length = 0
    expect((await send(formWith(['hello'], 'a.txt', fields))).status).toBe(status)
    for (const file of received) await expect(file.bytes()).rejects.toThrow('ENOENT')
    expect(received).toHaveLength(status === 422 ? 0 : 1)
  })

  const file = part('name="file"; filename="a.txt"', 'hello')
  test.each([
    ['no boundary', file, { 'content-type': 'multipart/form-data' }],
    ['another boundary', file, { 'content-type': 'multipart/form-data; boundary=c' }],
    ['no end', file, typed],
    ['an end within a file', part('name="file"; filename="a.txt"', 'x'.repeat(megabyte)).slice(0, megabyte), typed],
    ['an end within a head', `${file}--b\r\nContent-Dispo`, typed],
    ['nothing in it', '', typed],
    ['too many parts', `${part('name="note"', 'x').repeat(101)}--b--\r\n`, typed],
  ])('with %s is 400', async (_what, body, headers) => {
    const answer = await send(body, headers)
    expect([answer.status, answer.body]).toEqual([400, { message: 'The body is not a valid form.' }])
  })

  test('of parts without a name is a form without them', async () => {
    const nameless = `--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n${part('x="y"', 'text')}`
    const answer = await send(`${nameless}${part('name="note"', 'n')}--b--\r\n`, typed)
    expect([answer.status, answer.body.note, answer.body.name]).toEqual([201, 'n', null])
  })

  test('whose sender goes away leaves nothing behind', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    const leaving = new AbortController()
    const endless = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(head.padEnd(100_000, 'x')))
        if (readdirSync(place).length > 0) leaving.abort()
        await Bun.sleep(5)
      },
    })
    const headers = { authorization: `Bearer ${token}`, ...typed }
    const sent = fetch(url, { method: 'POST', body: endless, headers, signal: leaving.signal })
    await expect(sent).rejects.toThrow()
  })

  test('beyond 25 MB is 413, whether or not it says so before', async () => {
    const tooLarge = { status: 413, body: { message: 'The body is too large: at most 25 MB.' } }
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    expect(await send(formWith([new Uint8Array(25 * megabyte)], 'a'))).toMatchObject(tooLarge)
    expect(await send(unannounced(new Uint8Array(megabyte), 40, head), typed)).toMatchObject(tooLarge)
  })

  test('that finds no place on the disk is 500, and the next one is taken', async () => {
    process.env.TMPDIR = '/dev/null/nowhere'
    const refused = await send(formWith(['hello'], 'a.txt'))
    process.env.TMPDIR = place
    expect([refused.status, refused.body]).toEqual([500, { message: expect.stringContaining('Something went wrong') }])
    expect((await send(formWith(['hello'], 'a.txt'))).status).toBe(201)
  })

  test('has texts of 1 MB at most', async () => {
    const ends = '--b--\r\n'
    const fits = await send(`${part('name="note"', 'x'.repeat(megabyte))}${ends}`, typed)
    expect([fits.status, fits.body.note?.length]).toEqual([201, megabyte])
    const answer = await send(`${part('name="note"', 'x'.repeat(megabyte + 1))}${ends}`, typed)
    expect([answer.status, answer.body.message]).toEqual([413, 'The body is too large: at most 1 MB.'])
  })
})

describe('a form under an Idempotency-Key', () => {
  const keyed = (key: string, form: FormData) => send(form, { 'idempotency-key': key })

  test('is the same under another boundary, and another with any other byte', async () => {
    const first = await keyed('f1', formWith(['hello'], 'a.txt', { note: 'n' }))
    const again = await keyed('f1', formWith(['hello'], 'a.txt', { note: 'n' }))
    const replayed = ({ headers }: Reply) => headers.get('idempotency-replayed')
    expect([first.status, replayed(first), again.status, replayed(again)]).toEqual([201, null, 201, 'true'])
    expect(again.body).toEqual(first.body)
    const others = [
      formWith(['hellO'], 'a.txt', { note: 'n' }),
      formWith(['hello'], 'b.txt', { note: 'n' }),
      formWith(['hello'], 'a.txt', { note: 'm' }),
      formWith(['hello'], 'a.txt'),
    ]
    for (const other of others) expect((await keyed('f1', other)).status).toBe(422)
  })
})

test('headers of parts that are made to be read slowly are read at once', async () => {
  const header = `Content-Disposition: form-data; ${"a*=u''%41;".repeat(7_900)}`
  const parts = Array.from({ length: 99 }, (_, index) => `--b\r\n${header} name="n${index}"\r\n\r\nx\r\n`)
  const before = process.cpuUsage()
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${parts.join('')}--b--\r\n`,
  })
  const { user, system } = process.cpuUsage(before)
  expect(response.status).toBe(201)
  expect((user + system) / 1_000).toBeLessThan(700)
})
