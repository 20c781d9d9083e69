import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

const others = 2_000
let database: DatabaseHandle
let rig: DriftRig
const statements: [statement: string, parameters: readonly unknown[]][] = []

beforeAll(async () => {
  database = await newDatabase({
    onQuery: (statement, parameters) => {
      if (/^select .* from .*"drifts"/.test(statement)) statements.push([statement, parameters])
    },
  })
  rig = await createDriftRig({ database })
})
afterAll(() => rig.stop())

/** Differences at assistants and squads of somebody else. */
async function addOthers(userId: number): Promise<void> {
  await database.sql`
    insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id, workspace_id,
      metadata, config, live, public_key)
    select gen_random_uuid(), gen_random_uuid(), 'Desk', 'production', u.id, u.id, u.reseller_id, u.workspace_id, '{}', '{}',
      '{}', 'pk_' || n
    from users u, generate_series(1, ${others}::int) n where u.id = ${userId}`
  await database.sql`
    insert into squads (ref, external_squad_id, status, name, members, user_id, created_by, reseller_id, workspace_id)
    select gen_random_uuid(), gen_random_uuid()::text, 'published', 'Team', '[]', u.id, u.id, u.reseller_id, u.workspace_id
    from users u, generate_series(1, ${others}::int) n where u.id = ${userId}`
  await database.sql`
    insert into drifts (kind, ref, live_id, name, difference, leaves, digest)
    select 'assistant', assistant_id::text, voice_assistant_id::text, name, 'missing', '', '' from assistants
    where user_id = ${userId}
    union all
    select 'squad', ref::text, external_squad_id, name, 'missing', '', '' from squads where user_id = ${userId}`
  await database.sql`analyze`
}

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Relation Name'?: string
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

/** How many rows the nodes of a plan look at together. */
function lookedAt(plan: Plan): number {
  const { 'Actual Rows': kept, 'Actual Loops': loops, 'Rows Removed by Filter': filtered = 0 } = plan
  const { 'Rows Removed by Join Filter': unjoined = 0, Plans: below = [] } = plan
  return below.reduce((sum, one) => sum + lookedAt(one), (kept + filtered + unjoined) * loops)
}

test('a list of differences costs the same however many others have', async () => {
  const made = await rig.data<Body>('POST', '/assistants', { name: 'Front desk' })
  await rig.outside.assistants.update(String(made.voice_assistant_id), { firstMessage: 'Changed' })
  await rig.sweep()
  const { userId } = await newUser(database)
  await addOthers(userId)
  statements.length = 0
  const found = await rig.data<Body[]>('GET', '/drift')
  expect(found.map(({ resource }) => resource)).toEqual([made.assistant_id])
  const asked = statements.slice()
  expect(asked.length).toBeGreaterThan(1)
  for (const [statement, parameters] of asked) {
    const [row] = await database.sql.unsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
      `explain (analyze, format json) ${statement}`,
      [...parameters] as never[],
    )
    const plan = row?.['QUERY PLAN'][0].Plan
    expect(plan && lookedAt(plan), statement).toBeLessThan(200)
  }
})
