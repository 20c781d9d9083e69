import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOnce } from '../../src/db/at-once.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { driverOf } from '../../src/db/driver.ts'
import { freshDatabase } from '../support/database.ts'
import { createMirrorRig, createNetwork, type MirrorRig } from './rig.ts'

interface Asked {
  statement: string
  params: unknown[]
}

/** What was sent at once by who lost the connection behind it, until it arrives. */
let underWay: Asked[] = []
let isCut = false
/** When the sender hears that the connection is lost. */
let heard: Promise<void> = Promise.resolve()

const lost = () => Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })

/** The same database over a connection that is lost, while `isCut`, right after something was sent at once. */
function overCutConnection({ sql, ...handle }: DatabaseHandle): DatabaseHandle {
  const cut = () => ({
    options: { parsers: {}, serializers: {} },
    unsafe(statement: string, params: unknown[]) {
      underWay.push({ statement, params })
      const failed = heard.then(() => Promise.reject(lost()))
      return Object.assign(failed, { values: () => failed })
    },
    expect() {},
    fail() {},
  })
  const real = (sql as unknown as { gather(): unknown }).gather
  const proxy = new Proxy(sql, {
    get: (target, name, receiver) =>
      name === 'gather' ? () => (isCut ? cut() : real()) : Reflect.get(target, name, receiver),
  })
  return { ...handle, sql, db: drizzle(proxy) }
}

const network = createNetwork()
let database: DatabaseHandle
let rig: MirrorRig
beforeAll(async () => {
  database = await freshDatabase()
  rig = await createMirrorRig({ network, database: overCutConnection(database) })
})
afterAll(async () => {
  await rig.stop()
  await database.close()
})

/** What was under way arrives and is run. */
const arrive = () =>
  atOnce(database.db, (executor) =>
    underWay.map(async ({ statement, params }) => [
      ...(await (driverOf(executor) as Sql).unsafe(statement, params as never[]).execute()),
    ]),
  )

test('a create whose connection is lost is saved by nothing that arrives after it was looked for', async () => {
  isCut = true
  const deletion = network.hold('DELETE')
  const create = rig.send('POST', '/assistants', { name: 'Cut off' })
  await deletion.sent
  isCut = false
  expect(underWay).toHaveLength(4)
  await expect(arrive()).rejects.toMatchObject({ code: '22012' })
  await deletion.arrive()
  expect((await create).status).toBe(503)
  expect(await rig.settle()).toEqual([])
  expect(await rig.state()).toMatchObject({ assistants: [] })
})

test('a create whose response is lost after it was saved is what the database says', async () => {
  underWay = []
  isCut = true
  const hears = Promise.withResolvers<void>()
  heard = hears.promise
  const create = rig.send('POST', '/assistants', { name: 'Saved all the same' })
  await expect.poll(() => underWay.length).toBe(4)
  await arrive()
  isCut = false
  hears.resolve()
  const { status, body } = await create
  expect([status, body]).toMatchObject([201, { data: { name: 'Saved all the same' } }])
  expect(await rig.settle()).toEqual([])
})
