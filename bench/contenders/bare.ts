import { randomUUID } from 'node:crypto'
import { getTableColumns } from 'drizzle-orm'
import postgres from 'postgres'
import type { z } from 'zod'
import type { AssistantRowData } from '../../src/resources/assistants/read/find.ts'
import { assistants } from '../../src/resources/assistants/table.ts'
import type { CreateInput } from '../../src/resources/assistants/write/schema.ts'
import { firstBase, firstVersion, newAssistant, pageAnswer, publicRecord } from './answers.ts'
import { type Caller, cachedCallers } from './callers.ts'
import { answerParent, databaseUrl } from './parent.ts'
import { createLive } from './platform-stub.ts'

const sql = postgres(databaseUrl(), { max: 10, onnotice: () => {} })

const columns = Object.entries(getTableColumns(assistants)).map(([name, column]) => `a.${column.name} as "${name}"`)
const names = `p.name as "personalityName", u.name as "userName", t.first_message as "templateFirstMessage",
  t.end_call_message as "templateEndCallMessage"`
const others = `left join personalities p on p.id = a.personality_id left join users u on u.id = a.user_id
  left join prompt_templates t on t.id = a.template_id`
const record = `select ${columns.join(', ')}, ${names}`
const findStatement = `${record} from assistants a ${others} where a.assistant_id = $1 and a.workspace_id = $2`
const pageStatement = `${record}
  from (select id from assistants where workspace_id = $1 order by name, id limit $2 offset $3) page
  inner join assistants a on a.id = page.id ${others} order by a.name, a.id`
const createStatement = `with a as (insert into assistants (assistant_id, voice_assistant_id, name, type, user_id,
    created_by, reseller_id, workspace_id, webhook_url, metadata, config, live, public_key, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning *)
  ${record} from a ${others}`
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
  const { userId, workspaceId, resellerId } = caller
  const entry = { id: randomUUID(), owner: randomUUID() }
  await sql`
    insert into live_writes (id, kind, ref, action, owner, create_sent, due_at)
    values (${entry.id}, 'assistant', ${made.assistantId}, 'create', ${entry.owner}, true, now() + interval '15 seconds')
    on conflict do nothing returning created_at`
  const live = await createLive(made.live)
  const saved = await sql.begin(async (tx) => {
    const values = [
      ...[made.assistantId, live.id, made.name, made.type, userId, userId, resellerId, workspaceId, made.webhookUrl],
      ...[json(made.metadata), json(made.config), json(made.live), made.publicKey, made.now, made.now],
    ]
    const [row] = await tx.unsafe<AssistantRowData[]>(createStatement, values, prepared)
    if (!row) throw new Error('no assistant')
    const version = firstVersion(row.id, made, caller)
    await tx`
      insert into assistant_versions (assistant_id, action, source, actor_id, actor_name, changes, summary,
        configuration, created_at)
      values (${version.assistantId}, ${version.action}, ${version.source}, ${version.actorId}, ${version.actorName},
        ${json(version.changes)}, ${version.summary}, ${json(version.configuration)}, ${version.createdAt})
      returning id`
    const { kind, ref, liveId, revision, bodies } = firstBase(made, live)
    await tx`
      insert into live_bases (kind, ref, live_id, revision, bodies)
      values (${kind}, ${ref}, ${liveId}, ${revision}, ${bodies})
      on conflict (kind, ref) do update set live_id = excluded.live_id, revision = excluded.revision,
        bodies = excluded.bodies, agreed_at = now()
      returning id`
    await tx`
      delete from live_writes
      where id = ${entry.id} and owner = ${entry.owner} and (late_until is null or late_until <= now()) returning id`
    return row
  })
  const answer = { success: true, data: publicRecord(saved), message: 'Assistant created successfully' }
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
