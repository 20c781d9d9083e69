import { afterAll, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { storedDeletions } from '../../src/resources/deletions/table.ts'
import { objectStoreFiles } from '../../src/storage/object-store.ts'
import { newUser, type TestUser, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { startObjectStore } from './object-store-stub.ts'

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
    expect([response.status, await response.json()]).toEqual([
      500,
      { message: 'Something went wrong on our side. Please try again.' },
    ])
  }
  store.recover()
  expect((await upload(one, first)).status).toBe(201)
})
