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

test('what others changed below a long key is taken into the record, and set back, as fast as below a short one', async () => {
  const cost = async (length: number) => {
    const below = (value: number) => ({
      smartEndpointingPlan: {
        provider: 'livekit',
        ['k'.repeat(length)]: Object.fromEntries(Array.from({ length: 15_000 }, (_, key) => [`a${key}`, value])),
      },
    })
    const record = await rig.data<Body>('POST', '/assistants', { name: 'Ann' })
    const path = `/assistants/${record.assistant_id}`
    const live = String(record.voice_assistant_id)
    const change = (value: number) => rig.outside.assistants.update(live, { startSpeakingPlan: below(value) } as object)
    await change(1)
    await rig.data('PUT', path, { name: 'Ann' })
    const [theirs] = await rig.data<Body[]>('GET', `${path}/update-log`)
    await rig.data('PUT', path, { name: 'Bob' })
    await change(2)
    return cpuMsUntil(async () => {
      await rig.data('PUT', path, { name: 'Ann', voicemailMessage: 'Later' })
      await rig.data('POST', `${path}/update-log/${theirs?.id}/restore`)
      expect(await rig.outside.assistants.get(live)).toMatchObject({ startSpeakingPlan: below(1) })
    })
  }
  const short = await cost(10)
  expect(await cost(200_000)).toBeLessThan(1.8 * short)
})
