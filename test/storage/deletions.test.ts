import { eq, like, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { storedDeletions } from '../../src/resources/deletions/table.ts'
import type { Files } from '../../src/storage/files.ts'
import { newUser, testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'

/** A store in memory that can be away. */
function failingFiles() {
  const kept = new Map<string, Uint8Array>()
  const state = { away: false }
  const files: Files = {
    async put(key, content) {
      kept.set(key, content instanceof Blob ? await content.bytes() : content)
    },
    get: async (key) => kept.get(key),
    stream: async () => undefined,
    async delete(key) {
      if (state.away) throw new Error('503')
      kept.delete(key)
    },
  }
  return { files, kept, state }
}

test.each(['file', 'agent'])('deleting a %s while the store is away leaves no object behind', async (what) => {
  const store = failingFiles()
  const app = await testApp({ files: store.files })
  const client = await newClient(app)
  const { id: agent } = await client.data('POST', '/agents', { name: 'Desk' })
  const form = new FormData()
  form.set('file', new File(['We open at nine.'], 'hours.txt'))
  const { id: file } = await client.data('POST', `/agents/${agent}/files`, form)
  const [key = ''] = store.kept.keys()

  store.state.away = true
  const path = what === 'file' ? `/agents/${agent}/files/${file}` : `/agents/${agent}`
  expect((await client.send('DELETE', path)).status).toBe(200)
  const { db } = app.database
  const noted = () => db.select().from(storedDeletions).where(eq(storedDeletions.key, key))
  expect([store.kept.size, await noted()]).toEqual([1, [expect.objectContaining({ key, attempts: 1 })]])

  store.state.away = false
  await app.services.deletions.work?.run()
  expect(store.kept.size).toBe(1)
  await db
    .update(storedDeletions)
    .set({ dueAt: new Date(0) })
    .where(like(storedDeletions.key, key))
  await app.services.deletions.work?.run()
  expect([store.kept.size, await noted()]).toEqual([0, []])
})

test('an upload that was held up until another took it for dead is refused, and leaves nothing', async () => {
  const store = failingFiles()
  const began = Promise.withResolvers<string>()
  const goOn = Promise.withResolvers<void>()
  const files: Files = {
    ...store.files,
    async put(key, content, call) {
      began.resolve(key)
      await goOn.promise
      await store.files.put(key, content, call)
    },
  }
  const app = await testApp({ files })
  const { token } = await newUser(app.database)
  const { data: agent } = await (await app.send('POST', '/agents', { token, body: { name: 'Desk' } })).json()
  const form = new FormData()
  form.set('file', new File(['We open at nine.'], 'hours.pdf'))
  const path = `/agents/${agent.id}/files`
  const upload = app.send('POST', path, { token, body: form })
  const { db } = app.database
  const note = eq(storedDeletions.key, await began.promise)
  const leaseMs = sql<number>`(extract(epoch from ${storedDeletions.dueAt} - now()) * 1000)::float8`
  const [lease] = await db.select({ leaseMs }).from(storedDeletions).where(note)
  // What looks for work does so every five seconds at least: both together are less than fifteen.
  expect(lease?.leaseMs).toBeLessThan(10_000)
  await db
    .update(storedDeletions)
    .set({ dueAt: new Date(0) })
    .where(note)
  await app.services.deletions.work?.run()
  goOn.resolve()
  expect((await upload).status).toBe(503)
  const listed = await (await app.send('GET', path, { token })).json()
  expect(listed.data).toEqual([])
  await expect.poll(async () => [store.kept.size, await db.$count(storedDeletions, note)]).toEqual([0, 0])
})
