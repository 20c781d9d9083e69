import { loadModule } from 'libpg-query'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planOf } from '../scripts/distribution/plan.ts'
import { everywhere } from '../scripts/distribution/rules.ts'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import type { DatabaseHandle } from '../src/db/client.ts'
import { restRouter } from '../src/router.ts'
import { unnamedInserts } from './matrix/inserts.ts'
import { type Keys, unboundTables } from './matrix/reach.ts'
import { facesOf, freshRequest } from './matrix/request.ts'
import { callOn, createWorld, type World } from './matrix/world.ts'
import { newDatabase } from './support/database.ts'

let database: DatabaseHandle
let world: World
let keys: Keys
/** Tables that are spread over servers, which an insert is sent to by the workspace that it names. */
let spread: string[]
let heard: Set<string> | undefined

beforeAll(async () => {
  await loadModule()
  database = await newDatabase({ onQuery: (statement) => void heard?.add(statement) })
  world = await createWorld({ database })
  keys = await keysOf(database)
  spread = (await planOf(database.sql)).distributed
})
afterAll(() => database.close())

/**
 * Tables that have nothing of a workspace, or are what stands in for the voice platform and the carrier, which are
 * outside.
 */
const left = new Set<string>([
  ...everywhere,
  'model_prices',
  'leases',
  'platform_objects',
  'platform_calls',
  'carrier_numbers',
])
for (const personal of ['users', 'tokens', 'connectors']) left.delete(personal)

/** Columns that lead to one workspace although no key of the database says so, and why. */
const leading: Record<string, string> = {
  'knowledge_chunks.agent_id': "its file's agent",
  'webhook_deliveries.live_assistant_id': 'made by the platform at random',
  'webhook_deliveries.call_id': 'made by the platform at random',
  'messages.turn_id': 'made at random',
  'live_writes.ref': "the resource's own, made at random, or a number, which one record at a time has",
  'live_bases.ref': "the resource's own, made at random, or a number, which one record at a time has",
  'drifts.ref': "the resource's own, made at random, or a number, whose record has the live object as well",
}

/** What reads more than one workspace's rows, by procedure and table, and why. */
const wide: Record<string, Record<string, string>> = {
  'assistantTools.list': { tools: 'lists those that operators offer to everybody' },
  'connectors.listOfAgent': {
    connectors: 'lists those that operators offer to everybody',
  },
}

async function keysOf({ sql }: DatabaseHandle): Promise<Keys> {
  const rows = await sql<{ table: string; column: string; isKey: boolean }[]>`
    select c.relname as table, a.attname as column,
      a.attname = 'workspace_id'
        or exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
          and i.indnatts = 1 and i.indkey[0] = a.attnum)
        or exists (select 1 from pg_constraint f join pg_attribute k on k.attrelid = f.confrelid
          where f.contype = 'f' and f.conrelid = c.oid and a.attnum = any(f.conkey) and k.attname = 'workspace_id')
        as "isKey"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`
  const tables = Map.groupBy(rows, ({ table }) => table)
  const namesOf = (of: { column: string }[]) => new Set(of.map(({ column }) => column))
  const leads = ({ table, column, isKey }: (typeof rows)[number]) => isKey || `${table}.${column}` in leading
  return {
    columns: new Map([...tables].map(([table, of]) => [table, namesOf(of)])),
    leading: new Map(
      [...tables].flatMap(([table, of]) => (left.has(table) ? [] : [[table, namesOf(of.filter(leads))]])),
    ),
  }
}

/** Every procedure that is no operator's, called by the owner of what it names. */
const operations = operationsOf(restRouter).filter(({ meta }) => meta.access !== 'operator')

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s',
  async (name, operation: Operation) => {
    const { params, input } = await freshRequest(world, operation)
    const [face = 'rest'] = facesOf(operation)
    heard = new Set()
    const { status } = await callOn(face)(world, operation, params, input, world.owner.token)
    const statements = [...heard]
    heard = undefined
    expect(status).toBeLessThan(300)
    const found = statements.flatMap((statement) =>
      unboundTables(statement, keys).map((table) => ({ table, statement })),
    )
    const known = Object.keys(wide[name] ?? {})
    expect(found.filter(({ table }) => !known.includes(table))).toEqual([])
    expect(statements.filter((statement) => unnamedInserts(statement, spread).length > 0)).toEqual([])
    // What is listed is still so.
    expect(known.filter((table) => !found.some((one) => one.table === table))).toEqual([])
  },
)

const bound = [
  'select * from agents where owner_id = $1 order by id limit $2',
  'select * from messages m join chats c on c.id = m.chat_id where c.token_id = $1',
  'select * from chats where id in ($1, $2) or agent_id = any($3)',
  'select a.* from agents a left join agent_shares s on s.agent_id = a.id and s.user_id = $1 where a.agent_id = $2',
  'select (select count(*) from messages m where m.chat_id = c.id) from chats c where c.id = $1::uuid',
  'with mine as (select id from agents where owner_id = $1) delete from chats where agent_id in (select id from mine)',
  'update agents a set name = $1 from users u where u.id = a.owner_id and u.workspace_id = $2',
  'select * from drifts d where exists (select 1 from squads s where s.ref::text = d.ref and s.workspace_id = $1)',
  'select id from agents where owner_id = $1 union all select id from assistants where workspace_id = $1',
  'insert into chats (id) values ($1)',
]
test.each(bound)('%s finds what is of one workspace', (statement) => {
  expect(unboundTables(statement, keys)).toEqual([])
})

const unbound: [string, string[]][] = [
  ['select * from agents where name = $1', ['agents']],
  ['select * from agents where owner_id > $1', ['agents']],
  ['select * from agents where not (owner_id = $1)', ['agents']],
  ['select * from agents where owner_id = id', ['agents']],
  ['select * from chats where id = $1 or title = $2', ['chats']],
  ['select * from messages m join chats c on c.id = m.chat_id where c.title = $1', ['messages', 'chats']],
  ['select a.* from agents a left join agent_shares s on s.agent_id = a.id and s.user_id = $1', ['agents']],
  ['select 1 from users where id = $1 and exists (select 1 from agents where name = users.name)', ['agents']],
  ['with mine as (select id from agents) select id from chats where agent_id in (select id from mine)', ['agents']],
  ['select * from (select * from messages limit 1) m join chats c on c.id = m.chat_id', ['messages']],
  ['update chats set title = $1', ['chats']],
  ['delete from tokens where revoked_at < $1', ['tokens']],
  ['select id from agents where owner_id = $1 union all select id from assistants', ['assistants']],
]
test.each(unbound)('%s reaches beyond a workspace', (statement, tables) => {
  expect(unboundTables(statement, keys)).toEqual(tables)
})

test.each([
  ['insert into chats (id, workspace_id) values ($1, $2), ($3, default)', ['chats']],
  ['insert into chats (id) values ($1)', ['chats']],
  ['with made as (insert into agents (name) values ($1) returning id) select id from made', ['agents']],
  ['insert into chats (id, workspace_id) values ($1, $2)', []],
  ['insert into live_writes (id) values ($1)', []],
])('%s is told to name its workspace', (statement, tables) => {
  expect(unnamedInserts(statement, spread)).toEqual(tables)
})
