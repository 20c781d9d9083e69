import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Plan, planOf } from '../../scripts/distribution/plan.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { freshDatabase } from '../support/database.ts'

let handle: DatabaseHandle
let plan: Plan
beforeAll(async () => {
  handle = await freshDatabase()
  plan = await planOf(handle.sql)
})
afterAll(() => handle.close())

/** Functions of Citus's names that keep its rules and move nothing. */
const rules = `
  create table spread (name text primary key, everywhere boolean);
  create function create_reference_table(name text) returns void language sql as
    'insert into spread values (name, true)';
  create function create_distributed_table(name text, key text, colocate_with text default null) returns void
  language plpgsql as $$
  declare
    broken text;
  begin
    select indexrelid::regclass::text into broken from pg_index where indrelid = name::regclass and indisunique
      and not exists (select 1 from pg_attribute where attrelid = indrelid and attname = key and attnum = any(indkey));
    if broken is not null then
      raise exception '% has a unique key without %: %', name, key, broken;
    end if;
    if current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on'
        and exists (select 1 from pg_trigger where tgrelid = name::regclass and not tgisinternal) then
      raise exception '% has triggers', name;
    end if;
    insert into spread values (name, false);
  end $$`

test('the statements keep the rules of Citus, and hold on this schema', async () => {
  await handle.sql
    .begin(async (sql) => {
      await sql.unsafe(rules).simple()
      const [first] = plan.statements.filter((statement) => statement.includes('create_distributed_table'))
      await expect(
        sql.savepoint((within) => within.unsafe(String(first?.replace(/'\w+'/, "'ledger'")))),
      ).rejects.toThrow('has a unique key without')
      for (const statement of plan.statements) await sql.unsafe(statement)
      // Between two that are spread both sides have the key, and nobody follows a change of it; else one is on every
      // server.
      const ties = await sql`
      select conrelid::regclass::text as table, conname from pg_constraint
        left join spread one on one.name = conrelid::regclass::text
        left join spread other on other.name = confrelid::regclass::text
        cross join lateral (select exists (select 1 from unnest(conkey, confkey) as pair (mine, theirs)
          join pg_attribute m on m.attrelid = conrelid and m.attnum = mine and m.attname = 'workspace_id'
          join pg_attribute t on t.attrelid = confrelid and t.attnum = theirs and t.attname = 'workspace_id') as keyed) k
      where contype = 'f' and not case
        when one.everywhere then other.everywhere is true
        when one.name is null then other.name is null or other.everywhere
        when other.everywhere then not (keyed and confupdtype = 'c')
        else other.name is not null and keyed and confupdtype <> 'c' end`
      expect([...ties]).toEqual([])
      const rows = await sql<{ name: string }[]>`select name from spread where not everywhere order by 1`
      expect(rows.map(({ name }) => name)).toEqual(plan.distributed)
      await sql`drop table spread`
      throw new Error('nothing of it stays')
    })
    .catch((error: Error) => expect(error.message).toBe('nothing of it stays'))
})

test('what can be spread is told, and of everything else what is in the way', async () => {
  expect(plan.distributed).toEqual([
    'agent_connectors',
    'agent_shares',
    'agents',
    'assistant_counts',
    'assistant_versions',
    'assistants',
    'budget_holds',
    'budgets',
    'chats',
    'conversation_messages',
    'conversations',
    'holds',
    'knowledge_chunks',
    'knowledge_files',
    'knowledge_versions',
    'messages',
    'squad_assistants',
    'squads',
    'wallets',
  ])
  expect(plan.keys.get('messages (id)')).toBe('id comes from one sequence')
  expect(plan.keys.get('messages (turn_id)')).toBe('turn_id is random')
  expect(plan.keys.get('agent_shares (agent_id, user_id)')).toBe('what agent_id names is of one workspace')
  expect(plan.dropped).toEqual([
    'phone_numbers: phone_numbers_assistant_id_assistants_id_fk',
    'phone_numbers: phone_numbers_squad_id_squads_id_fk',
    'squad_assistants: squad_assistants_assistant_id_assistants_id_fk',
  ])
  expect(plan.staying.get('ledger')).toBe('ledger_payment_id_unique is unique among all workspaces')
  expect(plan.staying.get('webhook_deliveries')).toBe('its rows are claimed for all workspaces at once')
  expect(plan.staying.get('audit_entries')).toBe('its rows learn their workspace only as they are inserted')
  expect(plan.staying.get('drifts')).toBe('its rows do not say their workspace_id')
})
