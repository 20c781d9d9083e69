import { beforeEach, expect, test } from 'vitest'
import { outsideEdits } from '../../bench/drift/edits.ts'
import { untouched } from '../../bench/drift/untouched.ts'
import { createRandom } from '../support/voice-platform/random-assistant.ts'
import { createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

// The full sizes: bun run bench --only drift.

test('resources that nobody touches differ in no sweep', async () => {
  const world = { data: rig.data, outside: rig.outside, sweep: async () => void (await rig.sweep()) }
  expect(await untouched(world, 20, 3)).toBe(0)
})

test('what is changed outside between saves is a version, and the rest is seen in one sweep', async () => {
  const { between } = createRandom(7)
  const random = () => between(0, 1)
  let sweeps = 0
  const sweep = async () => {
    sweeps += 1
    await rig.sweep()
  }
  const world = { data: rig.data, outside: rig.outside, sweep }
  const seen = await outsideEdits(world, { assistants: 6, edits: 60, random, atOnce: 3 })
  expect(seen.lost).toEqual([])
  expect(seen).toMatchObject({ edits: 60, found: seen.open, kept: seen.met })
  expect(seen.open).toBeGreaterThan(5)
  expect(seen.met).toBeGreaterThan(5)
  expect(sweeps).toBe(1)
})
