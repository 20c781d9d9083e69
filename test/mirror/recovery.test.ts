import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sealIntent } from '../../src/voice-platform/mirror/agreement/intents.ts'
import { liveWrites } from '../../src/voice-platform/mirror/journal/table.ts'
import { asAnotherProcess, createMirrorRig, createNetwork, type MirrorRig, times } from './rig.ts'

const network = createNetwork()
let rig: MirrorRig
let others: MirrorRig[]
let patient: MirrorRig

beforeAll(async () => {
  rig = await createMirrorRig({ network })
  others = await Promise.all([1, 2].map(() => createMirrorRig({ network, database: asAnotherProcess(rig.database) })))
  const mirrorTimes = { ...times, pauseMs: 60_000 }
  patient = await createMirrorRig({ network, database: asAnotherProcess(rig.database), mirrorTimes })
})
afterAll(async () => {
  for (const one of [patient, ...others, rig]) await one.stop()
})
beforeEach(() => network.platform.faults.clear())

/** Rows as crashed processes leave them, long ago. */
const left = (rows: { ref: string; action: 'create' | 'update' | 'delete'; kind?: string; intents?: string[] }[]) =>
  rig.database.db.insert(liveWrites).values(
    rows.map(({ ref, action, kind = 'assistant', intents = [] }) => ({
      id: crypto.randomUUID(),
      owner: crypto.randomUUID(),
      kind,
      ref,
      action,
      intents,
      createSent: action === 'create',
      deleteSent: action === 'delete',
      createdAt: new Date(Date.now() - 120_000),
      dueAt: new Date(Date.now() - 60_000),
    })),
  )

const orphan = (ref: string) =>
  rig.app.services.platform.assistants.create({ name: 'Orphan', metadata: { external_ref: ref } })

const writes = () => network.platform.requests.filter(({ method }) => method !== 'GET').length

test('instances that sweep at once do each row once', async () => {
  const refs = Array.from({ length: 12 }, () => crypto.randomUUID())
  for (const ref of refs) await orphan(ref)
  const kept = await rig.create('Kept')
  const gone = await rig.create('Gone')
  await left(refs.map((ref) => ({ ref, action: 'create' as const })))
  await left([
    { ref: kept.ref, action: 'update' },
    { ref: gone.ref, action: 'delete' },
  ])
  const before = writes()
  await Promise.all([rig, ...others].map((one) => one.app.services.mirror.work.run()))
  expect(await rig.settle()).toEqual([])
  expect(writes() - before).toBe(13)
  expect((await rig.state()).assistants.map(({ name }) => name)).toEqual(['Kept'])
})

test('what was recovered stays so when it is recovered again', async () => {
  const { ref } = await rig.create('Again')
  for (const action of ['update', 'create', 'update'] as const) {
    await left([{ ref, action }])
    expect(await rig.settle()).toEqual([])
  }
  await left([{ ref, action: 'delete' }])
  expect(await rig.settle()).toEqual([])
  await left([{ ref, action: 'delete' }])
  expect(await rig.settle()).toEqual([])
  expect((await rig.state()).assistants.map((one) => one.ref)).not.toContain(ref)
})

test('a row of an unknown kind is kept, says why, and blocks no other', async () => {
  const ref = crypto.randomUUID()
  await orphan(ref)
  await left([{ ref: 'future-1', action: 'update', kind: 'future' }])
  await left([{ ref, action: 'create' }])
  try {
    // With a pause that no run lasts for: a row that stays would keep every other test waiting, too.
    await patient.app.services.mirror.work.run()
    expect((await rig.state()).journal).toMatchObject([
      { ref: 'future-1', attempts: 1, lastError: 'No remote object of kind future' },
    ])
  } finally {
    await rig.database.db.delete(liveWrites)
  }
})

test('a dead platform is asked again with longer and longer pauses, until it is back', async () => {
  const ref = crypto.randomUUID()
  await orphan(ref)
  network.platform.faults.add({ mode: 'refuse', times: 10_000 })
  await left([{ ref, action: 'create' }])
  for (let attempts = 1; attempts <= 4; attempts += 1) {
    const [start] = await rig.database.sql<{ at: number }[]>`select extract(epoch from now())::float8 * 1000 as at`
    while (((await rig.state()).journal[0]?.attempts ?? 0) < attempts) await rig.app.services.mirror.work.run()
    const [row] = await rig.database.sql<{ due: number }[]>`
      select extract(epoch from due_at)::float8 * 1000 as due from live_writes`
    // Moments are kept in whole milliseconds.
    expect((row?.due ?? 0) - (start?.at ?? 0)).toBeGreaterThanOrEqual(times.pauseMs * 2 ** (attempts - 1) - 1)
  }
  expect((await rig.state()).journal).toMatchObject([
    { attempts: 4, lastError: 'The voice platform cannot be reached.' },
  ])
  network.platform.faults.clear()
  expect(await rig.settle()).toEqual([])
})

test('a writer does not wait for the pause of what was left: it supersedes or fails at once', async () => {
  const { path } = await rig.create('Before')
  // Each save looks at the live object once before it writes; whoever looks afterwards sees nothing.
  const oneLook = () =>
    network.platform.faults.add(
      { mode: 'delay', ms: 0, method: 'GET' },
      { mode: 'refuse', method: 'GET', times: 10_000 },
    )
  oneLook()
  network.platform.faults.add({ mode: 'drop_before', method: 'PATCH', times: 3 })
  expect(await rig.send('PUT', path, { name: 'Lost' })).toMatchObject({ status: 500 })
  network.platform.faults.clear()
  oneLook()
  expect(await rig.send('PUT', path, { name: 'Next' })).toMatchObject({ status: 200 })

  network.platform.faults.add({ mode: 'drop_before', method: 'DELETE', times: 10_000 })
  expect(await rig.send('DELETE', path)).toMatchObject({ status: 500 })
  expect(await rig.send('PUT', path, { name: 'Too late' })).toMatchObject({ status: 500 })
  network.platform.faults.clear()
  expect(await rig.send('DELETE', path)).toMatchObject({ status: 200 })
  expect(await rig.settle()).toEqual([])
})

test('a delete that the platform refuses when it is recovered leaves both sides', async () => {
  const { ref } = await rig.create('Pinned')
  network.platform.faults.add({
    method: 'DELETE',
    mode: 'status',
    status: 409,
    body: { error: 'assistant_pinned', message: 'The assistant is pinned.' },
    times: 10,
  })
  await left([{ ref, action: 'delete' }])
  expect(await rig.settle()).toEqual([])
  expect((await rig.state()).assistants.map((one) => one.ref)).toContain(ref)
})

test('a write that the platform refuses while an earlier one is unfinished leaves the remote object as recorded', async () => {
  const { path, ref } = await rig.create('Recorded')
  const { liveId = '' } = (await rig.state()).assistants.find((one) => one.ref === ref) ?? {}
  const sent = await rig.app.services.platform.assistants.update(liveId, { name: 'Unfinished' })
  await left([{ ref, action: 'update', intents: [sealIntent(rig.app.services.vault, { sent })] }])
  network.platform.faults.add({ method: 'PATCH', mode: 'status', status: 400, body: { message: 'no' } })
  expect(await rig.send('PUT', path, { name: 'Refused' })).toMatchObject({ status: 500 })
  expect(await rig.settle()).toEqual([])
  expect((await rig.state()).assistants.find((one) => one.ref === ref)?.name).toBe('Recorded')
})

test('it stops promptly while the platform hangs, and the next start goes on', async () => {
  const slow = await createMirrorRig({
    network,
    database: asAnotherProcess(rig.database),
    transport: { timeoutMs: 20_000 },
  })
  const { path, ref } = await rig.create('Hanging')
  const orphaned = crypto.randomUUID()
  await orphan(orphaned)
  await left([{ ref: orphaned, action: 'create' }])
  network.platform.faults.add({ mode: 'timeout', times: 10_000 })
  const write = slow.app.send('PUT', path, { token: rig.token, body: { name: 'Unheard' } })
  void slow.app.services.mirror.work.run()
  const waiting = slow.app.send('PUT', path, { token: rig.token, body: { name: 'Waiting' } })
  while (network.platform.requests.filter(({ method }) => method !== 'POST').length === 0) await Bun.sleep(5)
  await Bun.sleep(50)
  await slow.stop()
  expect((await write).status).toBe(500)
  expect((await waiting).status).toBe(500)
  network.platform.faults.clear()
  expect(await rig.settle()).toEqual([])
  expect((await rig.state()).assistants.find((one) => one.ref === ref)?.name).toBe('Hanging')
}, 15_000)

test('a change of which the platform is not told leaves the remote object of an unfinished write to be looked at', async () => {
  const { path, ref } = await rig.create('Recorded')
  const { assistants } = rig.app.services.platform
  const liveId = (await rig.state()).assistants.find((one) => one.ref === ref)?.liveId ?? ''
  await assistants.update(liveId, { name: 'Of a killed process' })
  await left([{ ref, action: 'update' }])
  expect(await rig.send('PUT', `${path}/embed`, { embed_config: { title: 'Chat' } })).toMatchObject({ status: 200 })
  expect(await rig.settle()).toEqual([])
})
