import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (body: Body = {}) => rig.data('POST', '/assistants', { name: 'Ann', ...body })
const pathOf = (record: Body) => `/assistants/${record.assistant_id}`
const liveOf = (record: Body) => String(record.voice_assistant_id)
const history = (record: Body) => rig.data<Body[]>('GET', `${pathOf(record)}/update-log`)
const live = async (record: Body) => (await rig.outside.assistants.get(liveOf(record))) as unknown as Body

describe('a save after somebody changed the live assistant', () => {
  test('keeps what it does not set itself, on both sides and as a version of its own', async () => {
    const record = await make({ firstMessage: 'Hi' })
    await rig.outside.assistants.update(liveOf(record), { firstMessage: 'Hello', maxDurationSeconds: 900 })
    const saved = await rig.data('PUT', pathOf(record), { name: 'Ann', voicemailMessage: 'Later' })
    expect(saved).toMatchObject({ first_message: 'Hello', max_duration_seconds: 900, voicemail_message: 'Later' })
    expect(await live(record)).toMatchObject({
      firstMessage: 'Hello',
      maxDurationSeconds: 900,
      voicemailMessage: 'Later',
    })
    const [second, first, created] = await history(record)
    expect(second).toMatchObject({ source: 'regular', changes: [{ path: 'voicemailMessage', to: 'Later' }] })
    expect(first).toMatchObject({
      source: 'platform',
      actor: { id: 0, name: 'Voice platform' },
      changes: [
        { path: 'firstMessage', from: 'Hi', to: 'Hello' },
        { path: 'maxDurationSeconds', to: 900 },
      ],
      restorable: true,
      is_current: false,
    })
    expect(created).toMatchObject({ action: 'created' })
    expect(await rig.sweep()).toEqual([])
  })

  test('wins where it sets the same, and the other value can be restored', async () => {
    const record = await make({ firstMessage: 'Hi' })
    await rig.outside.assistants.update(liveOf(record), { firstMessage: 'Hello' })
    await rig.sweep()
    const saved = await rig.data('PUT', pathOf(record), { name: 'Ann', firstMessage: 'Good day' })
    expect(saved.first_message).toBe('Good day')
    expect((await live(record)).firstMessage).toBe('Good day')
    const [, platform] = await history(record)
    expect(platform).toMatchObject({ source: 'platform', changes: [{ path: 'firstMessage', from: 'Hi', to: 'Hello' }] })
    const restored = await rig.data('POST', `${pathOf(record)}/update-log/${platform?.id}/restore`)
    expect(restored.first_message).toBe('Hello')
    expect((await live(record)).firstMessage).toBe('Hello')
    expect(await rig.sweep()).toEqual([])
    expect(await rig.data<Body[]>('GET', '/drift?state=resolved')).toEqual([
      expect.objectContaining({ resolution: 'adopted' }),
    ])
  })

  test('names no provider in the history, nor a part of which nothing else was changed', async () => {
    const record = await make()
    await rig.outside.assistants.update(liveOf(record), { transcriber: { provider: 'gladia' } } as never)
    await rig.data('PUT', pathOf(record), { name: 'Bob' })
    const [, platform] = await history(record)
    expect(platform).toMatchObject({ source: 'platform', changes: [], summary: 'Changed the live configuration.' })
  })

  test('keeps what a server was trusted with for its address alone', async () => {
    const record = await make({ metadata: { webhook_url: 'https://a.example/hook' } })
    const path = pathOf(record)
    const trusted = { url: 'https://a.example/hook', credentialId: 'c0ffee00-0000-4000-8000-000000000000' }
    await rig.outside.assistants.update(liveOf(record), { server: { ...trusted, headers: { 'X-Key': 'k' } } } as never)
    await rig.data('PUT', path, { name: 'Ann' })
    expect((await live(record)).server).toMatchObject({ ...trusted, headers: { 'X-Key': 'k' } })
    await rig.data('PUT', path, { name: 'Ann', metadata: { webhook_url: 'https://b.example/hook' } })
    const { server } = await live(record)
    expect(server).toMatchObject({ url: 'https://b.example/hook' })
    expect(server).not.toHaveProperty('credentialId')
    expect(server).not.toHaveProperty('headers')
    expect(await rig.sweep()).toEqual([])
  })

  test('sends again what the record has no field for, with this save and the next', async () => {
    const record = await make()
    const voice = { provider: 'vapi', voiceId: 'Elliot', speed: 1.1 } as const
    await rig.outside.assistants.update(liveOf(record), {
      voice,
      artifactPlan: { recordingEnabled: true, transcriptPlan: { enabled: true, assistantName: 'Bot' } },
      server: { url: 'https://hooks.example/x', timeoutSeconds: 33 },
    })
    for (const name of ['B', 'C']) {
      await rig.data('PUT', pathOf(record), { name })
      expect(await live(record)).toMatchObject({
        name,
        voice,
        artifactPlan: { transcriptPlan: { assistantName: 'Bot' } },
        server: { url: 'https://hooks.example/x', timeoutSeconds: 33 },
      })
    }
    expect(await history(record)).toHaveLength(4)
    expect(await rig.sweep()).toEqual([])
  })

  test('takes a prompt that was changed for the own text of the assistant, and says so', async () => {
    const operator = await rig.operator()
    const template = await rig.data(
      'POST',
      '/admin/prompt-templates',
      { name: 'Clinic', prompt: 'You work in {{location}}.', first_message: 'Welcome to {{location}}' },
      operator,
    )
    const record = await make({ template_id: template.id, metadata: { location: 'Austin' } })
    const { model } = await rig.outside.assistants.get(liveOf(record))
    const messages = [{ role: 'system', content: 'You work at night.' }] as const
    await rig.outside.assistants.update(liveOf(record), { model: { ...model, messages } as never })
    const saved = await rig.data('PUT', pathOf(record), { name: 'Bob' })
    expect(saved).toMatchObject({ template_id: null, first_message: 'Welcome to Austin' })
    expect((await rig.outside.assistants.get(liveOf(record))).model?.messages).toEqual(messages)
    const [, platform, created] = await history(record)
    expect(platform?.summary).toContain("it is the assistant's own text from now on")
    expect(platform?.changes).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'template_id', from: template.id })]),
    )
    await rig.data('PUT', pathOf(record), { name: 'Bob', metadata: { location: 'Boston' } })
    expect((await rig.outside.assistants.get(liveOf(record))).model?.messages).toEqual(messages)
    const restored = await rig.data('POST', `${pathOf(record)}/update-log/${created?.id}/restore`)
    expect(restored).toMatchObject({ template_id: template.id })
  })

  test('changes nothing when its live write fails: the record is as it was, and the change is still there', async () => {
    const record = await make()
    await rig.outside.assistants.update(liveOf(record), { firstMessage: 'Hello' })
    const before = await rig.data('GET', pathOf(record))
    const rejected = { method: 'PATCH', mode: 'status', status: 400, body: { message: 'no' } } as const
    rig.platform.faults.add(rejected)
    expect((await rig.send('PUT', pathOf(record), { name: 'Bob' })).status).toBe(500)
    expect(await rig.data('GET', pathOf(record))).toEqual(before)
    expect(await history(record)).toHaveLength(1)
    expect(await rig.sweep()).toHaveLength(1)
    await rig.data('PUT', pathOf(record), { name: 'Bob' })
    expect(await history(record)).toHaveLength(3)
  })

  test('answers a read that fails as a write that fails', async () => {
    const record = await make()
    const fails = (method: string) =>
      rig.platform.faults.add({ method, path: /^\/assistant\//, mode: 'status', status: 503, times: 3 })
    const put = (path = pathOf(record)) => rig.send('PUT', path, { name: 'Bob' })
    for (const path of [pathOf(record), `${pathOf(record)}/advanced`]) {
      fails('PATCH')
      const expected = await put(path)
      rig.platform.faults.clear()
      fails('GET')
      expect(await put(path)).toEqual(expected)
      rig.platform.faults.clear()
    }
    await rig.outside.assistants.delete(liveOf(record))
    expect((await put()).status).toBe(500)
  })
})

describe('recovery of a save that was cut short', () => {
  test('keeps what was changed outside before and after, and undoes the save alone', async () => {
    const record = await make({ firstMessage: 'Hi' })
    await rig.outside.assistants.update(liveOf(record), { firstMessage: 'Hello', voicemailMessage: 'Later' })
    rig.platform.faults.add({ method: 'PATCH', mode: 'drop_after' })
    rig.platform.faults.add({ method: 'PATCH', mode: 'drop_before', times: 2 })
    // The look before the save succeeds, the one after it does not.
    const look = { method: 'GET', path: /^\/assistant\// } as const
    rig.platform.faults.add({ ...look, mode: 'delay', ms: 0 }, { ...look, mode: 'status', status: 503, times: 3 })
    const put = rig.send('PUT', pathOf(record), { name: 'Bob', firstMessage: 'Good day' })
    expect((await put).status).toBe(500)
    rig.platform.faults.clear()
    await rig.outside.assistants.update(liveOf(record), { endCallMessage: 'Bye' })
    await rig.settle()
    const expected = { firstMessage: 'Hello', voicemailMessage: 'Later', endCallMessage: 'Bye', name: 'Ann' }
    expect(await live(record)).toMatchObject(expected)
    expect(await rig.data('GET', pathOf(record))).toMatchObject({
      name: 'Ann',
      first_message: 'Hello',
      voicemail_message: 'Later',
      end_call_message: 'Bye',
    })
    expect((await history(record))[0]).toMatchObject({ source: 'platform' })
    expect(await rig.sweep()).toEqual([])
  })
})
