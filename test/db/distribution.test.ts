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
    insert into spread values (name, false);
  end $$`

test('the statements keep the rules of Citus, and hold on this schema', async () => {
  const { sql } = handle
  await sql.unsafe(rules).simple()
  const [first] = plan.statements.filter((statement) => statement.includes('create_distributed_table'))
  await expect(sql.unsafe(String(first?.replace(/'\w+'/, "'ledger'")))).rejects.toThrow('has a unique key without')
  for (const statement of plan.statements) await sql.unsafe(statement)
  const ties = await sql`
    select conrelid::regclass::text as table, conname from pg_constraint
      left join spread one on one.name = conrelid::regclass::text
      left join spread other on other.name = confrelid::regclass::text
    where contype = 'f' and (one.name is null) <> (other.name is null) and other.everywhere is not true`
  expect([...ties]).toEqual([])
})

test('what can be spread as it is, is told, and of everything else what is in the way', async () => {
  expect(plan.distributed).toEqual(['assistant_counts', 'holds', 'wallets'])
  expect(plan.keys).toEqual(['holds (turn_id)'])
  expect(plan.staying.get('ledger')).toBe('ledger_payment_id_unique is unique among all workspaces')
  expect(plan.staying.get('webhook_deliveries')).toBe('its rows are claimed for all workspaces at once')
  expect(plan.staying.get('messages')).toBe('its rows do not say their workspace_id')
})
