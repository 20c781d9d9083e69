import { afterAll, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { createApp } from '../../src/app/app.ts'
import { storedDeletions } from '../../src/resources/deletions/table.ts'
import { objectStoreFiles } from '../../src/storage/object-store.ts'
import { newUser, type TestUser, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { loggedLines } from '../support/logged-lines.ts'
import { startObjectStore, startStalledStore } from './object-store-stub.ts'

const account = { bucket: 'files', accessKeyId: 'id', secretAccessKey: 'secret' }
const store = startObjectStore(account)
afterAll(() => store.stop())

test('uploads that hang at the object store leave room for other workspaces, and are not told what went wrong', async () => {
  const files = objectStoreFiles({
    ...account,
    endpoint: store.url,
    slots: createSlots({ total: 8 }),
    fetch: (...call) => fetch(...call),
    times: { transferMs: 8_000 },
  })
  const app = await testApp({ files })
  const [one, other] = [await newUser(app.database), await newUser(app.database)]
  const agentOf = async ({ token }: TestUser) => {
    const made = await app.send('POST', '/agents', { token, body: { name: 'Desk' } })
    return (await made.json()).data.id as string
  }
  const [first, second] = [await agentOf(one), await agentOf(other)]
  const upload = ({ token }: TestUser, agent: string) => {
    const body = new FormData()
    body.set('file', new File(['We open at nine.'], 'hours.txt'))
    return app.send('POST', `/agents/${agent}/files`, { token, body })
  }

  store.hang()
  const waiting = [upload(one, first), upload(one, first)]
  await until(() => store.state.hungUploads === 2)
  const refused = await upload(one, first)
  expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([
    429,
    { message: 'Too Many Attempts.' },
    '5',
  ])
  // What was never sent is not deleted: the notes are those of the uploads that hang.
  expect(await app.database.db.select().from(storedDeletions)).toHaveLength(2)
  waiting.push(upload(other, second))
  await until(() => store.state.hungUploads === 3)
  for (const response of await Promise.all(waiting)) {
    expect([response.status, await response.json(), response.headers.get('retry-after')]).toEqual([
      503,
      { message: 'The service is temporarily unavailable. Please try again.' },
      '2',
    ])
  }
  store.recover()
  expect((await upload(one, first)).status).toBe(201)
})

test('an upload, a download or a picture that the object store refuses is 503, leaves nothing, and can be sent again', async () => {
  const slots = createSlots({ total: 8 })
  const files = objectStoreFiles({ ...account, endpoint: store.url, slots, fetch: (...call) => fetch(...call) })
  const app = await testApp({ files })
  const { token } = await newUser(app.database)
  const send = async (method: string, path: string, body?: FormData | object, headers?: Record<string, string>) => {
    const response = await app.send(method, path, { token, body, headers })
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
  }
  const agent = JSON.parse((await send('POST', '/agents', { name: 'Desk' })).text).data.id
  const path = `/agents/${agent}/files`
  const upload = () => {
    const body = new FormData()
    body.set('file', new File(['We open at nine.'], 'hours.pdf'))
    return send('POST', path, body, { 'idempotency-key': 'hours' })
  }
  const away = {
    status: 503,
    text: expect.stringContaining('{"message":"The service is temporarily unavailable. Please try again."}'),
    retryAfter: '2',
  }
  // What was half sent is taken away in the background, which meets the failures as well.
  const always = 100
  const before = store.objects.size
  store.failNext(always, 500, 'InternalError')
  expect(await upload()).toEqual(away)
  expect(JSON.parse((await send('GET', path)).text).data).toEqual([])
  store.failNext(always, 403, 'AccessDenied')
  expect(await upload()).toEqual(away)
  store.recover()
  const made = await upload()
  expect(made.status).toBe(201)
  expect(await upload()).toEqual(made)
  expect(JSON.parse((await send('GET', path)).text).data).toHaveLength(1)
  await until(() => store.objects.size === before + 1)

  store.failNext(always, 403, 'AccessDenied')
  expect(await send('GET', `${path}/${JSON.parse(made.text).data.id}/content`)).toEqual(away)
  store.failNext(always, 403, 'AccessDenied')
  expect(await send('GET', `/files/pictures/${'0'.repeat(48)}.png`)).toEqual(away)
})

/** A download of which the object store has sent half; what comes of it is logged. */
async function halfADownload() {
  store.recover()
  const stalled = await startStalledStore()
  const filesAt = (endpoint: string) =>
    objectStoreFiles({ ...account, endpoint, slots: createSlots({ total: 8 }), fetch: (...call) => fetch(...call) })
  const { log, lines } = loggedLines()
  const app = await testApp({ log, files: { ...filesAt(store.url), stream: filesAt(stalled.url).stream } })
  const { token } = await newUser(app.database)
  const agent = (await (await app.send('POST', '/agents', { token, body: { name: 'Desk' } })).json()).data.id
  const body = new FormData()
  body.set('file', new File(['We open at nine.'], 'hours.pdf'))
  const { id } = (await (await app.send('POST', `/agents/${agent}/files`, { token, body })).json()).data
  const begin = async ({ status, body: half }: Response) => {
    expect(status).toBe(200)
    const reader = half?.getReader()
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode('half'))
    return reader
  }
  const brokenOff = () => lines.filter(({ event }) => event === 'download_broken_off').length
  return { app, token, path: `/agents/${agent}/files/${id}/content`, stalled, begin, brokenOff }
}

test('a download that the object store breaks off is broken for its caller, and no error for the server to print', async () => {
  const { app, token, path, stalled, begin, brokenOff } = await halfADownload()
  const cut = async (response: Response) => {
    const reader = await begin(response)
    for (const socket of stalled.open) socket.destroy()
    return reader?.read()
  }
  await expect(app.send('GET', path, { token }).then(cut)).rejects.toBeNull()
  await expect.poll(brokenOff).toBe(1)

  const served = createApp(app.services)
  await using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => served.handle(request) })
  const headers = { authorization: `Bearer ${token}` }
  await expect(fetch(new URL(path, server.url), { headers }).then(cut)).rejects.toThrow()
  await expect.poll(brokenOff).toBe(2)
  stalled.stop()
})

test('a download that its caller leaves is nothing that broke off', async () => {
  const { app, token, path, stalled, begin, brokenOff } = await halfADownload()
  const reader = await app.send('GET', path, { token }).then(begin)
  const waiting = reader?.read()
  await reader?.cancel('enough')
  expect(await waiting).toMatchObject({ done: true })
  for (const socket of stalled.open) socket.destroy()
  stalled.stop()
  await Bun.sleep(20)
  expect(brokenOff()).toBe(0)
})

test('an upload for which the disk has no room is 503, and is taken once there is', async () => {
  const full = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
  const app = await testApp()
  const { token } = await newUser(app.database)
  const agent = (await (await app.send('POST', '/agents', { token, body: { name: 'Desk' } })).json()).data.id
  const upload = async (to: typeof app) => {
    const body = new FormData()
    body.set('file', new File(['We open at nine.'], 'hours.txt'))
    const response = await to.send('POST', `/agents/${agent}/files`, { token, body })
    return [response.status, response.headers.get('retry-after')]
  }
  expect(await upload(await testApp({ files: { ...app.services.files, put: full } }))).toEqual([503, '2'])
  expect(await upload(app)).toEqual([201, null])
})
