import type { DatabaseHandle } from '../../src/db/client.ts'
import { type Call, getCalls } from '../requests.ts'
import type { Tenant } from '../seed.ts'

/** Calls of each assistant, and seconds from one to the next. */
interface Calls {
  count: number
  everySeconds: number
}

const callsOfEach: Calls = { count: 50, everySeconds: 180 }

/** Adds calls of assistants on the embedded voice platform, the last of them now. */
export async function insertCalls(
  sql: DatabaseHandle['sql'],
  assistantIds: readonly string[],
  { count, everySeconds }: Calls,
): Promise<void> {
  await sql`
    with calls as materialized (
      select gen_random_uuid() as id, a.voice_assistant_id, now() - n * ${everySeconds}::float * interval '1 second' as at
      from assistants a, generate_series(1, ${count}::int) n where a.assistant_id = any(${assistantIds}::uuid[])),
      objects as (
        insert into platform_objects (id, kind, body, created_at, updated_at)
        select id, 'call', jsonb_build_object('id', id, 'type', 'webCall', 'status', 'ended',
          'assistantId', voice_assistant_id, 'createdAt', at, 'updatedAt', at, 'cost', 0.1), at, at
        from calls)
    insert into platform_calls (id, assistant_id, created_at, direction, ended, seconds, ended_reason, cost, transport,
      transcriber, model, voice, platform, other)
    select id, voice_assistant_id, at, 'web', true, 60, 'customer-ended-call', 0.1, 0, 0, 0.1, 0, 0, 0 from calls`
}

/** Gives some assistants calls on the embedded voice platform; returns requests of their statistics. */
export async function addCalls(sql: DatabaseHandle['sql'], tenants: readonly Tenant[]): Promise<Call[]> {
  const reads = getCalls(tenants)
  const ids = reads.flatMap(({ path }) => path.split('/').at(-1) ?? [])
  await insertCalls(sql, ids, callsOfEach)
  return reads.map((read) => ({ ...read, path: `${read.path}/stats`, procedure: 'stats.get' }))
}
