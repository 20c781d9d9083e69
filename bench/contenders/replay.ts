import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import type { Recorded, Sent } from '../operations/recording.ts'
import { type Caller, cachedCallers } from './callers.ts'
import { answerParent, databaseUrl } from './parent.ts'

/**
 * A server that sends the statements that were recorded for a request, one after the other, and gives the recorded
 * body: what the database and HTTP cost by themselves.
 */

const sql = postgres(databaseUrl(), { max: 10, onnotice: () => {} })
// Recorded parameters of JSON are text already.
for (const json of [114, 3802]) sql.options.serializers[json] = (value: unknown) => value

const [, , , file = ''] = process.argv
const recorded: Recorded[] = JSON.parse(readFileSync(file, 'utf8'))
const byRequest = new Map(recorded.map((entry) => [`${entry.method} ${entry.path}`, entry]))

const callerOf = cachedCallers(async (hash) => {
  const [caller] = await sql<Caller[]>`
    select u.id as "userId", u.name, u.workspace_id as "workspaceId", u.reseller_id as "resellerId"
    from tokens t inner join users u on u.id = t.user_id where t.hash = ${hash}`
  return caller
})

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** The ids that a request makes: they are others each time. */
function idsMade({ path, statements }: Recorded): Set<unknown> {
  const inserted = statements.filter(({ text }) => text.startsWith('insert'))
  const isNew = (value: unknown) => uuid.test(String(value)) && !path.includes(String(value))
  return new Set(inserted.flatMap(({ parameters }) => parameters.filter(isNew)))
}

const made = new Map(recorded.map((entry) => [entry, idsMade(entry)]))

type Run = (sent: Sent) => Promise<unknown>

async function replay(entry: Recorded): Promise<void> {
  const ids = new Map([...(made.get(entry) ?? [])].map((id) => [id, randomUUID()]))
  const by =
    (executor: postgres.Sql | postgres.TransactionSql): Run =>
    ({ text, parameters }) =>
      executor
        .unsafe(text, parameters.map((value) => ids.get(value) ?? value) as never[], { prepare: true })
        .values()
        .execute()
  const { statements } = entry
  for (let at = 0; at < statements.length; at++) {
    const sent = statements[at]
    if (sent?.text.trim() !== 'begin') {
      if (sent) await by(sql)(sent)
      continue
    }
    const end = statements.findIndex(({ text }, index) => index > at && text.trim() === 'commit')
    await sql.begin(async (tx) => {
      for (const inside of statements.slice(at + 1, end)) await by(tx)(inside)
    })
    at = end
  }
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (!(await callerOf(request.headers.get('authorization')))) return new Response(null, { status: 401 })
    const entry = byRequest.get(`${request.method} ${request.url.slice(request.url.indexOf('/', 8))}`)
    if (!entry) return new Response(null, { status: 404 })
    if (request.method === 'POST') await request.json()
    await replay(entry)
    return new Response(entry.body, { status: entry.status, headers: { 'content-type': 'application/json' } })
  },
})
answerParent(Number(server.port))
