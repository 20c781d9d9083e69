import { expect, test } from 'vitest'
import { type Body, createDriftRig } from './rig.ts'

const minutes = 60_000

test('what changes while a long sweep looks at later pages is found by the next one', async () => {
  let meanwhile = async () => {}
  const rig = await createDriftRig({ driftSweepMinutes: 5 }, (client) => {
    const { pages } = client.assistants
    return {
      ...client,
      assistants: {
        ...client.assistants,
        async *pages(filter, options) {
          for await (const page of pages(filter, options)) {
            yield page.slice(0, 1)
            await meanwhile()
            // The second page comes minutes later, with what has just changed.
            const updatedAt = new Date(Date.now() + 10 * minutes).toISOString()
            yield page.slice(1).map((one) => ({ ...one, updatedAt }))
          }
        },
      },
    }
  })
  await rig.data('POST', '/assistants', { name: 'Ann' })
  const { voice_assistant_id: newest } = await rig.data('POST', '/assistants', { name: 'Bea' })
  meanwhile = async () => {
    meanwhile = async () => {}
    await rig.outside.assistants.update(String(newest), { name: 'Outside' })
  }
  expect(await rig.sweep()).toEqual([])
  await rig.app.database.sql`update drift_sweeps set full_count = 5000, due_at = now() - interval '1 second'`
  await rig.app.services.drift.sweepNow()
  expect(await rig.data<Body[]>('GET', '/drift')).toMatchObject([{ voice_id: newest, difference: 'changed' }])
  await rig.stop()
})
