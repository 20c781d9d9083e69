import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { objectStoreFiles } from '../../src/storage/object-store.ts'
import { picture, png } from '../profile/pictures.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { deleteNow, secondsToDeletion } from '../support/rows/files.ts'
import { startObjectStore } from './object-store-stub.ts'

const account = { bucket: 'files', accessKeyId: 'id', secretAccessKey: 'secret' }
const store = startObjectStore(account)
afterAll(() => store.stop())
beforeEach(() => {
  store.recover()
  store.storeLate()
  store.objects.clear()
})

/** What the service sends at most before it gives up. */
const tries = 3
/** For which a signed address outlives its call. */
const clockDifferenceSeconds = 60

const appWithStore = () =>
  testApp({
    files: objectStoreFiles({
      ...account,
      endpoint: store.url,
      slots: createSlots({ total: 8 }),
      fetch: (...call) => fetch(...call),
      times: { responseMs: 1_000, transferMs: 1_000 },
    }),
  })

const formOf = (fields: Record<string, string | File>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const uploads = [
  {
    what: 'a file',
    status: 503,
    message: 'The service is temporarily unavailable. Please try again.',
    async upload(app: TestApp) {
      const { token } = await newUser(app.database)
      const made = await app.send('POST', '/agents', { token, body: { name: 'Desk' } })
      const path = `/agents/${(await made.json()).data.id}/files`
      return () => app.send('POST', path, { token, body: formOf({ file: new File(['Nine.'], 'hours.pdf') }) })
    },
  },
  {
    what: 'a picture',
    status: 500,
    message: 'Failed to update profile: the picture could not be stored.',
    async upload(app: TestApp) {
      const { token } = await newUser(app.database)
      return () => app.send('POST', '/user', { token, body: formOf({ name: 'Ada', profile_picture: picture(png) }) })
    },
  },
]

describe.each(uploads)('$what whose upload failed', ({ status, message, upload }) => {
  test('is deleted, although the store had it when it said so', async () => {
    const app = await appWithStore()
    const send = await upload(app)
    store.failNext(tries, 500, 'InternalError', { afterStoring: true })
    const response = await send()
    expect([response.status, (await response.json()).message]).toEqual([status, message])
    await expect.poll(() => store.objects.size).toBe(0)
  })

  test('is deleted once more when the store can take it no longer', async () => {
    const app = await appWithStore()
    const send = await upload(app)
    store.hang('PUT')
    const response = await send()
    expect([response.status, (await response.json()).message]).toEqual([status, message])
    const keys = store.late()
    expect(keys).toHaveLength(1)
    // The first delete finds nothing; the note waits until the address of the upload has run out.
    await expect
      .poll(async () =>
        (await secondsToDeletion(app.database, keys)).map((seconds) => seconds > clockDifferenceSeconds / 2),
      )
      .toEqual([true])
    store.storeLate()
    await app.services.deletions.work?.run()
    expect(store.objects.size).toBe(1)

    await deleteNow(app.database, keys)
    await app.services.deletions.work?.run()
    expect([store.objects.size, await secondsToDeletion(app.database, keys)]).toEqual([0, []])
  })
})

test('what is deleted soon after it was stored is deleted once more, too: an earlier try may still arrive', async () => {
  const app = await appWithStore()
  const { token } = await newUser(app.database)
  const made = await app.send('POST', '/agents', { token, body: { name: 'Desk' } })
  const path = `/agents/${(await made.json()).data.id}/files`
  const file = await app.send('POST', path, { token, body: formOf({ file: new File(['Nine.'], 'hours.pdf') }) })
  const [[key = '', bytes] = []] = store.objects
  const { data } = await file.json()
  expect((await app.send('DELETE', `${path}/${data.id}`, { token })).status).toBe(200)
  expect(store.objects.size).toBe(0)
  if (bytes) store.objects.set(key, bytes)

  await deleteNow(app.database, [key])
  await app.services.deletions.work?.run()
  expect([store.objects.size, await secondsToDeletion(app.database, [key])]).toEqual([0, []])
})
