import postgres from 'postgres'
import type { Tenant } from './requests.ts'
import { addRows, type Counts } from './rows.ts'

/** How much of each there is for a thousand assistants of other tenants. */
const perThousand: Counts & { users: number } = {
  ...{ users: 50, assistants: 1_000, agents: 500, chats: 500, messages: 5_000, deliveries: 1_000, calls: 500 },
  ...{ ledger: 2_000, files: 50, passages: 10, versions: 1_000, conversations: 500, squads: 100, numbers: 200 },
}

/** A tenant as most are. */
const light: Counts = {
  ...{ assistants: 200, agents: 20, chats: 20, messages: 100, deliveries: 100, calls: 50 },
  ...{ ledger: 100, files: 5, passages: 20, versions: 20, conversations: 20, squads: 20, numbers: 20 },
}

/** A tenant that has much, for each thousand assistants of the small database. */
const heavy: Counts = {
  ...{ assistants: 20_000, agents: 2_000, chats: 1_000, messages: 50_000, deliveries: 20_000, calls: 20_000 },
  ...{ ledger: 20_000, files: 50, passages: 1_000, versions: 200, conversations: 5_000, squads: 500, numbers: 500 },
}

const times = <T extends object>(counts: T, factor: number) =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, name === 'passages' ? count : count * factor]),
  ) as T

/** Adds other tenants to a database: so many thousand assistants with all that belongs to them, of fifty users each. */
export async function fillOthers(url: string, thousands: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const count = times(perThousand, thousands)
  try {
    await sql`
      with made as (
        insert into workspaces (uuid, reseller_id, name)
        select gen_random_uuid(), (select min(id) from resellers), 'Workspace ' || n
        from generate_series(1, ${count.users}::int) n returning id, reseller_id),
        owners as (
          insert into users (name, email, workspace_id, workspace_role, reseller_id, features, email_verified_at)
          select 'Owner ' || id, 'owner-' || id || '@example.com', id, 'owner', reseller_id, '{}', now() from made returning id)
      insert into tokens (user_id, name, prefix, hash) select id, 'A token', 'vk_', md5('other ' || id) from owners`
    const others = (table: string) => sql`(select * from ${sql(table)} where name like 'Other %')`
    await addRows(sql, count, {
      owners: sql`(select id, workspace_id, reseller_id from users where name like 'Owner %')`,
      assistants: others('assistants'),
      agents: others('agents'),
      chats: sql`(select * from chats where title = 'Other')`,
      name: 'Other',
    })
  } finally {
    await sql.end()
  }
}

/** Adds to what the measured tenant has. */
export async function fillTenant(url: string, tenant: Tenant, much: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const { userId, assistantId, agentId, chatId } = tenant
  try {
    await addRows(sql, much === 0 ? light : times(heavy, much), {
      owners: sql`(select id, workspace_id, reseller_id from users where id = ${userId})`,
      assistants: sql`(select * from assistants where assistant_id = ${assistantId})`,
      agents: sql`(select * from agents where agent_id = ${agentId})`,
      chats: sql`(select * from chats where id = ${chatId})`,
      name: 'Reception',
    })
  } finally {
    await sql.end()
  }
}
