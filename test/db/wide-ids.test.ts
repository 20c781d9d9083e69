import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'

const database = await freshDatabase()
afterAll(() => database.close())

test('rows beyond the two thousand millionth are stored, listed and paged', async () => {
  const last = 2_147_483_647
  for (const table of ['messages', 'ledger', 'audit_entries']) {
    await database.sql`select setval(${`${table}_id_seq`}, ${last})`
  }
  const app = await testApp({ database })
  const admin = await newClient(app, { role: 'admin' })
  const user = await newClient(app)

  await admin.data('POST', `/admin/workspaces/${user.workspaceId}/credits`, { amount_usd: 1, payment_id: 'one' })
  const [entry] = await user.data('GET', '/usage/ledger')
  expect(entry.id).toBeGreaterThan(last)
  const [audited] = await admin.data('GET', '/admin/audit?cursor=&per_page=1')
  expect(audited.id).toBeGreaterThan(last)

  const agent = await user.data('POST', '/agents', { name: 'Support', instructions: 'We deliver on Mondays.' })
  const chat = await user.data('POST', `/agents/${agent.id}/chats`, {})
  const path = `/agents/${agent.id}/chats/${chat.id}/messages`
  await user.data('POST', path, { content: 'When do you deliver?' })
  await user.data('POST', path, { content: 'And on Tuesdays?' })
  const [newest] = await user.data('GET', `${path}?per_page=2`)
  expect(newest.id).toBeGreaterThan(last)
  const { body: older } = await user.get(`${path}?per_page=2&before_id=${newest.id}`)
  expect(older.data.map(({ content }: { content: string }) => content)[0]).toBe('When do you deliver?')
  expect(older.has_more).toBe(false)
})
