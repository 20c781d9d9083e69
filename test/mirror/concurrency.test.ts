import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { liveWrites } from '../../src/voice-platform/mirror/journal/table.ts'
import { onServer } from '../support/database.ts'
import { asAnotherProcess, createMirrorRig, createNetwork, type MirrorRig } from './rig.ts'

let rig: MirrorRig
let other: MirrorRig
const network = createNetwork()
const atWork = new Map<string, number>()
let interleaved = 0

beforeAll(async () => {
  const { fetch } = network
  network.fetch = async (input, init) => {
    const path = new URL(String(input)).pathname
    const method = init?.method
    if (method !== 'PATCH' && method !== 'DELETE') return fetch(input, init)
    const others = atWork.get(path) ?? 0
    if (others > 0) interleaved += 1
    atWork.set(path, others + 1)
    await Bun.sleep(1)
    return fetch(input, init).finally(() => atWork.set(path, (atWork.get(path) ?? 1) - 1))
  }
  rig = await createMirrorRig({ network, transport: { timeoutMs: 20_000 } })
  other = await createMirrorRig({
    network,
    database: asAnotherProcess(rig.database),
    transport: { timeoutMs: 20_000 },
  })
})
beforeEach(() => {
  interleaved = 0
})
afterAll(async () => {
  await other.stop()
  await rig.stop()
})

const found = async (ref: string) => (await rig.state()).assistants.find((one) => one.ref === ref)

test('of 50 updates at once every one is saved, one after the other', async () => {
  const { path, ref } = await rig.create('Start')
  const names = Array.from({ length: 50 }, (_, index) => `Name ${index}`)
  const answers = await Promise.all(names.map((name) => rig.send('PUT', path, { name })))
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
  expect(interleaved).toBe(0)
  expect(await rig.settle()).toEqual([])
  const { name = '', versions } = (await found(ref)) ?? {}
  expect(names).toContain(name)
  expect(versions).toBe(51)
})

test('updates that change nothing add nothing to the history', async () => {
  const { path, ref } = await rig.create('Same')
  const answers = await Promise.all(Array.from({ length: 10 }, () => rig.send('PUT', path, { name: 'Same' })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await found(ref))?.versions).toBe(1)
})

test('two instances on one database never interleave', async () => {
  const { path, ref } = await rig.create('Shared')
  const names = Array.from({ length: 20 }, (_, index) => `Shared ${index}`)
  const answers = await Promise.all(
    names.map((name, index) => (index % 2 ? rig : other).app.send('PUT', path, { token: rig.token, body: { name } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
  expect(interleaved).toBe(0)
  expect(await rig.settle()).toEqual([])
  expect((await found(ref))?.versions).toBe(21)
})

test('an update and a delete at once end on both sides alike', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { path } = await rig.create(`Torn ${round}`)
    const token = rig.token
    const [updated, deleted] = await Promise.all([
      rig.app.send('PUT', path, { token, body: { name: `Torn ${round} on` } }),
      other.app.send('DELETE', path, { token }),
    ])
    expect([200, 404]).toContain(updated.status)
    expect(deleted.status).toBe(200)
    expect(await rig.settle()).toEqual([])
  }
  expect((await rig.state()).assistants.filter(({ name }) => name.startsWith('Torn'))).toEqual([])
})

test('a writer whose turn does not come is told so', async () => {
  const impatient = await createMirrorRig({
    network,
    database: asAnotherProcess(rig.database),
    mirrorTimes: { leaseMs: 15_000, waitMs: 100, graceMs: 60_000, pauseMs: 50 },
  })
  const { path, ref } = await rig.create('Busy')
  const held = network.hold('PATCH')
  const first = rig.send('PUT', path, { name: 'First' })
  await held.sent
  const late = await impatient.app.send('PUT', path, { token: rig.token, body: { name: 'Second' } })
  expect(late.status).toBe(409)
  expect(await late.json()).toEqual({
    success: false,
    message: 'Other changes of this assistant are still under way. Please try again.',
  })
  await held.arrive()
  expect((await first).status).toBe(200)
  expect((await found(ref))?.name).toBe('First')
  expect(await rig.settle()).toEqual([])
  await impatient.stop()
})

/** What another process sees when this one was paused for longer than its lease. */
const leasesRunOut = () => rig.database.db.update(liveWrites).set({ dueAt: sql`now() - interval '1 second'` })

test.each([
  ['while the taker is watched', false],
  ['when the journal is long empty', true],
])(
  'a paused update whose row was taken over is not saved, and the remote object ends as recorded: %s',
  async (_when, empty) => {
    const { path, ref } = await rig.create('Before')
    const held = network.hold('PATCH')
    const paused = rig.send('PUT', path, { name: 'Paused' })
    await held.sent
    await leasesRunOut()
    const answer = await other.app.send('PUT', path, { token: rig.token, body: { name: 'Taken over' } })
    expect(answer.status).toBe(200)
    if (empty) expect(await other.settle()).toEqual([])
    await held.arrive()
    expect((await paused).status).toBe(409)
    expect(await rig.settle()).toEqual([])
    expect((await found(ref))?.name).toBe('Taken over')
  },
)

test('a create of a paused process whose row was taken over leaves nothing', async () => {
  const before = await rig.state()
  const held = network.hold('POST')
  const paused = rig.send('POST', '/assistants', { name: 'Paused' })
  await held.sent
  await leasesRunOut()
  await other.settle()
  await held.arrive()
  expect((await paused).status).toBe(409)
  expect(await rig.settle()).toEqual([])
  expect(await rig.state()).toEqual(before)
})

test('a delete of a paused process whose row was taken over is done once', async () => {
  const { path, ref } = await rig.create('Goes')
  const held = network.hold('DELETE')
  const paused = rig.send('DELETE', path)
  await held.sent
  await leasesRunOut()
  expect(await other.settle()).toEqual([])
  await held.arrive()
  await paused
  expect(await rig.settle()).toEqual([])
  expect(await found(ref)).toBeUndefined()
})

test('two instances with connections of their own never interleave', async ({ skip }) => {
  if (!onServer()) return skip('an embedded database has one process')
  const [row] = await rig.database.sql<{ name: string }[]>`select current_database() as name`
  const { host, port, user } = rig.database.sql.options
  const url = `postgres://${user}@${host[0]}:${port[0]}/${row?.name}`
  const database = await openDatabase({ url })
  const remote = await createMirrorRig({ network, database, transport: { timeoutMs: 20_000 } })
  const { path, ref } = await rig.create('Remote')
  const names = Array.from({ length: 20 }, (_, index) => `Remote ${index}`)
  const answers = await Promise.all(
    names.map((name, index) => (index % 2 ? rig : remote).app.send('PUT', path, { token: rig.token, body: { name } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
  expect(interleaved).toBe(0)
  expect(await rig.settle()).toEqual([])
  expect((await found(ref))?.versions).toBe(21)
  await remote.stop()
  await database.close()
})
