import type postgres from 'postgres'
import { embeddedEmbedderId } from '../../src/knowledge/embedder.ts'
import { passagesVersion } from '../../src/knowledge/passages/split.ts'
import { packVector } from '../../src/knowledge/vectors.ts'
import { detectLanguage, indexedWords } from '../../src/knowledge/words.ts'
import { indexIdOf } from '../../src/resources/files/indexer.ts'

/** How many rows of each kind are added; `passages` are those of each file. */
export interface Counts {
  assistants: number
  agents: number
  chats: number
  messages: number
  deliveries: number
  calls: number
  ledger: number
  files: number
  passages: number
  versions: number
  conversations: number
  squads: number
  numbers: number
}

/** A part of a statement. */
export type Part = postgres.PendingQuery<postgres.Row[]>

/** Whose rows are added: relations that they are spread over, each as its table has it. */
export interface Among {
  /** `id`, `workspace_id`, `reseller_id` of users. */
  owners: Part
  assistants: Part
  agents: Part
  chats: Part
  /** What names begin with. */
  name: string
}

const words = [
  'delivery',
  'opening',
  'hours',
  'invoice',
  'warranty',
  'parking',
  'refund',
  'repair',
  'menu',
  'price',
  'team',
]
const dimensions = 384

/** Passages that all have words in common, as texts of one trade do. */
const texts = Array.from({ length: 20 }, (_, index) => {
  const text = Array.from({ length: 30 }, (_, at) => words[(index * 7 + at * ((index % 5) + 1)) % words.length]).join(
    ' ',
  )
  const { terms, length } = indexedWords(text, detectLanguage(text))
  return { text, terms, length }
})

/** In hexadecimal. */
function vectors(): string[] {
  return Array.from({ length: 64 }, (_, index) => {
    const values = Float32Array.from({ length: dimensions }, (_, at) => Math.sin(index * 31 + at * 7))
    const length = Math.hypot(...values)
    return Buffer.from(packVector(values.map((value) => value / length))).toString('hex')
  })
}

/** Numbers from 1 on, each with a row of `among`: as `s`. */
const spread = (sql: postgres.Sql, count: number, among: Part) =>
  sql`(select a.*, n.n from
    (select n, n % (select greatest(1, count(*)) from ${among} y) as place from generate_series(1, ${count}::int) n) n
    inner join (select x.*, row_number() over () - 1 as place from ${among} x) a using (place)) s`

async function addAccountsRows(sql: postgres.Sql, count: Counts, { owners, name }: Among): Promise<void> {
  await sql`
    insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id,
      workspace_id, metadata, config, live, public_key)
    select gen_random_uuid(), gen_random_uuid(), ${name} || ' ' || md5(s.n::text), 'production', s.id, s.id, s.reseller_id,
      s.workspace_id, '{}', '{}', '{}', 'pk_' || md5(random()::text || s.n)
    from ${spread(sql, count.assistants, owners)}`
  await sql`
    insert into assistant_counts (workspace_id, slot, count)
    select a.workspace_id, 0, count(*) from assistants a group by a.workspace_id
    on conflict (workspace_id, slot) do update set count = excluded.count`
  await sql`delete from assistant_counts where slot > 0`
  await sql`
    insert into agents (agent_id, owner_id, name, last_activity_at)
    select gen_random_uuid(), s.id, ${name} || ' ' || s.n, now() - s.n * interval '1 minute'
    from ${spread(sql, count.agents, owners)}`
  await sql`
    insert into ledger (workspace_id, currency, kind, delta, turn_id, model, prompt_tokens, completion_tokens, created_at)
    select s.workspace_id, 'usd', 'charge', -1, gen_random_uuid()::text, 'a-model', 10, 10, now() - s.n * interval '1 minute'
    from ${spread(sql, count.ledger, owners)}`
  await sql`
    insert into squads (ref, external_squad_id, status, name, members, user_id, created_by, reseller_id, workspace_id)
    select gen_random_uuid(), 'draft_' || gen_random_uuid(), 'draft', ${name} || ' ' || s.n, '[]', s.id, s.id, s.reseller_id,
      s.workspace_id
    from ${spread(sql, count.squads, owners)}`
  await sql`
    insert into phone_numbers (phone_number, purchase_ref, carrier_id, status, provider, name, hooks, sms_enabled,
      sms_capable, static_ip_enabled, user_id, created_by, reseller_id, workspace_id)
    select '+1' || (2000000000 + (select count(*) from phone_numbers) + s.n), gen_random_uuid(), 'carrier-' || gen_random_uuid(),
      'owned', 'vapi', ${name} || ' ' || s.n, '[]', false, false, false, s.id, s.id, s.reseller_id, s.workspace_id
    from ${spread(sql, count.numbers, owners)}`
  await sql`
    insert into audit_entries (actor_id, token_id, action, subject_kind, subject_id, changes, request_id, created_at)
    select s.id, 1, 'updated', 'workspace', s.workspace_id::text, '[]', gen_random_uuid()::text, now()
    from ${spread(sql, count.ledger, owners)}`
}

async function addAssistantsRows(sql: postgres.Sql, count: Counts, { assistants }: Among): Promise<void> {
  await sql`
    insert into webhook_deliveries (live_assistant_id, workspace_id, call_id, type, address, request, payload,
      timeout_seconds, backoff_plan, status, most_attempts)
    select s.voice_assistant_id, s.workspace_id, gen_random_uuid(), 'status-update', 'https://receiver.example', '', '{}',
      20, '{"type": "fixed", "maxRetries": 1, "baseDelaySeconds": 1}',
      case when s.n % 50 = 0 then 'dead' else 'delivered' end, 2
    from ${spread(sql, count.deliveries, assistants)}`
  await sql`
    with calls as materialized (
      select gen_random_uuid() as id, s.voice_assistant_id, now() - s.n * interval '3 minutes' as at
      from ${spread(sql, count.calls, assistants)}),
      objects as (
        insert into platform_objects (id, kind, body, created_at, updated_at)
        select id, 'call', jsonb_build_object('id', id, 'orgId', id, 'type', 'webCall', 'status', 'ended',
          'assistantId', voice_assistant_id, 'createdAt', at, 'updatedAt', at, 'cost', 0.1,
          'artifact', jsonb_build_object('transcript', repeat('User: When do you open? ', 60))), at, at
        from calls)
    insert into platform_calls (id, assistant_id, created_at, direction, ended, seconds, ended_reason, cost, transport,
      transcriber, model, voice, platform, other)
    select id, voice_assistant_id, at, 'web', true, 60, 'customer-ended-call', 0.1, 0, 0, 0.1, 0, 0, 0 from calls`
  await sql`
    insert into assistant_versions (assistant_id, action, source, actor_id, actor_name, changes, summary, configuration, created_at)
    select s.id, 'updated', 'regular', 1, 'Somebody', '[]', 'Changed name', '{}', now()
    from ${spread(sql, count.versions, assistants)}`
  await sql`
    insert into conversations (id, assistant_id, subject, messages, created_at, last_message_at)
    select gen_random_uuid(), s.id, 'When do you open?', 2, now(), now() - s.n * interval '1 minute'
    from ${spread(sql, count.conversations, assistants)}`
}

async function addAgentsRows(sql: postgres.Sql, count: Counts, { agents, chats, name }: Among): Promise<void> {
  await sql`
    insert into chats (id, agent_id, token_id, title, model, last_activity_at)
    select gen_random_uuid(), s.id, t.id, ${name}, 'local-extractive', now() - s.n * interval '1 minute'
    from ${spread(sql, count.chats, agents)} inner join lateral
      (select id from tokens where user_id = s.owner_id order by id limit 1) t on true`
  await sql`
    insert into messages (chat_id, turn_id, role, content, created_at)
    select s.id, gen_random_uuid(),
      case when s.n % 500 = 0 then 'system' when s.n % 2 = 0 then 'user' else 'assistant' end, 'Message ' || s.n,
      now() - interval '1 day'
    from ${spread(sql, count.messages, chats)}`
  const made = await sql<{ id: number; agent_id: number }[]>`
    insert into knowledge_files (agent_id, original_name, mime, size, storage_key, extractable, extracted, index_state,
      embedder_id, passages_version, created_at)
    select s.id, 'notes-' || s.n || '.txt', 'text/plain', 1, 'knowledge/' || gen_random_uuid(), true, true, 'done',
      ${indexIdOf(embeddedEmbedderId)}, ${passagesVersion}, now()
    from ${spread(sql, count.files, agents)} returning id, agent_id`
  if (made.length === 0) return
  await sql`
    with words as materialized (
      select a.id as agent_id, t.ordinality - 1 as place, t.text, t.length,
        (select array_agg(a.id || ':' || w) from jsonb_array_elements_text(t.terms) w) as terms
      from ${agents} a, rows from (jsonb_to_recordset(${JSON.stringify(texts)}::text::jsonb) as (text text, terms jsonb, length int))
        with ordinality as t)
    insert into knowledge_chunks (file_id, agent_id, position, text, terms, length, embedder_id, vector)
    select f.id, f.agent_id, p, w.text, w.terms, w.length, ${indexIdOf(embeddedEmbedderId)},
      decode((${vectors()}::text[])[1 + (f.id + p) % 64], 'hex')
    from jsonb_to_recordset(${JSON.stringify(made)}::text::jsonb) as f(id int, agent_id int),
      generate_series(0, ${count.passages - 1}::int) p, words w
    where w.agent_id = f.agent_id and w.place = (f.id + p) % 20`
  await sql`
    insert into knowledge_versions (agent_id, version) select a.id, 1 from ${agents} a
    on conflict (agent_id) do update set version = knowledge_versions.version + 1`
}

/** Adds rows of every kind, without triggers, and tells the planner. */
export async function addRows(sql: postgres.Sql, count: Counts, among: Among): Promise<void> {
  await sql`set session_replication_role = replica`
  await addAccountsRows(sql, count, among)
  await addAssistantsRows(sql, count, among)
  await addAgentsRows(sql, count, among)
  await sql`delete from audit_counts`
  await sql`insert into audit_counts (slot, count) select 0, count(*) from audit_entries`
  await sql`set session_replication_role = default`
  await sql`vacuum analyze`
}
