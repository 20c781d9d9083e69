import { beforeAll, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import type { Caller } from '../admin/caller.ts'
import { createRig, fillLayers, type Layers, type Rig } from '../builder/rig.ts'
import { storedAssistant } from '../support/rows/assistants.ts'
import { writtenBack } from './written-back.ts'

type Json = Record<string, unknown>

let rig: Rig
let layers: Layers
let user: Caller
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
  user = await rig.caller()
})

const metadata = { company_name: 'Smile', business_hours: { monday: '9-5' }, always_say: ['hello'] }
const talk = { role: 'user', content: 'In {{city}}?' }
const own = { role: 'system', content: 'Own {{city}}' }
const full = {
  metadata,
  variableValues: { city: 'Austin' },
  firstMessage: 'Hi {{city}}',
  voicemailMessage: 'Later',
  endCallPhrases: ['bye'],
  model: { messages: [own, talk], maxTokens: 200 },
  voice: { speed: 1.2 },
  transcriber: { language: 'de' },
  compliancePlan: { recordingEnabled: true },
  startSpeakingPlan: { initialDelayMs: 400 },
  keypadInputPlan: { enabled: true, maxDigits: 3 },
}
const built = { metadata, variable_values: { city: 'Austin' } }

/** Assistants as each editor makes them: the path to create it with, its body, and what an advanced update adds. */
const kinds: [name: string, path: string, body: () => object, more?: () => object][] = [
  ['bare', '/assistants', () => ({})],
  ['with every setting', '/assistants', () => full],
  ['with a template', '/assistants', () => ({ template_id: layers.template, metadata, model: { messages: [talk] } })],
  ['with a personality', '/assistants', () => full, () => ({ personality_id: layers.personality })],
  [
    'with a template and a personality',
    '/assistants',
    () => ({ ...full, template_id: layers.bare }),
    () => ({ personality_id: layers.personality }),
  ],
  ['built from an industry', '/v2/assistants', () => ({ ...built, industry_template_id: layers.industry })],
  ['built from a base', '/v2/assistants', () => ({ base_config_id: layers.other })],
  [
    'built with a prompt of its own and a personality',
    '/v2/assistants',
    () => ({
      ...built,
      industry_template_id: layers.industry,
      layer2_key: layers.key,
      personality_id: layers.personality,
      system_prompt: 'Be short in {{city}}.',
    }),
  ],
  ['built from a template', '/v2/assistants', () => ({ ...built, prompt_template_id: layers.template })],
]
const editors = [
  ['regular', ''],
  ['advanced', '/advanced'],
] as const

async function make([, path, body, more]: (typeof kinds)[number]) {
  const made = await user.send('POST', path, { name: 'Desk', ...body() })
  expect(made.status).toBe(201)
  const id = String(made.body.data.assistant_id)
  if (more) await user.send('PUT', `/assistants/${id}/advanced`, { name: 'Desk', ...more() })
  const read = async (at = '') => (await user.send('GET', `/assistants/${id}${at}`)).body.data as Json
  const entries = async () => (await user.send('GET', `/assistants/${id}/update-log`)).body.data as unknown as Json[]
  const row = () => storedAssistant(rig.app.database, id)
  const live = async () => rig.app.services.platform.assistants.get((await row()).voiceAssistantId)
  return {
    id,
    read,
    entries,
    row,
    live,
    put: (at: string, sent: object) => user.send('PUT', `/assistants/${id}${at}`, sent),
  }
}

describe.each(editors)('the %s editor, a record sent back', (_name, at) => {
  test.each(kinds)('%s: as it was read changes nothing', async (...kind) => {
    const { read, put, entries, row } = await make(kind)
    const [before, number] = [configurationOf(await row()), (await entries()).length]
    for (const body of [writtenBack(await read()), writtenBack(await read(at))]) {
      expect((await put(at, body)).status).toBe(200)
      expect(configurationOf(await row())).toEqual(before)
      expect(await entries()).toHaveLength(number)
    }
  })

  const changes: [path: string, change: Json][] = [
    ['name', { name: 'Other' }],
    ['firstMessage', { firstMessage: 'Good day' }],
    ['endCallPhrases', { endCallPhrases: ['so long'] }],
    ['maxDurationSeconds', { maxDurationSeconds: 77 }],
    ['firstMessageInterruptionsEnabled', { firstMessageInterruptionsEnabled: true }],
    ['metadata.location', { metadata: { location: 'Main St' } }],
    ['metadata.variable_values.floor', { variableValues: { floor: 3 } }],
    ['voice.speed', { voice: { speed: 0.7 } }],
    ['transcriber.language', { transcriber: { language: 'fr' } }],
    ['model.maxTokens', { model: { maxTokens: 99 } }],
    ['keypadInputPlan.maxDigits', { keypadInputPlan: { maxDigits: 7 } }],
  ]
  /** A setting that is the first of its object is told with the object. */
  const isPath = (told: unknown, path: string) => told === path || path.startsWith(`${told}.`)
  test.each(kinds)('%s: with one field changed has that change alone', async (...kind) => {
    const { read, put, entries } = await make(kind)
    const number = (await entries()).length
    for (const [index, [path, change]] of changes.entries()) {
      const body = writtenBack(await read())
      const merged = Object.entries(change).map(([key, value]) => {
        const isOpen = typeof value === 'object' && !Array.isArray(value)
        return [key, isOpen ? { ...(body[key] as Json), ...(value as Json) } : value]
      })
      expect((await put(at, { ...body, ...Object.fromEntries(merged) })).status).toBe(200)
      const [entry, ...older] = await entries()
      expect(older).toHaveLength(number + index)
      const told = ((entry?.changes ?? []) as Json[]).map((one) => one.path)
      expect({ path, told: told.filter((one) => !isPath(one, path) && !String(one).startsWith('rendered.')) }).toEqual({
        path,
        told: [],
      })
      expect(told.some((one) => isPath(one, path))).toBe(true)
    }
  })

  test('a save of messages alone does not tell of tools', async () => {
    const { put, entries } = await make(['bare', '/assistants', () => ({})])
    await put(at, { name: 'Desk', model: { messages: [own] } })
    const [entry] = await entries()
    expect(entry?.changes).toEqual([{ path: 'model', from: null, to: { messages: [own] } }])
  })

  test.each(kinds)('%s: greetings that are sent back as they are rendered keep their placeholders', async (...kind) => {
    const { read, put, entries } = await make(kind)
    const texts = ({ first_message_raw, end_call_message_raw }: Json) => [first_message_raw, end_call_message_raw]
    const before = await read()
    const number = (await entries()).length
    const said = { firstMessage: before.first_message, endCallMessage: before.end_call_message }
    await put(at, { ...writtenBack(before), ...said })
    expect(await entries()).toHaveLength(number)
    await put(at, { ...writtenBack(before), ...said, variableValues: { city: 'Bergen' } })
    expect(texts(await read())).toEqual(texts(before))
    expect((await read()).first_message).toBe(String(before.first_message_raw).replace('{{city}}', 'Bergen'))
  })

  test('texts said together with another template are the own ones from then on', async () => {
    const { read, put, live } = await make(kinds[4] as (typeof kinds)[number])
    const before = await read()
    const texts = (record: Json) => [record.first_message, (record.coreData as { model: Json }).model.messages]
    await put(at, { ...writtenBack(before), template_id: null })
    expect(texts(await read())).toEqual(texts(before))
    expect((await live()).model?.messages).toEqual((before.coreData as { model: Json }).model.messages)
  })
})
