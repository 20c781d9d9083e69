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

test.each(['a save', 'theirs', 'merge'])(
  'more metadata than a record may have stays on the platform, after %s too',
  async (how) => {
    const record = await rig.data<Body>('POST', '/assistants', { name: 'Ann', metadata: { company_name: 'Acme' } })
    const [path, live] = [`/assistants/${record.assistant_id}`, String(record.voice_assistant_id)]
    const metadata = Object.fromEntries(Array.from({ length: 5_000 }, (_, key) => [`k${key}`, 'x'.repeat(150)]))
    await rig.outside.assistants.update(live, { metadata } as object)
    if (how !== 'a save') await rig.data('POST', `${path}/reconcile`, { keep: how })
    for (const name of ['Bea', 'Cleo']) await rig.data('PUT', path, { name })
    expect(await rig.outside.assistants.get(live)).toMatchObject({ name: 'Cleo', metadata })
    expect(await rig.sweep()).toEqual([])
  },
)

test('an object with more metadata than a record may have is imported, and saved', async () => {
  const metadata = { large: 'x'.repeat(500_000) }
  const { id } = await rig.outside.assistants.create({ name: 'Large', metadata } as object)
  const operator = await rig.operator()
  await rig.data('POST', '/imports', { ids: [id] }, operator)
  await rig.app.services.adoptions.work.run()
  const [record] = await rig.data<Body[]>('GET', '/assistants', undefined, operator)
  await rig.data('PUT', `/assistants/${record?.assistant_id}`, { name: 'Saved' }, operator)
  expect(await rig.outside.assistants.get(id)).toMatchObject({ name: 'Saved', metadata })
})
