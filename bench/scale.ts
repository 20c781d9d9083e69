import postgres from 'postgres'
import { workspaceCount } from './seed.ts'

/** How many assistants the large database has. */
export const total = 1_000_000

/**
 * Fills a copy of the seeded database up to a million assistants, evenly over its workspaces. The further rows are
 * copies of one template row with empty configurations, whose names come after the others, so the first page holds
 * the same records as before. Triggers are off meanwhile and plain indexes are built afterwards.
 */
export async function fillUp(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const indexes = await sql<{ name: string; definition: string }[]>`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
      where i.indrelid = 'assistants'::regclass and c.oid is null`
    for (const { name } of indexes) await sql`drop index ${sql(name)}`
    await sql`set session_replication_role = replica`
    await sql`
      insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id,
        workspace_id, metadata, config, live, public_key)
      select gen_random_uuid(), gen_random_uuid(), 'Late shift ' || n, t.type, u.id, u.id, t.reseller_id,
        w.id, '{}', '{}', '{}', 'pk_' || lpad(to_hex(n), 32, '0')
      from (select * from assistants order by id limit 1) t,
        (select id, row_number() over (order by id) - 1 as place from workspaces order by id limit ${workspaceCount}) w
        inner join users u on u.workspace_id = w.id,
        generate_series(1, (${total} - (select count(*) from assistants))::int) n
      where n % ${workspaceCount} = w.place`
    await sql`
      update assistant_counts c
      set count = case when slot = (select min(slot) from assistant_counts s where s.workspace_id = c.workspace_id)
        then (select count(*) from assistants a where a.workspace_id = c.workspace_id) else 0 end`
    await sql`set session_replication_role = default`
    await sql`set maintenance_work_mem = '256MB'`
    for (const { definition } of indexes) if (!definition.includes('gin_trgm_ops')) await sql.unsafe(definition)
    await sql`vacuum analyze assistants`
  } finally {
    await sql.end()
  }
}
