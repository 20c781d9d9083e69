import { expect, test } from 'vitest'
import { type Body, createDriftRig } from './rig.ts'

const long = 'k'.repeat(10_000)
const planOf = (more: number) => ({
  smartEndpointingPlan: {
    provider: 'livekit',
    [long]: Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`a${index}`, index + more])),
  },
  waitSeconds: more,
})

test('an outside change of thousands of values below a long key is listed in bounded text, and taken whole', async () => {
  const rig = await createDriftRig()
  try {
    const record = await rig.data('POST', '/assistants', { name: 'Desk' })
    const path = `/assistants/${record.assistant_id}`
    const live = String(record.voice_assistant_id)
    const change = (body: object) => rig.outside.assistants.update(live, body as never)
    await change({ startSpeakingPlan: planOf(1) })
    await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })
    await change({ firstMessage: 'Hi', startSpeakingPlan: planOf(2) })
    const [found] = await rig.sweep()
    const leaves = found?.leaves as Body[]
    expect(JSON.stringify(found).length).toBeLessThan(3_000_000)
    expect(leaves).toContainEqual({ path: 'firstMessage', theirs: 'Hi' })
    expect(leaves.slice(-2)).toEqual([
      expect.objectContaining({
        path: expect.stringMatching(/^startSpeakingPlan\.smartEndpointingPlan\.k{10000}\.a\d+$/),
      }),
      { path: 'startSpeakingPlan' },
    ])
    expect((await rig.send('GET', '/drift?per_page=1')).status).toBe(200)
    await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })
    expect(await rig.outside.assistants.get(live)).toMatchObject({ startSpeakingPlan: planOf(2) })
    expect(await rig.data('GET', path)).toMatchObject({ first_message: 'Hi' })
    expect(await rig.sweep()).toEqual([])
  } finally {
    await rig.stop()
  }
})
