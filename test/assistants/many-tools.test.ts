import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { newDatabase, onServer } from '../support/database.ts'

const rows = 3_000
const foreign = { attached: crypto.randomUUID(), loose: crypto.randomUUID() }
let database: DatabaseHandle
let app: TestApp

beforeAll(async () => {
  database = await newDatabase()
  app = await testApp({ database })
})
afterAll(() => database.close())

/** How many rows of tools and assistants were read so far. */
async function rowsRead(): Promise<number> {
  await database.sql`select pg_stat_force_next_flush()`
  const [read] = await database.sql`select sum(idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_all_tables
    where relname in ('tools', 'assistants')`
  return read?.rows
}

test('the tools to pick from are found without reading those of others, nor every assistant', async () => {
  const { sql } = database
  const user = await newUser(database)
  const stranger = await newUser(database)
  await sql`
    insert into tools (id, label, description, type, scope, owner_id)
    select gen_random_uuid(), 'Tool ' || n, 'Does it', 'function', 'own', ${stranger.userId}
    from generate_series(1, ${rows}::int) n`
  for (const [label, id] of Object.entries(foreign)) {
    await sql`insert into tools (id, label, description, type, scope, owner_id)
      values (${id}, ${label}, 'Does it', 'function', 'own', ${stranger.userId})`
  }
  await sql`
    insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id, workspace_id,
      metadata, config, live, public_key)
    select gen_random_uuid(), gen_random_uuid(), 'Desk ' || n, 'production', ${user.userId}, ${user.userId},
      ${user.resellerId}, ${user.workspaceId}, '{}', '{}', jsonb_build_object('model', jsonb_build_object('toolIds',
        jsonb_build_array(case when n = 1 then ${foreign.attached} else gen_random_uuid()::text end))), 'pk_' || n
    from generate_series(1, ${rows}::int) n`
  await sql`vacuum analyze tools, assistants`
  const path = `/assistants/tools?include=${foreign.attached},${foreign.loose}`
  const before = await rowsRead()
  const { data } = await (await app.send('GET', path, { token: user.token })).json()
  expect(data.map(({ label }: { label: string }) => label)).toEqual(['attached'])
  if (!onServer()) expect((await rowsRead()) - before).toBeLessThan(100)
})
