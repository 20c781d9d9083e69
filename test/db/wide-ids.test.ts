import { afterAll, expect, test } from 'vitest'
import { newUser, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'

const database = await freshDatabase()
afterAll(() => database.close())

test('rows beyond the two thousand millionth are stored, listed and paged', async () => {
  const last = 2_147_483_647
  for (const table of ['messages', 'ledger', 'audit_entries']) {
    await database.sql`select setval(${`${table}_id_seq`}, ${last})`
  }
  const app = await testApp({ database })
  const admin = await newUser(database, { role: 'admin' })
  const { token, workspaceId } = await newUser(database)
  const call = async (method: string, path: string, as: string, body?: object) => {
    const response = await app.send(method, path, { token: as, body })
    const read = await response.json()
    expect(response.ok, `${method} ${path}: ${JSON.stringify(read)}`).toBe(true)
    return read
  }

  await call('POST', `/admin/workspaces/${workspaceId}/credits`, admin.token, { amount_usd: 1, payment_id: 'one' })
  const ledger = await call('GET', '/usage/ledger', token)
  expect(ledger.data[0].id).toBeGreaterThan(last)
  const audit = await call('GET', '/admin/audit?cursor=&per_page=1', admin.token)
  expect(audit.data[0].id).toBeGreaterThan(last)

  const agent = await call('POST', '/agents', token, { name: 'Support', instructions: 'We deliver on Mondays.' })
  const chat = await call('POST', `/agents/${agent.data.id}/chats`, token, {})
  const path = `/agents/${agent.data.id}/chats/${chat.data.id}/messages`
  await call('POST', path, token, { content: 'When do you deliver?' })
  await call('POST', path, token, { content: 'And on Tuesdays?' })
  const newest = await call('GET', `${path}?per_page=2`, token)
  expect(newest.data[0].id).toBeGreaterThan(last)
  const older = await call('GET', `${path}?per_page=2&before_id=${newest.data[0].id}`, token)
  expect(older.data.map(({ content }: { content: string }) => content)[0]).toBe('When do you deliver?')
  expect(older.has_more).toBe(false)
})
