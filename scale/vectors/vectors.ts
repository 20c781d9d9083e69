import { pino } from 'pino'
import postgres from 'postgres'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { embeddedEmbedderId, type SharedEmbedder, unit } from '../../src/knowledge/embedder.ts'
import { createSearch } from '../../src/resources/files/search.ts'
import { startCluster } from '../../torture/outside/postgres.ts'
import { ending } from '../endings.ts'
import { addRows, type Counts } from '../growth/rows.ts'
import { markdown } from '../table.ts'
import { watched } from './watched.ts'
import { wholeSearches } from './whole-search.ts'

const nothing: Counts = {
  ...{ assistants: 0, agents: 0, chats: 0, messages: 0, deliveries: 0, calls: 0 },
  ...{ ledger: 0, files: 0, passages: 0, versions: 0, conversations: 0, squads: 0, numbers: 0 },
}
const perFile = 1_000
const together = 8

/** Turns questions into vectors at no cost, so that what is measured is the search. */
const instant: SharedEmbedder = {
  id: embeddedEmbedderId,
  related: { least: 0.15, most: 0.6 },
  embed: async (texts) => texts.map((text) => unit(Array.from({ length: 384 }, (_, at) => Math.sin(text.length + at)))),
  close() {},
}

async function agentIn(sql: postgres.Sql): Promise<{ agentId: number; workspaceId: number }> {
  const [made] = await sql<{ agentId: number; workspaceId: number }[]>`
    with r as (insert into resellers (name) values ('A reseller') returning id),
      w as (insert into workspaces (uuid, reseller_id, name) select gen_random_uuid(), id, 'A workspace' from r returning id, reseller_id),
      u as (insert into users (name, email, workspace_id, workspace_role, reseller_id, features)
        select 'Ada', gen_random_uuid() || '@example.com', id, 'owner', reseller_id, '{}' from w returning id, workspace_id),
      a as (insert into agents (agent_id, owner_id, name, last_activity_at)
        select gen_random_uuid(), id, 'Guide', now() from u returning id)
    select a.id as "agentId", u.workspace_id as "workspaceId" from a, u`
  if (!made) throw new Error('no agent')
  return made
}

async function addFiles(url: string, agentId: number, files: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const none = (table: string) => sql`(select * from ${sql(table)} where false)`
  try {
    await addRows(
      sql,
      { ...nothing, files, passages: perFile },
      {
        ...{ owners: none('users'), assistants: none('assistants'), chats: none('chats'), name: 'Measured' },
        agents: sql`(select * from agents where id = ${agentId})`,
      },
    )
  } finally {
    await sql.end()
  }
}

/**
 * Measures searches of an agent with so many thousand passages within this process: the first, which loads the vectors,
 * later ones, several at once, and one after a file was added.
 */
export async function vectors(thousands: number, say: (text: string) => void): Promise<string> {
  const cluster = await startCluster(['fsync=off', 'shared_buffers=512MB'])
  const stopCluster = ending(cluster.stop)
  let handle: DatabaseHandle | undefined
  try {
    await cluster.createDatabase('vectors')
    const url = cluster.url('vectors')
    handle = await openDatabase({ url })
    await migrate(handle)
    const { db, sql } = handle
    const of = await agentIn(sql)
    say(`Filling: ${thousands} thousand passages`)
    await addFiles(url, of.agentId, thousands)
    const log = pino({ level: 'silent' })
    const fresh = () => createSearch({ db, embedder: instant, log })
    const ask = (search: ReturnType<typeof fresh>, query = 'What are the opening hours?') =>
      search({ ...of, query, limit: 6 })
    const rows: string[][] = []
    const measure = async (name: string, work: () => Promise<unknown>) => {
      say(`Measuring: ${name}`)
      const { milliseconds, longest, megabytes } = await watched(work)
      rows.push([name, milliseconds.toFixed(0), longest.toFixed(0), megabytes.toFixed(0)])
    }
    // What is compiled and connected at first is no part of it.
    await ask(fresh(), 'nothing at all')
    await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.1)`))
    const search = fresh()
    await measure('the first search', () => ask(search))
    await measure('the same again', () => ask(search))
    const others = fresh()
    const several = (one: ReturnType<typeof fresh>) =>
      Promise.all(Array.from({ length: together }, (_, at) => ask(one, `When are the opening hours on day ${at}?`)))
    await measure(`${together} at once, the first`, () => several(others))
    await measure(`${together} at once, again`, () => several(others))
    await addFiles(url, of.agentId, 1)
    await measure('after a file of 1,000 more was added', () => ask(search))
    const head = ['Search', 'processor time, ms', 'longest stretch without a break, ms', 'more memory, MB']
    const costs = `## Searches by meaning and words among ${thousands},000 passages of one agent\n\n${markdown(head, rows)}`
    const another = await agentIn(sql)
    return `${costs}\n\n${await wholeSearches({ db, of: another, thousands }, say)}`
  } finally {
    await handle?.close()
    await stopCluster()
  }
}
