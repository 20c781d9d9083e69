import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { preparedInsert, preparedStatement } from '../../src/db/prepared/statement.ts'
import { resellers } from '../../src/resources/resellers/table.ts'
import { workspaces } from '../../src/resources/workspaces/table.ts'
import { testDatabase } from '../support/database.ts'

const insertReseller = preparedInsert(resellers)
const insertWorkspace = preparedInsert(workspaces)
const renameReseller = preparedStatement((executor) =>
  executor
    .update(resellers)
    .set({ name: sql`${sql.placeholder('name')}` })
    .where(eq(resellers.id, sql.placeholder('id')))
    .returning({ id: resellers.id }),
)

const nameOf = async (id: number) => {
  const { db } = await testDatabase()
  const [row] = await db.select().from(resellers).where(eq(resellers.id, id))
  return row?.name
}

test('statements take part in the transaction that they are run in', async () => {
  const { db } = await testDatabase()
  const id = await insertReseller(db, { name: 'before' })
  let inner = 0
  const failing = db.transaction(async (tx) => {
    inner = await insertReseller(tx, { name: 'never' })
    await renameReseller(tx, { id, name: 'never' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect([await nameOf(id), await nameOf(inner)]).toEqual(['before', undefined])

  await db.transaction(async (tx) => {
    expect(await renameReseller(tx, { id, name: 'after' })).toMatchObject([{ id }])
    expect(await renameReseller(tx, { id: -1, name: 'x' })).toHaveLength(0)
  })
  expect(await nameOf(id)).toBe('after')
})

test('an insert writes what it is given, and leaves the other columns to their defaults', async () => {
  const { db } = await testDatabase()
  const resellerId = await insertReseller(db, { name: 'of workspaces' })
  const createdAt = new Date('2026-01-02T03:04:05.678Z')
  const plain = await insertWorkspace(db, { uuid: crypto.randomUUID(), resellerId, name: 'a', ownerId: null })
  const full = await insertWorkspace(db, {
    uuid: crypto.randomUUID(),
    resellerId,
    name: 'b',
    billing: 'usd',
    ownerId: 7,
    createdAt,
  })
  const rows = await db.select().from(workspaces).where(eq(workspaces.resellerId, resellerId)).orderBy(workspaces.id)
  expect(rows).toMatchObject([
    { id: plain, name: 'a', billing: 'none', ownerId: null },
    { id: full, name: 'b', billing: 'usd', ownerId: 7, createdAt },
  ])
})
