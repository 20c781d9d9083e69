import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillCatalogue } from '../../src/resources/catalogue/starter.ts'
import { type Caller, operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp({ database: await freshDatabase() })
  admin = await operator(app)
})
afterAll(() => app.database.close())

const list = async (kind: string) =>
  (await admin.call('GET', `/admin/${kind}`)).body.data as unknown as Record<string, unknown>[]

test('a new installation has a small catalogue that operators can read and replace', async () => {
  const { db } = app.database
  expect(await fillCatalogue(db, { now: new Date(), withTools: true })).toBe(true)
  expect(await fillCatalogue(db, { now: new Date(), withTools: true })).toBe(false)

  const counts: [kind: string, count: number][] = [
    ['base-configs', 1],
    ['industry-templates', 4],
    ['layer2-presets', 3],
    ['personalities', 4],
    ['tools', 3],
  ]
  for (const [kind, count] of counts) {
    const entries = await list(kind)
    expect(entries).toHaveLength(count)
    for (const entry of entries) {
      const again = await admin.call('PUT', `/admin/${kind}/${entry.id}`, entry)
      expect(again.body).toMatchObject({ data: { ...entry, updated_at: expect.any(String) } })
    }
  }
  expect((await list('tools')).filter(({ locked }) => locked)).toHaveLength(1)
  for (const { prompt, custom_fields } of await list('industry-templates')) {
    for (const { key } of custom_fields as { key: string }[]) expect(prompt).toContain(`{{${key}}}`)
  }
})

test('tools of the embedded platform are left out where another one is used', async () => {
  const database = await freshDatabase()
  const other = await testApp({ database })
  await fillCatalogue(database.db, { now: new Date(), withTools: false })
  const { token } = await operator(other)
  const answer = await other.send('GET', '/admin/tools', { token })
  expect((await answer.json()).data).toEqual([])
  await database.close()
})
