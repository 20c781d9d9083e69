import { randomUUID } from 'node:crypto'
import { getTableColumns } from 'drizzle-orm'
import postgres from 'postgres'
import type { z } from 'zod'
import type { AssistantRowData } from '../../src/resources/assistants/read/record.ts'
import { assistants } from '../../src/resources/assistants/table.ts'
import type { CreateInput } from '../../src/resources/assistants/write/schema.ts'
import { firstVersion, newAssistant, pageAnswer, publicRecord } from './answers.ts'
import { type Caller, cachedCallers } from './callers.ts'
import { answerParent, databaseUrl } from './parent.ts'
import { createLive } from './platform-stub.ts'

const sql = postgres(databaseUrl(), { max: 10, onnotice: () => {} })

const columns = Object.entries(getTableColumns(assistants)).map(([name, column]) => `a.${column.name} as "${name}"`)
const record = `select ${columns.join(', ')}, p.name as "personalityName", u.name as "userName"
  from assistants a left join personalities p on p.id = a.personality_id left join users u on u.id = a.user_id`
const findStatement = `${record} where a.assistant_id = $1 and a.workspace_id = $2`
const pageStatement = `${record} where a.workspace_id = $1 order by a.name, a.id limit $2 offset $3`
const totalStatement = `select coalesce(sum(c.count), 0)::int as total from assistant_counts c
  inner join workspaces w on w.id = c.workspace_id where c.workspace_id = $1`
const prepared = { prepare: true }

const callerOf = cachedCallers(async (hash) => {
  const [caller] = await sql<Caller[]>`
    select u.id as "userId", u.name, w.id as "workspaceId", u.reseller_id as "resellerId"
    from tokens t inner join users u on u.id = t.user_id inner join workspaces w on w.id = u.workspace_id
    where t.hash = ${hash} and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      and u.status = 'active' and u.deleted_at is null`
  return caller
})

const refused = () => Response.json({ message: 'Unauthenticated.' }, { status: 401 })

async function find(id: string, caller: Caller): Promise<Response> {
  const [row] = await sql.unsafe<AssistantRowData[]>(findStatement, [id, caller.workspaceId], prepared)
  if (!row) return Response.json({ success: false, message: 'Assistant not found' }, { status: 404 })
  return Response.json({ success: true, data: publicRecord(row) })
}

async function list({ workspaceId }: Caller): Promise<Response> {
  const [rows, [counted]] = await Promise.all([
    sql.unsafe<AssistantRowData[]>(pageStatement, [workspaceId, 15, 0], prepared),
    sql.unsafe<{ total: number }[]>(totalStatement, [workspaceId], prepared),
  ])
  return Response.json(pageAnswer([...rows], counted?.total ?? 0))
}

async function create(body: z.output<typeof CreateInput>, caller: Caller): Promise<Response> {
  const made = newAssistant(body)
  const entry = { id: randomUUID(), owner: randomUUID() }
  await sql`
    insert into live_writes (id, kind, ref, action, owner, due_at)
    values (${entry.id}, 'assistant', ${made.assistantId}, 'create', ${entry.owner}, now() + interval '15 seconds')
    on conflict do nothing returning created_at`
  const live = await createLive(made.live)
  await sql.begin(async (tx) => {
    const [row] = await tx<{ id: number }[]>`
      insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id,
        workspace_id, webhook_url, metadata, config, live, public_key, created_at, updated_at)
      values (${made.assistantId}, ${live.id}, ${made.name}, ${made.type}, ${caller.userId}, ${caller.userId},
        ${caller.resellerId}, ${caller.workspaceId}, ${made.webhookUrl}, ${json(made.metadata)}, ${json(made.config)},
        ${json(made.live)}, ${made.publicKey}, ${made.now}, ${made.now})
      returning *`
    if (!row) throw new Error('no assistant')
    const version = firstVersion(row.id, made, caller)
    await tx`
      insert into assistant_versions (assistant_id, action, source, actor_id, actor_name, changes, summary,
        configuration, created_at)
      values (${version.assistantId}, ${version.action}, ${version.source}, ${version.actorId}, ${version.actorName},
        ${json(version.changes)}, ${version.summary}, ${json(version.configuration)}, ${version.createdAt})`
    await tx`delete from live_writes where id = ${entry.id} and owner = ${entry.owner} returning id`
  })
  const [row] = await sql.unsafe<AssistantRowData[]>(findStatement, [made.assistantId, caller.workspaceId], prepared)
  if (!row) throw new Error('no assistant')
  const answer = { success: true, data: publicRecord(row), message: 'Assistant created successfully' }
  return Response.json(answer, { status: 201 })
}

function json(value: object) {
  return sql.json(value as postgres.JSONValue)
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  routes: {
    '/assistants': {
      async GET(request) {
        const caller = await callerOf(request.headers.get('authorization'))
        return caller ? list(caller) : refused()
      },
      async POST(request) {
        const caller = await callerOf(request.headers.get('authorization'))
        return caller ? create((await request.json()) as z.output<typeof CreateInput>, caller) : refused()
      },
    },
    '/assistants/:id': {
      async GET(request) {
        const caller = await callerOf(request.headers.get('authorization'))
        return caller ? find(request.params.id, caller) : refused()
      },
    },
  },
})
answerParent(Number(server.port))
