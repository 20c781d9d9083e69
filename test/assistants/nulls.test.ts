import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import type { Caller } from '../admin/caller.ts'
import { createRig, fillLayers, type Layers, type Rig } from '../builder/rig.ts'
import { storedAssistant } from '../support/rows/assistants.ts'

let rig: Rig
let layers: Layers
let user: Caller
let id: string

beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
})

const make = async (path = '/assistants', body: object = {}) => {
  const made = await user.send('POST', path, { name: 'Desk', ...body })
  expect(made.status).toBe(201)
  id = String(made.body.data.assistant_id)
}
beforeEach(async () => {
  user = await rig.caller()
  await make()
})

const put = async (at: string, body: object) => {
  const { status, body: response } = await user.send('PUT', `/assistants/${id}${at}`, { name: 'Desk', ...body })
  expect([status, response.message]).toEqual([200, 'Assistant updated successfully'])
  return response.data
}
const entries = async () => (await user.send('GET', `/assistants/${id}/update-log`)).body.data as unknown as object[]
const sides = async () => {
  const row = await storedAssistant(rig.app.database, id)
  expect(liveDiffers(row.live, await rig.app.services.platform.assistants.get(row.voiceAssistantId))).toEqual([])
  return row
}

const editors = [
  ['regular', ''],
  ['advanced', '/advanced'],
] as const

describe.each(editors)('voice.voiceId as null, by the %s editor', (_name, at) => {
  const taken = () => put(at, { voice: { voiceId: null } })

  test('leaves the default voice where none was set', async () => {
    expect((await taken()).voice).toEqual({ voiceId: 'Elliot' })
  })

  test('takes away the voice of a personality with what means something to its provider alone', async () => {
    const voice = { provider: '11labs', voiceId: 'sarah', stability: 0.4, speed: 0.9 }
    await put('/advanced', { personality_id: await rig.entry('personalities', { name: 'Warm', voice }) })
    expect((await taken()).voice).toEqual({ voiceId: 'Elliot', speed: 0.9 })
    expect((await sides()).live.voice).toEqual({ provider: 'vapi', voiceId: 'Elliot', speed: 0.9 })
  })

  test('brings the voice of the base config back', async () => {
    await put('/advanced', { template_id: layers.template, personality_id: layers.personality })
    expect((await sides()).live.voice).toMatchObject({ provider: 'openai', voiceId: 'onyx' })
    await taken()
    expect((await sides()).live.voice).toMatchObject({ provider: '11labs', voiceId: 'sarah', stability: 0.4 })
  })

  test('leaves an assistant that the builder made the voice of its layers', async () => {
    await make('/v2/assistants', { base_config_id: layers.base, layer2_key: layers.key })
    const { live } = await sides()
    expect(live.voice).toMatchObject({ provider: '11labs', voiceId: 'sarah' })
    await taken()
    expect(await entries()).toHaveLength(1)
    for (const own of [{ voice: { voiceId: 'rachel' } }, { personality_id: layers.personality }]) {
      await put('/advanced', own)
      expect((await sides()).live.voice).not.toMatchObject({ voiceId: 'sarah' })
      await taken()
      expect((await sides()).live.voice).toEqual(live.voice)
      expect((await user.send('PUT', `/v2/assistants/${id}`, { name: 'Desk' })).status).toBe(200)
    }
  })

  test('keeps the selection of a provider that needs no id', async () => {
    const voice = { provider: 'custom-voice', voiceId: 'v1', server: { url: 'https://voice.example' } }
    await put('/advanced', { personality_id: await rig.entry('personalities', { name: 'Custom', voice }) })
    await taken()
    expect((await sides()).live.voice).toEqual({ provider: 'custom-voice', server: { url: 'https://voice.example' } })
  })
})

test('a null voiceId beside a new personality leaves that its voice', async () => {
  const data = await put('/advanced', { personality_id: layers.personality, voice: { voiceId: null, speed: 1.2 } })
  expect(data.voice).toEqual({ voiceId: 'onyx', speed: 1.2 })
  expect((await sides()).live.voice).toEqual({ provider: 'openai', voiceId: 'onyx', speed: 1.2 })
})
