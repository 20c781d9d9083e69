import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PlatformClient } from '../../src/voice-platform/client.ts'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { writtenBack } from './written-back.ts'

/** Ends the wait of updates that the platform has carried out. */
let goOn: () => void
let held: Promise<void>

/** Updates respond late. */
const slow = (client: PlatformClient): PlatformClient => ({
  ...client,
  assistants: {
    ...client.assistants,
    async update(...sent) {
      const live = await client.assistants.update(...sent)
      await held
      return live
    },
  },
})

let rig: DriftRig
beforeEach(async () => {
  held = Promise.resolve()
  rig = await createDriftRig({}, slow)
})
afterEach(() => rig.stop())

const pathOf = (record: Body) => `/assistants/${record.assistant_id}`
const advanced = (record: Body) => `${pathOf(record)}/advanced`
const live = async (record: Body) =>
  (await rig.outside.assistants.get(String(record.voice_assistant_id))) as unknown as Body
const edit = (record: Body, body: object) => rig.outside.assistants.update(String(record.voice_assistant_id), body)

/** The configuration of a live object, without what the platform makes. */
const settings = async (record: Body) => {
  const { updatedAt: _time, ...rest } = await live(record)
  return rest
}

/** Sends back what is read, and expects the live object to stay as it is. */
async function sendBack(record: Body): Promise<Body> {
  const before = await settings(record)
  const read = await rig.data('GET', advanced(record))
  const saved = await rig.data('PUT', advanced(record), writtenBack(read))
  expect(await settings(record)).toEqual(before)
  return saved
}

const made = {
  name: 'Ann',
  maxDurationSeconds: 300,
  monitorPlan: { listenEnabled: true, controlEnabled: true },
  startSpeakingPlan: { initialDelayMs: 400 },
  stopSpeakingPlan: { initialDelayMs: 1000 },
  keypadInputPlan: { enabled: true, maxDigits: 4 },
  metadata: { webhook_url: 'https://mine.test', industry: 'Dentists' },
  artifactPlan: { recording: true, summary: true },
  backgroundSpeechDenoisingPlan: { smartDenoising: true },
  analysisPlan: { minMessagesThreshold: 2 },
}

/** A change of a live object, and what the advanced editor then reads. */
const changes: [what: string, outside: (live: Body) => object, shown: object][] = [
  [
    'a plan',
    () => ({ monitorPlan: { listenEnabled: false, controlEnabled: true } }),
    { monitor_plan: { listenEnabled: false } },
  ],
  [
    'a plan with other names',
    () => ({ artifactPlan: { recordingEnabled: false, transcriptPlan: { enabled: true } } }),
    { artifact_plan: { recording: false, summary: true } },
  ],
  [
    'a switch that two plans share',
    () => ({ analysisPlan: { minMessagesThreshold: 4, summaryPlan: { enabled: false } } }),
    { analysis_plan: { minMessagesThreshold: 4 }, artifact_plan: { summary: false } },
  ],
  [
    'a time in another unit',
    () => ({ startSpeakingPlan: { waitSeconds: 2 } }),
    { start_speaking_plan: { initialDelayMs: 2000 } },
  ],
  [
    'a switch beside what the record alone has',
    () => ({ keypadInputPlan: { enabled: false } }),
    { keypad_input_plan: { enabled: false, maxDigits: 4 } },
  ],
  [
    'the denoisers',
    () => ({
      backgroundSpeechDenoisingPlan: {
        smartDenoisingPlan: { enabled: false },
        fourierDenoisingPlan: { enabled: true },
      },
    }),
    { background_speech_denoising_plan: { smartDenoising: false, fourierDenoising: true } },
  ],
  [
    'the webhook',
    ({ server }) => ({ server: { ...(server as object), url: 'https://live.test' } }),
    {
      webhook_url: 'https://live.test',
      metadata: { webhook_url: 'https://live.test' },
      coreData: { server: { url: 'https://live.test' } },
    },
  ],
  ['a webhook that was taken away', () => ({ server: null }), { webhook_url: null, coreData: { server: null } }],
  [
    'voicemail detection',
    () => ({ voicemailDetection: { provider: 'vapi', beepMaxAwaitSeconds: 3 } }),
    { voicemail_detection: { enabled: true, beepMaxAwaitSeconds: 3 } },
  ],
  [
    'metadata',
    ({ metadata }) => ({ metadata: { ...(metadata as object), industry: 'Law' } }),
    { metadata: { industry: 'Law' } },
  ],
  ['the greeting', () => ({ firstMessage: 'Good day' }), { first_message: 'Good day', first_message_raw: 'Good day' }],
]

describe('the advanced editor after a change on the voice platform', () => {
  test.each(changes)(
    '%s: reads it as a save takes it on, saves nothing, and keeps it when that is sent back',
    async (_what, outside, shown) => {
      const record = await rig.data('PUT', advanced(await rig.data('POST', '/assistants', made)), made)
      await edit(record, outside(await live(record)))
      const read = await rig.data('GET', advanced(record))
      expect(read).toMatchObject(shown)
      expect(await rig.data('GET', pathOf(record))).toEqual(record)
      const {
        updated_at: _time,
        coreData: _core,
        metadata: _data,
        first_message: _text,
        ...same
      } = await sendBack(record)
      expect(read).toMatchObject(same)
    },
  )

  test("a prompt is the assistant's own, and its personality's ending is not said twice", async () => {
    const operator = await rig.operator()
    const { id: template_id } = await rig.data(
      'POST',
      '/admin/prompt-templates',
      { name: 'T', prompt: 'Ours.' },
      operator,
    )
    const warm = { name: 'Warm', prompt: 'Be warm.', voice: { provider: 'vapi', voiceId: 'Elliot' } }
    const { id: personality_id } = await rig.data('POST', '/admin/personalities', warm, operator)
    const record = await rig.data('POST', '/assistants', { name: 'Ann', template_id })
    await rig.data('PUT', advanced(record), { name: 'Ann', personality_id })
    const { model } = await live(record)
    const messages = [{ role: 'system', content: 'Theirs.\n\nBe warm.' }]
    await edit(record, { model: { ...(model as object), messages } })
    expect(await rig.data('GET', advanced(record))).toMatchObject({
      template_id: null,
      personality_id,
      model: { messages: [{ role: 'system', content: 'Theirs.' }] },
      coreData: { model: { messages } },
    })
    await sendBack(record)
  })

  test.each([
    ['firstMessage', 'first_message', 'at once'],
    ['firstMessage', 'first_message', 'after another save'],
    ['endCallMessage', 'end_call_message', 'at once'],
    ['voicemailMessage', 'voicemail_message', 'after another save'],
  ])('a %s with a placeholder that a save would fill stays when it is sent back: %s, %s', async (field, name, when) => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann', [field]: 'Ours' })
    const text = 'I am {{assistant_name}}'
    await edit(record, { [field]: text })
    if (when !== 'at once') await rig.data('PUT', pathOf(record), { name: 'Ann', maxDurationSeconds: 77 })
    expect(await rig.data('GET', advanced(record))).toMatchObject({ [name]: text })
    await sendBack(record)
    expect(await live(record)).toMatchObject({ [field]: text })
    await rig.data('PUT', advanced(record), { name: 'Ann', [field]: 'Ours' })
    expect(await live(record)).toMatchObject({ [field]: 'Ours' })
    expect(await rig.data('GET', advanced(record))).toMatchObject({ [name]: 'Ours' })
  })

  test('what a record has no field for stays on the platform alone', async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann', metadata: { industry: 'Dentists' } })
    const { metadata } = await live(record)
    await edit(record, { metadata: { ...(metadata as object), industry: 5 }, maxDurationSeconds: 77 })
    expect(await rig.data('GET', advanced(record))).toMatchObject({
      metadata: { industry: 'Dentists' },
      max_duration_seconds: 77,
      coreData: { metadata: { industry: 5 } },
    })
  })

  test("what a save that is under way has sent is nobody else's change", async () => {
    const operator = await rig.operator()
    const { id: template_id } = await rig.data(
      'POST',
      '/admin/prompt-templates',
      { name: 'T', prompt: 'For {{company}}.' },
      operator,
    )
    const record = await rig.data('POST', '/assistants', {
      name: 'Ann',
      template_id,
      variableValues: { company: 'Acme' },
    })
    held = new Promise((resolve) => {
      goOn = resolve
    })
    const saving = rig.data('PUT', pathOf(record), { name: 'Ann', variableValues: { company: 'Bolt' } })
    const said = { messages: [{ role: 'system', content: 'For Bolt.' }] }
    await rig.until(async () => Bun.deepEquals(((await live(record)).model as Body).messages, said.messages))
    expect(await rig.data('GET', advanced(record))).toMatchObject({
      template_id,
      metadata: { variable_values: { company: 'Acme' } },
    })
    goOn()
    expect(await saving).toMatchObject({ template_id, model: said })
    expect(await rig.data('GET', advanced(record))).toMatchObject({ template_id, model: said })
  })
})
