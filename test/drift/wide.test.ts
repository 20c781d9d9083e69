import { beforeEach, expect, test } from 'vitest'
import { cpuMsUntil } from '../support/cpu-time.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const plan = (count: number, value: number) => ({
  structuredDataPlan: {
    enabled: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, { type: `t${value}` }])),
    },
  },
})

test('what others changed at thousands of places is taken into the record as fast as at hundreds, place for place', async () => {
  const cost = async (count: number) => {
    const record = await rig.data<Body>('POST', '/assistants', { name: 'Ann' })
    const path = `/assistants/${record.assistant_id}/advanced`
    await rig.data('PUT', path, { name: 'Ann', analysisPlan: plan(count, 1) })
    await rig.outside.assistants.update(String(record.voice_assistant_id), { analysisPlan: plan(count, 2) } as object)
    const took = await cpuMsUntil(() => rig.data('PUT', path, { name: 'Ann', voicemailMessage: 'Later' }))
    expect(await rig.data('GET', path)).toMatchObject({ analysis_plan: plan(count, 2), voicemail_message: 'Later' })
    return took
  }
  const few = await cost(500)
  // Four times as many may cost eight times as much; the square would be sixteen.
  expect(await cost(2_000)).toBeLessThan(8 * few)
})
