import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import type { Caller } from '../admin/caller.ts'
import { createRig, fillLayers, type Layers, type Rig } from '../builder/rig.ts'
import { addTools, storedAssistant } from '../support/rows/assistants.ts'

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
const record = async () => (await user.send('GET', `/assistants/${id}`)).body.data
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
    const ofPersonality = { provider: 'openai', voiceId: 'onyx', speed: 1 }
    for (const [own, voice] of [
      [{ voice: { voiceId: 'rachel' } }, live.voice],
      [{ personality_id: layers.personality }, ofPersonality],
      [{ voice: { voiceId: 'nova' } }, ofPersonality],
    ] as const) {
      await put('/advanced', own)
      await taken()
      expect((await sides()).live.voice).toEqual(voice)
      const told = await entries()
      expect((await user.send('PUT', `/v2/assistants/${id}`, { name: 'Desk' })).status).toBe(200)
      expect((await sides()).live.voice).toEqual(voice)
      expect(await entries()).toEqual(told)
    }
  })

  test('keeps the selection of a provider that needs no id', async () => {
    const voice = { provider: 'custom-voice', voiceId: 'v1', server: { url: 'https://voice.example' } }
    await put('/advanced', { personality_id: await rig.entry('personalities', { name: 'Custom', voice }) })
    await taken()
    expect((await sides()).live.voice).toEqual({ provider: 'custom-voice', server: { url: 'https://voice.example' } })
  })
})

test('a personality that was changed since leaves nothing behind that its provider alone understands', async () => {
  const voice = { provider: '11labs', voiceId: 'sarah', stability: 0.4 }
  const personality = await rig.entry('personalities', { name: 'Warm', voice })
  await put('/advanced', { personality_id: personality, voice: { speed: 1.1 } })
  const changed = { name: 'Warm', voice: { provider: 'openai', voiceId: 'nova' } }
  await rig.admin.send('PUT', `/admin/personalities/${personality}`, changed)
  await put('/advanced', { personality_id: null })
  expect((await sides()).live.voice).toEqual({ provider: 'vapi', voiceId: 'Elliot', speed: 1.1 })
})

test('a null voiceId beside a new personality leaves that its voice', async () => {
  const data = await put('/advanced', { personality_id: layers.personality, voice: { voiceId: null, speed: 1.2 } })
  expect(data.voice).toEqual({ voiceId: 'onyx', speed: 1.2 })
  expect((await sides()).live.voice).toEqual({ provider: 'openai', voiceId: 'onyx', speed: 1.2 })
})

describe.each(editors)('what says nothing anew, by the %s editor', (_name, at) => {
  const plans = at === '' ? [] : [{ analysisPlan: { summaryPlan: null } }, { artifactPlan: { recording: null } }]
  const bodies = [
    ...['messages', 'maxTokens', 'functionCall', 'functionCallBehavior', 'tools', 'toolIds'].map((key) => ({
      model: { [key]: null },
    })),
    { model: null },
    { model: { tools: [] } },
    { model: { toolIds: [] } },
    { model: { tools: [], toolIds: null, maxTokens: null } },
    { voice: { voiceId: null, speed: null } },
    { transcriber: { language: null } },
    { voicemailDetection: { enabled: null } },
    { compliancePlan: { recordingEnabled: null, dataRetentionDays: null } },
    { backgroundSpeechDenoisingPlan: { smartDenoising: null } },
    { startSpeakingPlan: { initialDelayMs: null } },
    { stopSpeakingPlan: { numWords: null } },
    { monitorPlan: { websocketUrl: null } },
    { keypadInputPlan: { enabled: null } },
    { metadata: { company_name: null, business_hours: { monday: null } } },
    { variableValues: { city: null } },
    ...plans,
  ]

  test.each(bodies)('%j', async (body) => {
    const [before, row] = [await record(), configurationOf(await sides())]
    const { updated_at, metadata, ...saved } = await put(at, body)
    expect({ ...saved, updated_at, metadata }).toEqual({
      ...before,
      updated_at,
      metadata: { ...before.metadata, updated_at },
    })
    expect(configurationOf(await sides())).toEqual(row)
    expect(await entries()).toHaveLength(1)
  })

  test('nor once more what took the last key of an object away', async () => {
    for (const maxDigits of [4, null, null]) {
      const { keypad_input_plan: plan } = await put(at, { keypadInputPlan: { maxDigits } })
      expect(plan).toEqual(maxDigits === null ? {} : { maxDigits })
    }
    expect(await entries()).toHaveLength(3)
  })

  test('an empty choice of tools beside other settings', async () => {
    await put(at, { model: { tools: [], toolIds: [], maxTokens: 200 } })
    expect((await sides()).config.model).toEqual({ maxTokens: 200 })
  })

  test('an empty choice of tools takes those of the base config away', async () => {
    const tool = crypto.randomUUID()
    const described = { label: 'Look up', description: 'Looks it up', type: 'function' }
    await addTools(rig.app.database, [{ id: tool, scope: 'global', ...described }])
    const base = await rig.entry('base-configs', { name: 'Tooled', config: { model: { toolIds: [tool] } } })
    const template = await rig.entry('prompt-templates', { name: 'Tooled', prompt: 'Help.', base_config_id: base })
    for (const choice of [null, { tools: [] }, { tools: null }, { toolIds: null }]) {
      await make('/assistants', { template_id: template })
      expect((await record()).model.toolIds).toEqual([tool])
      expect((await put(at, { model: choice })).model.toolIds).toEqual([])
      expect(await entries()).toHaveLength(2)
    }
  })
})

test('a create with nulls alone in its objects sets none of them', async () => {
  await make('/assistants', {
    compliancePlan: { recordingEnabled: null },
    keypadInputPlan: { enabled: null },
    voice: { voiceId: null, speed: null },
    model: { messages: null, maxTokens: null },
  })
  expect(await record()).toMatchObject({ compliance_plan: null, keypad_input_plan: null })
  expect((await sides()).config).toEqual({})
})

describe('null within what a plan holds', () => {
  const schema = { type: 'object', properties: { age: { type: 'integer', default: null } } }
  const cases: [what: string, body: object, expected: object, before?: object][] = [
    [
      'is no key of what is stored',
      { analysisPlan: { structuredDataPlan: { enabled: true, schema: null } } },
      { analysis_plan: { structuredDataPlan: { enabled: true } } },
    ],
    [
      'is left out of what replaces what was stored',
      { analysisPlan: { summaryPlan: { enabled: null, timeoutSeconds: 9 } } },
      { analysis_plan: { summaryPlan: { timeoutSeconds: 9 } } },
      { analysisPlan: { summaryPlan: { enabled: true } } },
    ],
    [
      'takes away what would have nothing left',
      { startSpeakingPlan: { smartEndpointingPlan: { provider: null } } },
      { start_speaking_plan: { initialDelayMs: 400 } },
      { startSpeakingPlan: { initialDelayMs: 400, smartEndpointingPlan: { provider: 'livekit' } } },
    ],
    [
      'is left out at any depth',
      { startSpeakingPlan: { smartEndpointingPlan: { provider: 'custom-endpointing-model', server: { url: null } } } },
      { start_speaking_plan: { smartEndpointingPlan: { provider: 'custom-endpointing-model' } } },
    ],
    [
      'is kept within a JSON schema',
      { analysisPlan: { structuredDataPlan: { schema, enabled: null } } },
      { analysis_plan: { structuredDataPlan: { schema } } },
    ],
    [
      'leaves an object that is sent empty',
      { analysisPlan: { summaryPlan: {} } },
      { analysis_plan: { summaryPlan: {} } },
      { analysisPlan: { summaryPlan: { enabled: false } } },
    ],
  ]
  test.each(cases)('%s', async (_what, body, expected, before = {}) => {
    await put('/advanced', before)
    const saved = await put('/advanced', body)
    expect(Object.fromEntries(Object.keys(expected).map((field) => [field, saved[field]]))).toEqual(expected)
    await sides()
  })

  test.each([
    { analysisPlan: { summaryPlan: { enabled: null } } },
    { analysisPlan: { structuredDataPlan: { schema: null } } },
    { startSpeakingPlan: { smartEndpointingPlan: { provider: null } } },
  ])('%j sets nothing and writes no history', async (body) => {
    await put('/advanced', body)
    expect(await record()).toMatchObject({ analysis_plan: null, start_speaking_plan: null })
    expect(await entries()).toHaveLength(1)
  })
})
