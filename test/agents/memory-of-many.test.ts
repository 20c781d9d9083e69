import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { newDatabase, onServer } from '../support/database.ts'
import { type Caller, callerOf } from './caller.ts'

const rows = 3_000
let database: DatabaseHandle
let app: TestApp
let user: TestUser
let owner: Caller

beforeAll(async () => {
  database = await newDatabase()
  app = await testApp({ database })
  user = await newUser(database)
  owner = callerOf(app, user.token)
})
afterAll(() => database.close())

/** How many rows of chats and messages were read or looked for so far. */
async function lookedAt(): Promise<number> {
  await database.sql`select pg_stat_force_next_flush()`
  const [read] =
    await database.sql`select sum(idx_scan + idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_all_tables
    where relname in ('chats', 'messages')`
  return read?.rows
}

async function say(agent: string, content: string): Promise<void> {
  const chat = await owner.chat(agent)
  expect((await owner.post(`/agents/${agent}/chats/${chat}/messages`, { content })).status).toBe(201)
  await app.services.memory.idle()
}

/** Chats that the owner had with an agent long ago, of one turn each. */
async function addChats(agent: string): Promise<void> {
  const { sql } = database
  await sql`
    with made as (
      insert into chats (id, agent_id, token_id, title, model, last_message_at, last_activity_at)
      select gen_random_uuid(), a.id, t.id, 'Old', 'local-extractive', now() - interval '1 day', now() - interval '1 day'
      from agents a, tokens t, generate_series(1, ${rows}::int) n where a.agent_id = ${agent} and t.user_id = ${user.userId}
      returning id, gen_random_uuid() as turn)
    insert into messages (chat_id, turn_id, role, content, memorable, model, created_at)
    select made.id, made.turn, said.role, 'Hello', said.role = 'user', said.model, now() - interval '1 day'
    from made, (values ('user', null), ('assistant', 'local-extractive')) said (role, model)`
}

test('a look at what was said last reads no older chat, and nothing that others said meanwhile', async () => {
  const [agent, other] = [await owner.agent(), await owner.agent()]
  await addChats(agent)
  await say(agent, 'Remember that the door is red.')
  await addChats(other)
  await database.sql`vacuum analyze chats, messages`
  const before = await lookedAt()
  await say(agent, 'Remember that the key is blue.')
  const { data } = (await owner.get(`/agents/${agent}/memory`)).body
  expect(data.map(({ text }: { text: string }) => text)).toEqual(['The door is red', 'The key is blue'])
  if (!onServer()) expect((await lookedAt()) - before).toBeLessThan(500)
})
