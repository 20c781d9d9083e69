import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { nextNumber } from '../support/numbers/numbers.ts'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig()
})
afterAll(() => rig.stop())
beforeEach(() => rig.network.platform.faults.clear())

const data = async (status: number, method: string, path: string, body?: object) => {
  const answer = await rig.app.send(method, path, { token: rig.token, body })
  const read = await answer.json()
  expect(answer.status, JSON.stringify(read)).toBe(status)
  return read.data
}
const read = async (path: string) => (await rig.app.send('GET', path, { token: rig.token })).status

/** Makes one thing; its path, and what a delete that failed responds. */
const things: [kind: string, make: () => Promise<string>, status: number, message: string][] = [
  [
    'an assistant',
    async () => `/assistants/${(await data(201, 'POST', '/assistants', { name: 'Stays' })).assistant_id}`,
    500,
    'Failed to delete the assistant from the voice platform. Please try again.',
  ],
  [
    'an assistant, through v2',
    async () => `/v2/assistants/${(await data(201, 'POST', '/assistants', { name: 'Stays' })).assistant_id}`,
    500,
    'Failed to delete the assistant from the voice platform. Please try again.',
  ],
  [
    'a squad',
    async () => {
      const { assistant_id: assistantId } = await data(201, 'POST', '/assistants', { name: 'Member' })
      const draft = await data(201, 'POST', '/squads', { name: 'Team', members: [] })
      const body = { name: 'Team', members: [{ assistantId }] }
      return `/squads/${(await data(200, 'PUT', `/squads/${draft.external_squad_id}`, body)).external_squad_id}`
    },
    502,
    'Failed to delete the squad. Please try again.',
  ],
  [
    'a phone number',
    async () => {
      const bought = await data(201, 'POST', '/phone-numbers', { phone_number: nextNumber() })
      return `/phone-numbers/${bought.phone_number}`
    },
    502,
    'Failed to release the phone number. Please try again.',
  ],
]

/** Failures after which the platform still shows the object: nothing was done. */
const failures: [how: string, fault: Fault][] = [
  ['a failure', { mode: 'status', status: 500, body: { message: 'boom' } }],
  ['an outage', { mode: 'status', status: 503, body: 'down' }],
  ['a connection that is lost on the way', { mode: 'drop_before' }],
  ['a refusal', { mode: 'status', status: 400, body: { message: 'name must be polite', statusCode: 400 } }],
  ['a conflict', { mode: 'status', status: 409, body: { message: 'It is pinned.', pinnedBy: ['x'] } }],
  ['a wrong key', { mode: 'status', status: 401, body: { message: 'Invalid Key.' } }],
  ['too many requests', { mode: 'status', status: 429, body: {}, headers: { 'retry-after': '0' } }],
]

describe.each(things)('a delete of %s that did nothing', (_kind, make, status, message) => {
  test.each(failures)('because of %s is not done later, and can be tried again', async (_how, fault) => {
    const path = await make()
    rig.network.platform.faults.add({ ...fault, method: 'DELETE', times: 3 })
    expect(await rig.send('DELETE', path)).toEqual({ status, body: { success: false, message } })
    rig.network.platform.faults.clear()
    expect(await rig.settle()).toEqual([])
    expect(await read(path)).toBe(200)
    expect(await rig.send('DELETE', path)).toMatchObject({ status: 200 })
    expect(await read(path)).toBe(404)
    expect(await rig.settle()).toEqual([])
  })

  test.each([500, 503])('because everything is answered with %i is not done later either', async (answered) => {
    const path = await make()
    rig.network.platform.faults.add({ mode: 'status', status: answered, body: 'down', times: 1_000 })
    expect(await rig.send('DELETE', path)).toEqual({ status, body: { success: false, message } })
    rig.network.platform.faults.clear()
    expect(await rig.settle()).toEqual([])
    expect(await read(path)).toBe(200)
    expect(await rig.send('DELETE', path)).toMatchObject({ status: 200 })
    expect(await rig.settle()).toEqual([])
  })
})
