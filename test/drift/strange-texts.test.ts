import { beforeEach, describe, expect, test } from 'vitest'
import { createDriftRig, type DriftRig } from './rig.ts'

const plan = (waitFunction: string) => ({ smartEndpointingPlan: { provider: 'livekit', waitFunction } })

/** What a JSON of the platform may hold and no database keeps, and how it is read. */
const strange: [what: string, outside: object, read: object][] = [
  ['half an emoji', { firstMessage: 'cut \ud83d' }, { firstMessage: 'cut \ufffd' }],
  ['the other half', { firstMessage: '\udc00 cut' }, { firstMessage: '\ufffd cut' }],
  ['NUL', { firstMessage: 'a\0b' }, { firstMessage: 'a\ufffdb' }],
  ['NUL in a name of metadata', { metadata: { 'k\0': 'v' } }, { metadata: { 'k\ufffd': 'v' } }],
  ['half an emoji in a plan', { startSpeakingPlan: plan('\ud800') }, { startSpeakingPlan: plan('\ufffd') }],
  ['what only looks like it', { firstMessage: '\\u0000 \\\\ud83d 😀' }, { firstMessage: '\\u0000 \\\\ud83d 😀' }],
]

describe('texts on the platform that no database keeps', () => {
  let rig: DriftRig
  beforeEach(async () => {
    rig = await createDriftRig()
    return () => rig.stop()
  })

  const made = async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann' })
    return { path: `/assistants/${record.assistant_id}`, live: String(record.voice_assistant_id) }
  }

  test.each(strange)('%s: a save takes it in, and both sides are the same', async (_what, outside, read) => {
    const { path, live } = await made()
    await rig.outside.assistants.update(live, outside)
    await rig.data('PUT', path, { name: 'Bea' })
    expect(await rig.data('GET', path)).toMatchObject({ name: 'Bea' })
    expect(await rig.outside.assistants.get(live)).toMatchObject({ name: 'Bea', ...read })
    expect(await rig.sweep()).toEqual([])
  })

  test.each(strange)('%s: a sweep tells it, and either side can be kept', async (_what, outside, read) => {
    for (const keep of ['ours', 'theirs', 'merge']) {
      const { path, live } = await made()
      const before = await rig.outside.assistants.get(live)
      await rig.outside.assistants.update(live, outside)
      expect(await rig.sweep()).toMatchObject([{ difference: 'changed', voice_id: live }])
      expect((await rig.send('POST', `${path}/reconcile`, { keep })).status).toBe(200)
      const kept = keep === 'ours' ? { firstMessage: before.firstMessage ?? '' } : read
      expect({ firstMessage: '', ...(await rig.outside.assistants.get(live)) }).toMatchObject(kept)
      expect(await rig.sweep()).toEqual([])
    }
  })

  test('an object with such a name is found, and taken over', async () => {
    const { id } = await rig.outside.assistants.create({ name: 'half \ud83d' })
    await rig.sweep()
    const operator = await rig.operator()
    const found = await rig.data('GET', '/drift', undefined, operator)
    expect(found).toMatchObject([{ difference: 'unmanaged', name: 'half \ufffd', voice_id: id }])
    await rig.data('POST', '/imports', { ids: [id] }, operator)
    await rig.app.services.adoptions.work.run()
    const records = await rig.data('GET', '/assistants', undefined, operator)
    expect(records).toMatchObject([{ name: 'half \ufffd', voice_assistant_id: id }])
  })
})
