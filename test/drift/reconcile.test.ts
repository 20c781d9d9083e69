import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const reconcile = (record: Body, keep: string) =>
  rig.send('POST', `/assistants/${record.assistant_id}/reconcile`, { keep })
const live = async (id: unknown) => (await rig.outside.assistants.get(String(id))) as unknown as Body
const sources = async (record: Body) =>
  (await rig.data<Body[]>('GET', `/assistants/${record.assistant_id}/update-log`)).map(({ source }) => source)

describe('an assistant that was changed outside', () => {
  const changed = async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann', firstMessage: 'Hi' })
    await rig.outside.assistants.update(String(record.voice_assistant_id), { firstMessage: 'Hello' })
    await rig.sweep()
    rig.platform.requests.length = 0
    return record
  }
  const ended = async (resolution: string) =>
    expect(await rig.data('GET', '/drift?state=resolved')).toMatchObject([{ resolution }])

  test.each(['theirs', 'merge'])('becomes what it is there: %s', async (keep) => {
    const record = await changed()
    for (const _again of [1, 2]) {
      expect(await reconcile(record, keep)).toMatchObject({
        status: 200,
        body: { message: 'Assistant reconciled successfully', data: { first_message: 'Hello' } },
      })
    }
    expect(rig.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(await sources(record)).toEqual(['platform', 'regular'])
    await ended(keep === 'merge' ? 'merged' : 'kept_theirs')
    expect(await rig.sweep()).toEqual([])
  })

  test('is told what the record says: ours', async () => {
    const record = await changed()
    for (const _again of [1, 2]) {
      expect(await reconcile(record, 'ours')).toMatchObject({ status: 200, body: { data: { first_message: 'Hi' } } })
    }
    expect(await live(record.voice_assistant_id)).toMatchObject({ firstMessage: 'Hi' })
    expect(await sources(record)).toEqual(['reconcile', 'platform', 'regular'])
    await ended('kept_ours')
    expect(await rig.sweep()).toEqual([])
  })
})

describe('an assistant that the platform lost', () => {
  const lost = async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann' })
    await rig.outside.assistants.delete(String(record.voice_assistant_id))
    await rig.sweep()
    return record
  }

  test('is made again', async () => {
    const record = await lost()
    const { body } = await reconcile(record, 'ours')
    const made = body.data as Body
    expect(made.voice_assistant_id).not.toBe(record.voice_assistant_id)
    expect(await live(made.voice_assistant_id)).toMatchObject({ name: 'Ann' })
    await rig.settle()
    expect(await rig.sweep()).toEqual([])
  })

  test.each([
    ['ours', 'kept_ours'],
    ['merge', 'merged'],
  ])('is in the list of drift, also when no sweep saw it: %s', async (keep, resolution) => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann' })
    await rig.outside.assistants.delete(String(record.voice_assistant_id))
    const { body } = await reconcile(record, keep)
    const made = body.data as Body
    const lost = { difference: 'missing', name: 'Ann', voice_id: record.voice_assistant_id, resolution, leaves: [] }
    for (const id of [record.assistant_id, record.voice_assistant_id, made.voice_assistant_id]) {
      expect(await rig.data('GET', `/drift?state=resolved&resource=${id}`)).toMatchObject([lost])
    }
  })

  test('is deleted here', async () => {
    const record = await lost()
    expect(await reconcile(record, 'theirs')).toEqual({
      status: 200,
      body: { success: true, message: 'Assistant deleted successfully', data: null },
    })
    expect((await rig.send('GET', `/assistants/${record.assistant_id}`)).status).toBe(404)
  })
})
