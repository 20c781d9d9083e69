import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { newDatabase, onServer } from '../support/database.ts'

const rows = 3_000
const perPage = 10
const tables = [
  ...['ledger', 'audit_entries', 'webhook_deliveries', 'platform_calls', 'platform_objects', 'chats', 'conversations'],
]
let database: DatabaseHandle
let app: TestApp
let user: TestUser
let assistant: string
let agent: string

beforeAll(async () => {
  database = await newDatabase()
  app = await testApp({ database })
  user = await newUser(database, { role: 'admin' })
  const { sql } = database
  const { data } = (await clientOf(app, user.token).post('/assistants', { name: 'Reception' })).body
  assistant = data.assistant_id
  agent = (await clientOf(app, user.token).post('/agents', { name: 'Support' })).body.data.id
  const [live] = await sql`select voice_assistant_id as id from assistants`
  await sql`
    insert into ledger (workspace_id, currency, kind, delta, turn_id)
    select ${user.workspaceId}, 'usd', 'charge', -n, n::text from generate_series(1, ${rows}::int) n`
  await sql`
    insert into audit_entries (actor_id, action, subject_kind, subject_id, changes, created_at)
    select ${user.userId}, 'updated', 'user', 'x', '[]', now() from generate_series(1, ${rows}::int) n`
  await sql`
    insert into webhook_deliveries (live_assistant_id, workspace_id, call_id, type, address, request, payload,
      timeout_seconds, backoff_plan, status, most_attempts)
    select ${live?.id}, ${user.workspaceId}, gen_random_uuid(), 'status-update', 'https://a.example', '', '{}',
      20, '{}', 'delivered', 2 from generate_series(1, ${rows}::int) n`
  await sql`
    with calls as (
      insert into platform_objects (id, kind, body, created_at, updated_at)
      select gen_random_uuid(), 'call', '{"status": "ended"}', now(), now() from generate_series(1, ${rows}::int) n
      returning id)
    insert into platform_calls (id, assistant_id, created_at, direction, ended, cost, transport, transcriber, model, voice,
      platform, other)
    select id, ${live?.id}, now(), 'web', true, 0, 0, 0, 0, 0, 0, 0 from calls`
  await sql`
    insert into chats (id, agent_id, token_id, title, model, last_activity_at)
    select gen_random_uuid(), a.id, t.id, 'New chat', 'm', now() - n * interval '1 second'
    from agents a, tokens t, generate_series(1, ${rows}::int) n where t.user_id = ${user.userId}`
  await sql`
    insert into conversations (id, assistant_id, workspace_id, subject, messages, created_at, last_message_at)
    select gen_random_uuid(), id, workspace_id, 'Hello', 2, now(), now() - n * interval '1 second'
    from assistants, generate_series(1, ${rows}::int) n`
  for (const table of tables) {
    await sql.unsafe(`vacuum ${table}`)
  }
})
afterAll(() => database.close())

/** How many rows of the lists' tables were read so far. */
async function rowsRead(): Promise<number> {
  await database.sql`select pg_stat_force_next_flush()`
  const [read] = await database.sql`select sum(idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_all_tables
    where relname in ${database.sql(tables)}`
  return read?.rows
}

test.each([
  ['/usage/ledger'],
  ['/admin/audit'],
  ['/admin/audit?action=updated'],
  ['/assistants/{id}/deliveries'],
  ['/assistants/{id}/deliveries?status=delivered'],
  ['/deliveries?workspace_id={workspace}'],
  ['/assistants/{id}/calls'],
  ['/assistants/{id}/conversations'],
  ['/agents/{agent}/chats'],
])('a late page of %s reads its own rows, and passes over the others in an index', async (path) => {
  const list = path
    .replace('{id}', assistant)
    .replace('{agent}', agent)
    .replace('{workspace}', String(user.workspaceId))
  const client = clientOf(app, user.token)
  const pageOf = async (page: number) => {
    const { status, body } = await client.get(
      `${list}${list.includes('?') ? '&' : '?'}per_page=${perPage}&page=${page}`,
    )
    expect(status).toBe(200)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const all = new Set([...(await pageOf(1)), ...(await pageOf(2)), ...(await pageOf(rows / perPage))])
  expect(all.size).toBe(3 * perPage)
  if (onServer()) return
  const before = await rowsRead()
  await pageOf(rows / perPage)
  expect((await rowsRead()) - before).toBeLessThan(10 * perPage)
})
