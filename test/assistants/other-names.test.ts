import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'

let rig: DriftRig
beforeAll(async () => {
  rig = await createDriftRig()
})
afterAll(() => rig.stop())

const make = async (): Promise<Body> => rig.data('POST', '/assistants', { name: 'Ann' })
const put = (record: Body, body: object, editor = '/advanced') =>
  rig.data('PUT', `/assistants/${record.assistant_id}${editor}`, { name: 'Ann', ...body })
const live = async (record: Body) =>
  (await rig.outside.assistants.get(String(record.voice_assistant_id))) as unknown as Body
/** The same under the platform's own names, as layers and imports bring it. */
async function store(record: Body, config: object) {
  const { sql } = rig.app.database
  await sql`update assistants set config = config || ${JSON.stringify(config)}::text::jsonb where assistant_id = ${String(record.assistant_id)}`
}

const smart = (on: boolean) => ({ backgroundSpeechDenoisingPlan: { smartDenoising: on } })
const flag = (on: boolean) => ({ backgroundDenoisingEnabled: on })
const liveSmart = (on: boolean) => ({ backgroundSpeechDenoisingPlan: { smartDenoisingPlan: { enabled: on } } })
const native = (on: boolean) => liveSmart(on)

const cases: [what: string, first: object, then: object, shown: object, live: object][] = [
  ['a flag over its plan', smart(false), flag(true), { background_denoising_enabled: true }, liveSmart(true)],
  [
    'a flag that is off over its plan',
    smart(true),
    flag(false),
    { background_denoising_enabled: false },
    liveSmart(false),
  ],
  [
    'a plan over its flag',
    flag(true),
    smart(false),
    { background_denoising_enabled: false, background_speech_denoising_plan: { smartDenoising: false } },
    liveSmart(false),
  ],
  [
    'both, where the plan counts',
    flag(true),
    { ...flag(true), ...smart(false) },
    { background_denoising_enabled: true, background_speech_denoising_plan: { smartDenoising: false } },
    liveSmart(false),
  ],
  [
    'another switch of the plan',
    { ...flag(true) },
    { backgroundSpeechDenoisingPlan: { fourierDenoising: true } },
    { background_denoising_enabled: true },
    {
      backgroundSpeechDenoisingPlan: { smartDenoisingPlan: { enabled: true }, fourierDenoisingPlan: { enabled: true } },
    },
  ],
  [
    'a summary over the analysis plan',
    { analysisPlan: { summaryPlan: { enabled: true, timeoutSeconds: 9 } } },
    { artifactPlan: { summary: false } },
    { artifact_plan: { summary: false } },
    { analysisPlan: { summaryPlan: { enabled: false, timeoutSeconds: 9 } } },
  ],
  [
    'an analysis plan over the summary',
    { artifactPlan: { summary: false, recording: false } },
    { analysisPlan: { summaryPlan: { enabled: true } } },
    { artifact_plan: { recording: false } },
    { analysisPlan: { summaryPlan: { enabled: true } } },
  ],
  [
    'a delay over the platform’s own',
    { startSpeakingPlan: { waitSeconds: 0.2, smartEndpointingEnabled: true } },
    { startSpeakingPlan: { initialDelayMs: 700 } },
    { start_speaking_plan: { initialDelayMs: 700, smartEndpointingEnabled: true } },
    { startSpeakingPlan: { waitSeconds: 0.7 } },
  ],
]

describe('a setting with two names (assistants 27)', () => {
  test.each(cases)('%s', async (_, first, then, shown, there) => {
    const record = await make()
    await put(record, first)
    const saved = await put(record, then)
    expect(saved).toMatchObject(shown)
    expect(await live(record)).toMatchObject(there)
    const read = await rig.data('GET', `/assistants/${record.assistant_id}/advanced`)
    const back = {
      ...flag(Boolean(read.background_denoising_enabled)),
      backgroundSpeechDenoisingPlan: read.background_speech_denoising_plan,
    }
    await put(record, back)
    expect(await live(record)).toMatchObject(there)
  })

  test.each(['', '/advanced'])('one of ours over the platform’s own that was imported: PUT %s', async (editor) => {
    const record = await make()
    await store(record, native(true))
    await put(record, { maxDurationSeconds: 99 }, editor)
    expect(await live(record)).toMatchObject(liveSmart(true))
    await put(record, smart(false), editor)
    expect(await live(record)).toMatchObject(liveSmart(false))
  })

  test.each<[string, Body, object]>([
    ['the flag alone', flag(true), { background_denoising_enabled: false, background_speech_denoising_plan: null }],
    [
      'the plan beside it',
      { ...flag(true), ...smart(true) },
      { background_speech_denoising_plan: { smartDenoising: false } },
    ],
  ])('what is switched off outside is so under the name that the record has: %s', async (_, first, shown) => {
    const record = await make()
    await put(record, first)
    await rig.outside.assistants.update(String(record.voice_assistant_id), liveSmart(false) as never)
    expect(await put(record, {})).toMatchObject(shown)
    expect(await put(record, flag(true))).toMatchObject({ background_denoising_enabled: true })
    expect(await live(record)).toMatchObject(liveSmart(true))
  })

  test('the platform’s own name follows what is changed outside', async () => {
    const record = await make()
    await put(record, smart(true))
    await store(record, {
      backgroundSpeechDenoisingPlan: { smartDenoising: true, smartDenoisingPlan: { enabled: true } },
    })
    await rig.outside.assistants.update(String(record.voice_assistant_id), liveSmart(false) as never)
    expect(await put(record, {})).toMatchObject({ background_speech_denoising_plan: { smartDenoising: false } })
  })
})
