import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { newDatabase } from '../support/database.ts'
import { orderTool } from './order-tool.ts'

const others = 1_200
let database: DatabaseHandle
let rig: DriftRig
const searches: [statement: string, parameters: readonly unknown[]][] = []
const statements: string[] = []

beforeAll(async () => {
  database = await newDatabase({
    onQuery: (statement, parameters) => {
      statements.push(statement)
      if (/^select .* from "assistants" .*strpos/.test(statement)) searches.push([statement, parameters])
    },
  })
  rig = await createDriftRig({ database })
})
afterAll(() => rig.stop())

/** Assistants of somebody that name nothing. */
const addOthers = () => database.sql`
  insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id, workspace_id,
    metadata, config, live, public_key)
  select gen_random_uuid(), gen_random_uuid(), 'Desk', 'production', u.id, u.id, u.reseller_id, u.workspace_id, '{}', '{}',
    '{}', 'pk_' || n
  from users u, generate_series(1, ${others}::int) n where u.id = ${rig.user.userId}`

/** How many rows the largest of the scans in a plan looks at. */
function scanned(plan: readonly string[]): number {
  const counts = plan.flatMap((line) => /Rows Removed by Filter: (\d+)/.exec(line)?.[1] ?? [])
  return Math.max(0, ...counts.map(Number))
}

test('what names a tool that is made again follows, found among few assistants at a time', async () => {
  const token = await rig.operator()
  const { id } = await rig.data('POST', '/admin/tools', orderTool, token)
  const make = (name: string) => rig.data('POST', '/assistants', { name, model: { toolIds: [id] } })
  const first = await make('First')
  await addOthers()
  const last = await make('Last')
  await rig.outside.tools.delete(String(id))
  searches.length = 0
  const saved = await rig.data<Body>('PUT', `/admin/tools/${id}`, { ...orderTool, description: 'Looks it up.' }, token)
  expect(saved.id).not.toBe(id)
  for (const { assistant_id: one } of [first, last]) {
    expect(await rig.data('GET', `/assistants/${one}`)).toMatchObject({ model: { toolIds: [saved.id] } })
  }
  const sizes: number[] = []
  for (const [statement, parameters] of searches.slice()) {
    const rows = await database.sql.unsafe(`explain (analyze, timing off) ${statement}`, [...parameters] as never[])
    sizes.push(scanned(rows.map((row) => String(row['QUERY PLAN']))))
  }
  expect(sizes.length).toBeGreaterThan(0)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
})

test('many that name it follow some at a time, and are told in the background', async () => {
  const token = await rig.operator()
  const { id } = await rig.data('POST', '/admin/tools', { ...orderTool, label: 'another_order' }, token)
  const first = await rig.data('POST', '/assistants', { name: 'First', model: { toolIds: [id] } })
  const alike = 150
  await database.sql`
    insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id, workspace_id,
      metadata, config, live, public_key)
    select gen_random_uuid(), gen_random_uuid(), name, type, user_id, created_by, reseller_id, workspace_id, metadata, config,
      live, 'pk_alike_' || n
    from assistants, generate_series(1, ${alike}::int) n where assistant_id = ${String(first.assistant_id)}`
  await rig.outside.tools.delete(String(id))
  statements.length = 0
  const saved = await rig.data<Body>('PUT', `/admin/tools/${id}`, { ...orderTool, description: 'Looks.' }, token)
  const sent = statements.slice()
  const [found] = await database.sql`
    select count(*)::int as named, count(w.id)::int as marked
    from assistants a left join live_writes w on w.kind = 'assistant' and w.ref = a.assistant_id::text
    where a.live #>> '{model,toolIds,0}' = ${String(saved.id)}`
  expect(found).toEqual({ named: alike + 1, marked: alike + 1 })
  expect(sent.filter((statement) => !statement.startsWith('update "assistants"')).length).toBeLessThan(alike)
})
