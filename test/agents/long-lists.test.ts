import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'

const many = 1_002
let app: TestApp
let owner: Caller
let agent: string

beforeAll(async () => {
  app = await testApp()
  const user = await newUser(app.database)
  owner = callerOf(app, user.token)
  agent = await owner.agent()
  const { sql } = app.database
  await sql`
    insert into knowledge_files (agent_id, original_name, mime, size, storage_key, extractable, extracted, index_state,
      created_at)
    select a.id, n || '.pdf', 'application/pdf', 1, 'knowledge/' || gen_random_uuid(), false, false, 'none', now()
    from agents a, generate_series(1, ${many}::int) n where a.agent_id = ${agent} order by n`
  await sql`
    with made as (
      insert into users (name, email, workspace_id, workspace_role, reseller_id, features)
      select 'Guest', n || '-' || gen_random_uuid() || '@example.com', u.workspace_id, 'viewer', u.reseller_id, '{}'
      from users u, generate_series(1, ${many}::int) n where u.id = ${user.userId}
      returning id)
    insert into agent_shares (agent_id, user_id, access) select a.id, made.id, 'view' from agents a, made
    where a.agent_id = ${agent}`
})

describe.each([
  { list: 'files', key: 'id', order: (a: number, b: number) => b - a },
  { list: 'shares', key: 'user_id', order: (a: number, b: number) => a - b },
])('$list of an agent', ({ list, key, order }) => {
  const read = async (query = '', of = agent) => {
    const { status, body } = await owner.get(`/agents/${of}/${list}${query}`)
    return { status, body, keys: body.data?.map((entry: Record<string, number>) => entry[key]) }
  }

  test('are read a thousand at a time, each once and in their order', async () => {
    const { body, keys } = await read()
    expect([Object.keys(body), keys.length]).toEqual([['object', 'data', 'has_more'], 1_000])
    const first = await read('?cursor=')
    expect(first.keys).toEqual(keys)
    const rest = await read(`?cursor=${encodeURIComponent(first.body.next_cursor)}`)
    expect([rest.body.next_cursor, rest.body.has_more]).toEqual([null, undefined])
    const all: number[] = [...keys, ...rest.keys]
    expect([new Set(all).size, all]).toEqual([many, [...all].sort(order)])
  })

  test('of another agent are not reached by its cursor', async () => {
    const { next_cursor: next } = (await read('?cursor=')).body
    expect((await read(`?cursor=${encodeURIComponent(next)}`, await owner.agent())).status).toBe(422)
  })
})
