import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig()
})
afterAll(() => rig.stop())

const createFailed = 'Failed to create assistant in Cloud. Please try again.'
const deleteFailed = 'Failed to delete the assistant from the voice platform. Please try again.'
const updateFailed = (detail: string) => `Failed to update assistant in Cloud: ${detail}`

const refusal = (status: number, body: unknown): Fault => ({ mode: 'status', status, body })

/**
 * What the platform does with every call, the detail that an update's error tells, and whether a delete is certainly
 * not made.
 */
const kinds: [string, Fault, string, boolean][] = [
  [
    'a refused field',
    refusal(400, { message: ['name must be polite'], error: 'Bad Request', statusCode: 400 }),
    'name must be polite',
    true,
  ],
  [
    'a broken rule',
    refusal(400, { message: 'Too many assistants.', error: 'Bad Request', statusCode: 400 }),
    'Too many assistants.',
    true,
  ],
  [
    'a wrong key',
    refusal(401, { message: 'Invalid Key.', error: 'Unauthorized', statusCode: 401 }),
    'The voice platform refused the configured API key.',
    true,
  ],
  [
    'a pinned assistant',
    refusal(409, { error: 'assistant_pinned', message: 'The assistant is pinned.', pinnedBy: ['x'] }),
    'The assistant is pinned.',
    true,
  ],
  [
    'too many requests',
    { ...refusal(429, { message: 'Slow down' }), headers: { 'retry-after': '0' } },
    'The voice platform is receiving too many requests.',
    true,
  ],
  ['a failure', refusal(500, { message: 'boom' }), 'The voice platform failed to answer (status 500).', true],
  ['an outage', refusal(503, 'down'), 'The voice platform failed to answer (status 503).', true],
  ['a page instead of JSON', refusal(200, '<html></html>'), 'The voice platform gave an unreadable answer.', false],
  ['a refused connection', { mode: 'refuse' }, 'The voice platform cannot be reached.', true],
  ['a lost connection', { mode: 'drop_before' }, 'The connection to the voice platform was lost.', false],
  ['no answer', { mode: 'timeout' }, 'The voice platform did not answer in time.', false],
]

async function afterwards(before: Awaited<ReturnType<MirrorRig['state']>>) {
  expect((await rig.state()).assistants, 'the local record is not changed').toEqual(before.assistants)
  rig.network.platform.faults.clear()
  expect(await rig.settle()).toEqual([])
}

describe.each(kinds)('%s', (_kind, fault, detail, isUndone) => {
  const fail = () => rig.network.platform.faults.add({ ...fault, times: 1_000 })

  test('fails a create', async () => {
    const before = await rig.state()
    fail()
    expect(await rig.send('POST', '/assistants', { name: 'New' })).toEqual({
      status: 500,
      body: { success: false, message: createFailed },
    })
    await afterwards(before)
    expect((await rig.state()).assistants).toEqual(before.assistants)
  })

  test('fails an update', async () => {
    const { path } = await rig.create('Before')
    const before = await rig.state()
    fail()
    expect(await rig.send('PUT', path, { name: 'After' })).toEqual({
      status: 500,
      body: { success: false, message: updateFailed(detail) },
    })
    await afterwards(before)
    expect((await rig.state()).assistants).toEqual(before.assistants)
  })

  test('fails a delete', async () => {
    const { path } = await rig.create('Stays')
    const before = await rig.state()
    fail()
    expect(await rig.send('DELETE', path)).toEqual({ status: 500, body: { success: false, message: deleteFailed } })
    await afterwards(before)
    // What nobody could tell is completed, what certainly was not done is not.
    const names = (await rig.state()).assistants.map(({ name }) => name)
    expect(names.includes('Stays')).toBe(isUndone)
    if (names.includes('Stays')) expect(await rig.send('DELETE', path)).toMatchObject({ status: 200 })
  })
})

describe('an open breaker', () => {
  test('fails every write without a call', async () => {
    const patient = await createMirrorRig({
      transport: { breaker: { threshold: 1, pauseMs: 60_000, maxPauseMs: 60_000 }, retries: 0 },
    })
    const { path } = await patient.create('Stays')
    const before = await patient.state()
    patient.network.platform.faults.add({ mode: 'refuse' })
    await patient.send('PUT', path, { name: 'Opens it' })
    const calls = patient.network.platform.requests.length
    expect(await patient.send('POST', '/assistants', { name: 'New' })).toEqual({
      status: 500,
      body: { success: false, message: createFailed },
    })
    expect(await patient.send('PUT', path, { name: 'After' })).toEqual({
      status: 500,
      body: { success: false, message: updateFailed('The voice platform is not answering at the moment.') },
    })
    expect(await patient.send('DELETE', path)).toEqual({ status: 500, body: { success: false, message: deleteFailed } })
    expect(patient.network.platform.requests).toHaveLength(calls)
    expect(await patient.state()).toEqual(before)
    expect(await patient.settle()).toEqual([])
    await patient.stop()
  })
})

describe('an assistant that the platform has lost', () => {
  const losing = async () => {
    const { path, ref } = await rig.create('Lost')
    const liveId = (await rig.state()).assistants.find((one) => one.ref === ref)?.liveId ?? ''
    await rig.app.services.platform.assistants.delete(liveId)
    return { path, ref }
  }

  test('cannot be updated, and says why; it can be deleted', async () => {
    const { path, ref } = await losing()
    const before = await rig.state()
    expect(await rig.send('PUT', path, { name: 'After' })).toEqual({
      status: 500,
      body: { success: false, message: updateFailed('The voice platform does not know this object.') },
    })
    expect(await rig.state()).toEqual(before)
    expect(await rig.send('DELETE', path)).toMatchObject({ status: 200 })
    expect((await rig.state()).assistants.map((one) => one.ref)).not.toContain(ref)
    expect(await rig.settle()).toEqual([])
  })
})
