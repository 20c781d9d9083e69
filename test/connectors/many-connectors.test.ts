import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { callerOf } from '../agents/caller.ts'
import { newUser, testApp } from '../support/app.ts'
import { newDatabase, onServer } from '../support/database.ts'

const rows = 3_000
let database: DatabaseHandle
beforeAll(async () => {
  database = await newDatabase()
})
afterAll(() => database.close())

/** How many rows of connectors were read so far. */
async function rowsRead(): Promise<number> {
  await database.sql`select pg_stat_force_next_flush()`
  const [read] = await database.sql`select sum(idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_all_tables
    where relname = 'connectors'`
  return read?.rows
}

test('the connectors of an agent are found without reading those of others', async () => {
  const { sql } = database
  const caller = callerOf(await testApp({ database }), (await newUser(database)).token)
  const stranger = await newUser(database)
  const agent = await caller.agent()
  const server_url = 'https://tools.example/mcp'
  expect((await caller.post('/connectors', { name: 'Mine', server_url })).status).toBe(201)
  const add = (scope: string, name: string, count: number) => sql`
    insert into connectors (uid, owner_id, scope, name, description, server_url, active)
    select gen_random_uuid(), ${stranger.userId}, ${scope}, ${name}, '', ${server_url}, true
    from generate_series(1, ${count}::int)`
  await add('own', 'Theirs', rows)
  await add('global', "Everybody's", 1)
  await sql`insert into connectors (uid, owner_id, scope, name, description, server_url, active)
    values (gen_random_uuid(), ${stranger.userId}, 'own', 'Enabled', '', ${server_url}, true)`
  await sql`
    insert into agent_shares (agent_id, user_id, access)
    select id, ${stranger.userId}, 'edit' from agents where agent_id = ${agent}`
  await sql`
    insert into agent_connectors (agent_id, connector_id, enabled)
    select a.id, c.id, true from agents a, connectors c where a.agent_id = ${agent} and c.name = 'Enabled'`
  await sql`vacuum analyze connectors, agent_connectors, agent_shares`
  const before = await rowsRead()
  const { data } = (await caller.get(`/agents/${agent}/connectors`)).body
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['Enabled', "Everybody's", 'Mine'])
  if (!onServer()) expect((await rowsRead()) - before).toBeLessThan(100)
})
