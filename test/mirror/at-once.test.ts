import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { type CutConnection, cutConnection } from '../support/cut-connection.ts'
import { freshDatabase } from '../support/database.ts'
import { createMirrorRig, createNetwork, type MirrorRig } from './rig.ts'

const network = createNetwork()
let database: DatabaseHandle
let connection: CutConnection
let rig: MirrorRig
beforeAll(async () => {
  database = await freshDatabase()
  connection = cutConnection(database)
  rig = await createMirrorRig({ network, database: connection.handle })
})
afterAll(async () => {
  await rig.stop()
  await database.close()
})

test('a create whose connection is lost is saved by nothing that arrives after it was looked for', async () => {
  connection.cut()
  const deletion = network.hold('DELETE')
  const create = rig.send('POST', '/assistants', { name: 'Cut off' })
  await deletion.sent
  connection.restore()
  expect(connection.underWay()).toBe(4)
  await expect(connection.arrive()).rejects.toMatchObject({ code: '22012' })
  await deletion.arrive()
  expect((await create).status).toBe(503)
  expect(await rig.settle()).toEqual([])
  expect(await rig.state()).toMatchObject({ assistants: [] })
})

test('a create whose response is lost after it was saved is what the database says', async () => {
  const hears = Promise.withResolvers<void>()
  connection.cut(hears.promise)
  const create = rig.send('POST', '/assistants', { name: 'Saved all the same' })
  await expect.poll(connection.underWay).toBe(4)
  await connection.arrive()
  connection.restore()
  hears.resolve()
  const { status, body } = await create
  expect([status, body]).toMatchObject([201, { data: { name: 'Saved all the same' } }])
  expect(await rig.settle()).toEqual([])
})
