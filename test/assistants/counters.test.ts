import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { createTestDatabase, onServer } from '../support/database.ts'

describe.runIf(onServer())('two creates in one workspace', () => {
  let url: string
  let app: TestApp
  let user: TestUser
  const open: postgres.Sql[] = []

  beforeAll(async () => {
    const template = inject('databaseTemplate')
    url = await createTestDatabase(template.engine === 'server' ? template.database : undefined)
    app = await testApp({ database: await openDatabase({ url }) })
    user = await newUser(app.database)
  })
  afterAll(async () => {
    for (const sql of open) await sql.end()
    await app.database.close()
  })

  /** Connections that count in rows of their own. */
  async function twoConnections(): Promise<postgres.Sql[]> {
    const bySlot = new Map<number, postgres.Sql>()
    while (bySlot.size < 2) {
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      open.push(sql)
      const [row] = await sql<{ slot: number }[]>`select pg_backend_pid() % 8 as slot`
      bySlot.set(row?.slot ?? 0, sql)
    }
    return [...bySlot.values()]
  }

  const insert = (tx: postgres.TransactionSql, name: string) => tx`
    insert into assistants (assistant_id, voice_assistant_id, name, type, user_id, created_by, reseller_id, workspace_id,
      metadata, config, live, public_key)
    values (gen_random_uuid(), gen_random_uuid(), ${name}, 'voice', ${user.userId}, ${user.userId}, ${user.resellerId},
      ${user.workspaceId}, '{}', '{}', '{}', gen_random_uuid()::text)`

  test('do not wait for each other, and both are counted', async () => {
    const [first, second] = await twoConnections()
    if (!first || !second) throw new Error('There are not two connections')
    await first.begin(async (tx) => {
      await insert(tx, 'First')
      await second.begin(async (other) => {
        await other`set local lock_timeout = '20s'`
        await insert(other, 'Second')
      })
    })
    const counted = async () =>
      (await first`select sum(count)::int as total from assistant_counts where workspace_id = ${user.workspaceId}`)?.[0]
    expect(await counted()).toEqual({ total: 2 })
    await first.begin((tx) => tx`delete from assistants where name = 'Second'`)
    expect(await counted()).toEqual({ total: 1 })
  })
})
