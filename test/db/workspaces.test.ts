import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { MIGRATIONS_FOLDER, migrate } from '../../src/db/migrate.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { createTestDatabase, embeddedTemplate, onServer } from '../support/database.ts'

/** The tables whose rows belong to another row's workspace, and what they are of a user's by. */
const belonging = [
  'agents',
  'chats',
  'messages',
  'knowledge_files',
  'knowledge_chunks',
  'knowledge_versions',
  'agent_shares',
  'agent_connectors',
  'connectors',
  'tokens',
  'budgets',
] as const

const workspacesIn = async ({ sql }: DatabaseHandle, table: string): Promise<number[]> => {
  const rows = await sql<{ id: number }[]>`select distinct workspace_id as id from ${sql(table)} order by 1`
  return rows.map(({ id }) => id)
}

describe('what a user makes', () => {
  let app: TestApp
  let owner: TestUser
  let operator: TestUser
  beforeAll(async () => {
    app = await testApp({ allowPrivateNetwork: ['127.0.0.1'] })
    owner = await newUser(app.database)
    operator = await newUser(app.database, { role: 'admin' })
    await makeEverything()
  })

  const make = async (method: string, path: string, body?: unknown, as = owner) => {
    const response = await app.send(method, path, { token: as.token, body })
    const read = await response.json()
    expect(response.ok, `${method} ${path}: ${JSON.stringify(read)}`).toBe(true)
    return read.data ?? read
  }

  async function makeEverything(): Promise<void> {
    const agent = await make('POST', '/agents', { name: 'Desk', instructions: 'We deliver on Mondays.' })
    const guest = await newUser(app.database)
    await make('PUT', `/agents/${agent.id}/shares/${guest.userId}`, { access: 'edit' })
    const form = new FormData()
    form.set('file', new File(['Returns are free within thirty days.'], 'returns.txt'))
    await make('POST', `/agents/${agent.id}/files`, form)
    const { uid } = await make('POST', '/connectors', { name: 'Shop', server_url: 'http://127.0.0.1:9/mcp' })
    await make('PUT', `/agents/${agent.id}/connectors/${uid}`, { enabled: true })
    await make('PUT', `/agents/${agent.id}/budget`, { window: 'day', tokens: 100_000 })
    const messages = [{ role: 'user', content: 'When do you deliver?' }]
    await make('POST', '/chat/completions', { agent: agent.id, messages })
    await make('POST', '/chat/completions', { agent: agent.id, messages }, guest)
    await make('POST', '/assistants', { name: 'Line' })
  }

  /** The workspaces of this user's rows, by table. */
  async function workspacesOf({ userId }: TestUser): Promise<Record<string, number[]>> {
    const { sql } = app.database
    const owned = sql`select id from agents where owner_id = ${userId}`
    const rows = await sql<{ table: string; ids: number[] }[]>`
      select "table", array_agg(distinct workspace_id) as ids from (
        select 'agents' as "table", workspace_id from agents where owner_id = ${userId}
        union all select 'connectors', workspace_id from connectors where owner_id = ${userId}
        union all select 'tokens', workspace_id from tokens where user_id = ${userId}
        union all select 'chats', workspace_id from chats where agent_id in (${owned})
        union all select 'messages', m.workspace_id from messages m join chats c on c.id = m.chat_id
          where c.agent_id in (${owned})
        union all select 'knowledge_files', workspace_id from knowledge_files where agent_id in (${owned})
        union all select 'knowledge_chunks', workspace_id from knowledge_chunks where agent_id in (${owned})
        union all select 'knowledge_versions', workspace_id from knowledge_versions where agent_id in (${owned})
        union all select 'agent_shares', workspace_id from agent_shares where agent_id in (${owned})
        union all select 'agent_connectors', workspace_id from agent_connectors where agent_id in (${owned})
        union all select 'budgets', workspace_id from budgets where agent_id in (${owned})) rows
      group by 1`
    return Object.fromEntries(rows.map(({ table, ids }) => [table, ids]))
  }

  const all = (workspaceId: number) => Object.fromEntries(belonging.map((table) => [table, [workspaceId]]))

  test('says its workspace in every row, also in those that guests make', async () => {
    expect(await workspacesOf(owner)).toEqual(all(owner.workspaceId))
  })

  test('says it in histories, conversations, calls and the audit trail', async () => {
    const { sql } = app.database
    const made = await make('POST', '/assistants', { name: 'Line' })
    await make('POST', `/assistants/${made.assistant_id}/test-calls`, {})
    const versions = await sql`
      select v.workspace_id from assistant_versions v join assistants a on a.id = v.assistant_id
      where a.assistant_id = ${made.assistant_id}`
    expect([...versions]).toEqual([{ workspace_id: owner.workspaceId }])
    const calls = await sql`select workspace_id from platform_calls where workspace_id = ${owner.workspaceId}`
    expect(calls).toHaveLength(1)
    await make('PATCH', `/admin/users/${owner.userId}`, { name: 'Ada' }, operator)
    await make('POST', '/admin/resellers', { name: 'R' }, operator)
    const audit = await sql`
      select subject_kind, workspace_id from audit_entries where actor_id = ${operator.userId} order by id`
    expect([...audit]).toEqual([
      { subject_kind: 'user', workspace_id: owner.workspaceId },
      { subject_kind: 'reseller', workspace_id: 0 },
    ])
  })

  test('cannot say another workspace than what it belongs to', async () => {
    const { sql } = app.database
    const [chat] = await sql`
      insert into chats (id, agent_id, workspace_id, token_id, title, model, last_activity_at)
      select ${crypto.randomUUID()}, a.id, 1, t.id, 'T', 'm', now() from agents a
        join tokens t on t.user_id = a.owner_id where a.owner_id = ${owner.userId} limit 1
      returning id, workspace_id`
    expect(chat?.workspace_id).toBe(owner.workspaceId)
    const move = sql`update chats set workspace_id = 0 where id = ${chat?.id}`
    await expect(move).rejects.toThrow('violates foreign key constraint "chats_of_agent"')
  })

  test('goes with the user to another workspace', async () => {
    const other = await newUser(app.database, { resellerId: owner.resellerId })
    await make('PATCH', `/admin/users/${owner.userId}`, { workspace_id: other.workspaceId }, operator)
    expect(await workspacesOf(owner)).toEqual(all(other.workspaceId))
  })
})

describe('a database from before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-workspaces-'))
  let handle: DatabaseHandle
  beforeAll(async () => {
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true })
    const journal = join(folder, 'meta/_journal.json')
    const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
    const told = entries.findIndex(({ tag }: { tag: string }) => tag.endsWith('_rows_say_their_workspace'))
    writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, told) }))
    handle = await openDatabase(
      onServer() ? { url: await createTestDatabase() } : { template: embeddedTemplate('empty') },
    )
    await migrate(handle, folder)
  })
  afterAll(async () => {
    await handle.close()
    rmSync(folder, { recursive: true })
  })

  test('has every row told its workspace, a few at a time', async () => {
    const { sql } = handle
    await sql`
      with r as (insert into resellers (name) values ('R') returning id),
        w as (insert into workspaces (uuid, reseller_id, name) select gen_random_uuid(), r.id, 'W' from r returning *),
        u as (insert into users (name, email, workspace_id, workspace_role, reseller_id, features)
          select 'U', 'u@example.com', w.id, 'owner', w.reseller_id, '{}' from w returning id),
        t as (insert into tokens (user_id, name, prefix, hash) select id, 'T', 'vk_', 'h' from u returning id),
        o as (insert into connectors (uid, owner_id, scope, name, description, server_url, active)
          select gen_random_uuid(), u.id, 'own', 'C', '', 'https://example.com', true from u returning id),
        a as (insert into agents (agent_id, owner_id, name, last_activity_at)
          select gen_random_uuid(), u.id, 'A', now() from u, generate_series(1, 450) returning id),
        n as (insert into agent_connectors (agent_id, connector_id, enabled) select a.id, o.id, true from a, o),
        s as (insert into agent_shares (agent_id, user_id, access) select a.id, u.id, 'view' from a, u),
        b as (insert into budgets (agent_id, "window", unit, "limit", window_start)
          select a.id, 'day', 'usd', 1, now() from a),
        v as (insert into knowledge_versions (agent_id, version) select id, 1 from a),
        f as (insert into knowledge_files (agent_id, original_name, mime, size, storage_key, extractable, extracted,
            index_state, created_at)
          select id, 'f', 'text/plain', 1, 'k' || id, true, true, 'done', now() from a returning id, agent_id),
        k as (insert into knowledge_chunks (file_id, agent_id, position, text) select id, agent_id, 0, 't' from f),
        c as (insert into chats (id, agent_id, token_id, title, model, last_activity_at)
          select gen_random_uuid(), a.id, t.id, 'T', 'm', now() from a, t returning id)
      insert into messages (chat_id, turn_id, role, content, created_at)
      select c.id, gen_random_uuid(), 'user', 'Hello', now() from c, generate_series(1, 2)`
    await migrate(handle)
    const [workspace] = await sql<{ id: number }[]>`select id from workspaces`
    for (const table of belonging) expect([table, await workspacesIn(handle, table)]).toEqual([table, [workspace?.id]])
    const unchecked = await sql`select conname from pg_constraint where not convalidated`
    expect([...unchecked]).toEqual([])
  })
})
