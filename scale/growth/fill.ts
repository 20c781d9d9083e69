import postgres from 'postgres'

/** How much of each there is for a thousand assistants of the small database. */
const perThousand = { assistants: 1_000, agents: 500, messages: 5_000, deliveries: 1_000, audit: 500, users: 50 }

/** A part of a statement. */
type Part = postgres.PendingQuery<postgres.Row[]>

/** Who is in a database beside the tenant that is measured: rows of each kind for so many assistants. */
const scaled = (thousands: number) =>
  Object.fromEntries(
    Object.entries(perThousand).map(([name, count]) => [name, count * thousands]),
  ) as typeof perThousand

/**
 * Fills a database with other tenants, up to so many thousand assistants, in workspaces of fifty users' assistants each. The
 * rows are copies of the measured tenant's, so that they are as large.
 */
export async function fillOthers(url: string, thousands: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const count = scaled(thousands)
  try {
    await sql`set session_replication_role = replica`
    await sql`set synchronous_commit = off`
    await sql`
      with made as (
        insert into workspaces (uuid, reseller_id, name)
        select gen_random_uuid(), (select min(id) from resellers), 'Workspace ' || n
        from generate_series((select count(*) from workspaces) + 1, ${count.users}) n returning id, reseller_id)
      insert into users (name, email, workspace_id, workspace_role, reseller_id, features, email_verified_at)
      select 'Owner ' || id, 'owner-' || id || '@example.com', id, 'owner', reseller_id, '{}', now() from made`
    const others = sql`(select id, workspace_id, reseller_id, row_number() over (order by id) - 1 as place
      from users where name like 'Owner %') u`
    /** The numbers after so many, each with a place among the others. */
    const numbers = (after: Part, upTo: number, among: Part) =>
      sql`(select n, n % (select count(*) from ${among}) as place
        from generate_series((select count(*) from ${after})::int + 1, ${upTo}::int) n) n`
    const owners = sql`users where name like 'Owner %'`
    await sql`
      insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id,
        workspace_id, metadata, config, live, public_key)
      select gen_random_uuid(), gen_random_uuid(), 'Front desk ' || md5(n.n::text), t.type, u.id, u.id, u.reseller_id,
        u.workspace_id, '{}', '{}', '{}', 'pk_' || md5(random()::text || n.n)
      from (select type from assistants order by id limit 1) t,
        ${numbers(sql`assistants`, count.assistants, owners)} inner join ${others} on u.place = n.place`
    await sql`
      insert into assistant_counts (workspace_id, slot, count)
      select workspace_id, 0, count(*) from assistants where name like 'Front desk %' group by workspace_id
      on conflict (workspace_id, slot) do update set count = excluded.count`
    await sql`
      insert into agents (agent_id, owner_id, name, last_activity_at)
      select gen_random_uuid(), u.id, 'Guide ' || n.n, now() - n.n * interval '1 second'
      from ${numbers(sql`agents`, count.agents, owners)} inner join ${others} on u.place = n.place`
    await sql`
      insert into chats (id, agent_id, token_id, title, model, last_activity_at)
      select gen_random_uuid(), a.id, t.id, 'Chat', 'local-extractive', now()
      from agents a, (select min(id) as id from tokens) t
      where not exists (select 1 from chats c where c.agent_id = a.id)`
    await sql`
      insert into messages (chat_id, turn_id, role, content, created_at)
      select c.id, gen_random_uuid(), 'user', 'Message ' || n.n, now()
      from ${numbers(sql`messages`, count.messages, sql`chats where title = 'Chat'`)}
        inner join (select id, row_number() over (order by id) - 1 as place from chats where title = 'Chat') c
        on c.place = n.place`
    await sql`
      insert into webhook_deliveries (live_assistant_id, workspace_id, call_id, type, address, request, payload,
        timeout_seconds, backoff_plan, status, most_attempts)
      select a.voice_assistant_id, a.workspace_id, gen_random_uuid(), 'status-update', 'https://receiver.example', '', '{}',
        20, '{"type": "fixed", "maxRetries": 1, "baseDelaySeconds": 1}', case when n.n % 50 = 0 then 'dead' else 'delivered' end, 2
      from ${numbers(sql`webhook_deliveries`, count.deliveries, sql`assistants`)}
        inner join (select voice_assistant_id, workspace_id, row_number() over (order by id) - 1 as place
          from assistants) a on a.place = n.place`
    await sql`
      insert into audit_entries (actor_id, token_id, action, subject_kind, subject_id, changes, request_id, created_at)
      select u.id, 1, 'updated', 'workspace', n.n::text, '[]', gen_random_uuid()::text, now()
      from ${numbers(sql`audit_entries`, count.audit, owners)} inner join ${others} on u.place = n.place`
    await sql`set session_replication_role = default`
    await sql`vacuum analyze`
  } finally {
    await sql.end()
  }
}
