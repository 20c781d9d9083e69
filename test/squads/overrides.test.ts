import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { violations } from '../support/voice-platform/description.ts'

let rig: DriftRig
let ann: Body
beforeAll(async () => {
  rig = await createDriftRig()
  ann = await rig.data('POST', '/assistants', { name: 'Ann' })
})
afterAll(() => rig.stop())

const openai = { provider: 'openai', model: 'gpt-4.1' }
const vapi = { provider: 'vapi', voiceId: 'Elliot' }
const deepgram = { provider: 'deepgram', model: 'nova-3' }

async function publish(body: Body) {
  const { external_squad_id: id } = await rig.data('POST', '/squads', { name: 'Team', members: [] })
  return rig.send('PUT', `/squads/${id}`, { name: 'Team', ...body })
}
const member = (assistantOverrides: Body) => ({ assistantId: ann.assistant_id, assistantOverrides })
/** The overrides of the one member, and those of all without our mark. */
async function liveOf({ external_squad_id: id }: Body) {
  const live = await rig.outside.squads.get(String(id))
  const { members, membersOverrides } = JSON.parse(JSON.stringify(live))
  const { metadata, ...forAll } = membersOverrides
  const { external_ref: _mark, ...own } = metadata
  return [members[0].assistantOverrides, { ...forAll, ...(Object.keys(own).length > 0 && { metadata: own }) }]
}

const cases: [what: string, overrides: Body, live: Body][] = [
  ['a sound of ours, without a place for it', { backgroundSound: 'rain' }, { backgroundSound: 'off' }],
  ['no sound', { backgroundSound: 'none' }, { backgroundSound: 'off' }],
  ['the platform’s own sound', { backgroundSound: 'office' }, { backgroundSound: 'office' }],
  ['too few tokens', { model: { maxTokens: 1 } }, { model: { ...openai, maxTokens: 50 } }],
  [
    'a setting of functions',
    { model: { functionCall: 'auto', temperature: 0 } },
    { model: { ...openai, temperature: 0 } },
  ],
  ['too much speed', { voice: { speed: 4 } }, { voice: { ...vapi, speed: 2 } }],
  ['turns of another transcriber', { transcriber: { formatTurns: true } }, { transcriber: deepgram }],
  [
    'a delay before speaking',
    { startSpeakingPlan: { initialDelayMs: 500 } },
    { startSpeakingPlan: { waitSeconds: 0.5 } },
  ],
  [
    'a delay after speaking',
    { stopSpeakingPlan: { initialDelayMs: 500 } },
    { stopSpeakingPlan: { backoffSeconds: 0.5 } },
  ],
  ['a recording that is allowed', { compliancePlan: { recordingEnabled: true } }, {}],
  [
    'a recording that is forbidden',
    { compliancePlan: { recordingEnabled: false, hipaaEnabled: false } },
    { compliancePlan: { hipaaEnabled: false }, artifactPlan: { recordingEnabled: false } },
  ],
  ['what is kept', { artifactPlan: { recording: true } }, { artifactPlan: { recordingEnabled: true } }],
  [
    'an analysis that is off',
    { artifactPlan: { summary: false } },
    { analysisPlan: { summaryPlan: { enabled: false } } },
  ],
  [
    'a denoiser',
    { backgroundSpeechDenoisingPlan: { smartDenoising: true } },
    { backgroundSpeechDenoisingPlan: { smartDenoisingPlan: { enabled: true } } },
  ],
  [
    'a denoiser that is off',
    { backgroundDenoisingEnabled: false },
    { backgroundSpeechDenoisingPlan: { smartDenoisingPlan: { enabled: false } } },
  ],
  ['keys that have no counterpart', { keypadInputPlan: { maxDigits: 4 } }, {}],
  ['an address of the platform’s', { monitorPlan: { websocketUrl: 'wss://a.example' } }, {}],
  ['the longest duration', { maxDurationSeconds: 43_200 }, { maxDurationSeconds: 43_200 }],
  ['messages of no kind', { clientMessages: ['transcript', 'zz'] }, { clientMessages: ['transcript'] }],
  ['unknown names', { foo: 1, first_message: 'x', constructor: 'y', firstMessage: 'Hi' }, { firstMessage: 'Hi' }],
  [
    'a secret of its server, whatever header has that name',
    { server: { url: 'https://a.example', secret: 's', headers: { 'x-vapi-secret': 'other', 'X-Team': 'a' } } },
    { server: { url: 'https://a.example', headers: { 'X-Team': 'a', 'X-Vapi-Secret': 's' } } },
  ],
  ['nulls', { voice: null, firstMessage: null }, {}],
  ['what is the platform’s already', { metadata: { a: 1 }, hooks: [] }, { metadata: { a: 1 }, hooks: [] }],
]

describe('overrides go to the platform as an assistant’s configuration does, and are shown as they were sent', () => {
  test.each(cases)('%s', async (_, overrides, live) => {
    const body = { members: [member(overrides)], membersOverrides: overrides }
    const { status, body: published } = await publish(body)
    expect([status, published.message]).toEqual([200, undefined])
    const squad = published.data as Body
    expect(squad).toMatchObject({ members: [{ assistantOverrides: overrides }], members_overrides: overrides })
    expect(await liveOf(squad)).toEqual([live, live])
    const create = rig.platform.requests.findLast(({ method, path }) => method === 'POST' && path === '/squad')
    expect(violations('CreateSquadDTO', create?.body)).toEqual([])
    expect(await rig.sweep()).toEqual([])

    // A change outside leaves the others in the record as they were sent.
    const at = `/squads/${squad.external_squad_id}`
    const { members, membersOverrides } = JSON.parse(
      JSON.stringify(await rig.outside.squads.get(String(squad.external_squad_id))),
    )
    const more = { endCallMessage: 'Bye' }
    await rig.outside.squads.update(String(squad.external_squad_id), {
      members: [{ ...members[0], assistantOverrides: { ...members[0].assistantOverrides, ...more } }],
      membersOverrides: { ...membersOverrides, ...more },
    } as never)
    expect(await rig.data('POST', `${at}/reconcile`, { keep: 'merge' })).toMatchObject({
      members: [{ assistantOverrides: { ...overrides, ...more } }],
      members_overrides: { ...overrides, ...more },
    })
    expect(await liveOf(squad)).toEqual([
      { ...live, ...more },
      { ...live, ...more },
    ])
    const { status: saved } = await rig.send('PUT', at, { name: 'Team', members: [member({ ...overrides, ...more })] })
    expect(saved).toBe(200)
    expect(await liveOf(squad)).toEqual([
      { ...live, ...more },
      { ...live, ...more },
    ])
    expect(await rig.sweep()).toEqual([])
  })

  test.each<[Body, string]>([
    [{ model: { provider: 'zz', maxTokens: 1 } }, 'model.provider'],
    [{ voice: { provider: 'constructor', voiceId: 'x', speed: 2 } }, 'voice.provider'],
    [{ transcriber: { provider: 'toString', confidenceThreshold: 0.5 } }, 'transcriber.provider'],
    [{ firstMessage: 11 }, 'firstMessage'],
    [{ maxDurationSeconds: 'long' }, 'maxDurationSeconds'],
    [{ startSpeakingPlan: 5 }, 'startSpeakingPlan'],
    [{ endCallPhrases: 'bye' }, 'endCallPhrases'],
    [{ name: 'x'.repeat(41) }, 'name'],
  ])('what is of another type is the platform’s to refuse: %j', async (overrides, field) => {
    const { status, body } = await publish({ members: [member(overrides)] })
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining(`Squad payload invalid: members.0.assistantOverrides.${field} must`),
    ])
  })

  test.each<[what: string, overrides: Body, outside: Body]>([
    ['of functions', { model: { functionCall: 'auto', temperature: 0 } }, { model: { temperature: 1 } }],
    [
      'of a volume',
      { startSpeakingPlan: { volume: 0.3, initialDelayMs: 500 } },
      { startSpeakingPlan: { waitSeconds: 0.9 } },
    ],
    ['of keys', { keypadInputPlan: { maxDigits: 4, enabled: true } }, { keypadInputPlan: { timeoutSeconds: 3 } }],
    ['of our own', { artifactPlan: { recording: true, myOwn: 1 } }, { artifactPlan: { loggingEnabled: true } }],
  ])(
    'a setting %s that is kept here alone stays when another of its field was changed outside',
    async (_, own, outside) => {
      const { body } = await publish({ members: [member(own)], membersOverrides: own })
      const at = `/squads/${(body.data as Body).external_squad_id}`
      const id = String((body.data as Body).external_squad_id)
      const { members, membersOverrides } = JSON.parse(JSON.stringify(await rig.outside.squads.get(id)))
      const [field = ''] = Object.keys(outside)
      const changed = (all: Body) => ({ ...all, [field]: { ...(all[field] as Body), ...(outside[field] as Body) } })
      await rig.outside.squads.update(id, {
        members: [{ ...members[0], assistantOverrides: changed(members[0].assistantOverrides) }],
        membersOverrides: changed(membersOverrides),
      } as never)
      expect(await rig.data('POST', `${at}/reconcile`, { keep: 'theirs' })).toMatchObject({
        members: [{ assistantOverrides: changed(own) }],
        members_overrides: changed(own),
      })
      expect(await rig.sweep()).toEqual([])
    },
  )

  test('shared values of any kind fill texts, or nothing, on a test call', async () => {
    const values = { word: 'tea', odd: { toString: 1, valueOf: 1 }, list: ['y'.repeat(200_000), 'z'] }
    const firstMessage = `{{word}}${'{{list}}'.repeat(5_000)}{{odd}}!`
    const { body } = await publish({ members: [member({ firstMessage })], variableValues: values })
    const path = `/squads/${(body.data as Body).external_squad_id}/test-calls`
    const { status, body: called } = await rig.send('POST', path, { messages: ['Hi'] })
    expect([status, (called.data as Body).transcript]).toEqual([201, expect.stringContaining('tea!')])
  })

  test('what was changed outside of what a record says in other words takes its place', async () => {
    const overrides = { voice: { speed: 4 }, artifactPlan: { recording: true }, foo: 1 }
    const { body } = await publish({ members: [member(overrides)] })
    const squad = body.data as Body
    const id = String(squad.external_squad_id)
    const members = [
      {
        assistantId: ann.voice_assistant_id,
        assistantOverrides: { voice: { ...vapi, speed: 1.5 }, artifactPlan: { recordingEnabled: false } },
      },
    ]
    await rig.outside.squads.update(id, { members } as never)
    expect(await rig.data('POST', `/squads/${id}/reconcile`, { keep: 'theirs' })).toMatchObject({
      members: [{ assistantOverrides: { voice: { speed: 1.5 }, artifactPlan: { recordingEnabled: false }, foo: 1 } }],
    })
    expect(await rig.sweep()).toEqual([])
  })
})

describe('what is beyond the bounds of an assistant’s own settings is refused on its field', () => {
  test.each<[Body, string, string]>([
    [{ maxDurationSeconds: 43_201 }, 'maxDurationSeconds', 'be at most 43200'],
    [{ maxDurationSeconds: 9 }, 'maxDurationSeconds', 'be at least 10'],
    [{ voice: { speed: 4.5 } }, 'voice.speed', 'be at most 4'],
    [{ transcriber: { confidenceThreshold: -0.1 } }, 'transcriber.confidenceThreshold', 'be at least 0'],
    [{ startSpeakingPlan: { initialDelayMs: '700' } }, 'startSpeakingPlan.initialDelayMs', 'be a number'],
    [{ stopSpeakingPlan: { initialDelayMs: -1 } }, 'stopSpeakingPlan.initialDelayMs', 'be at least 0'],
    [{ voice: { speed: 'fast' } }, 'voice.speed', 'be a number'],
    [{ model: { maxTokens: 0 } }, 'model.maxTokens', 'be at least 1'],
    [{ endCallMessage: 'x'.repeat(1001) }, 'endCallMessage', 'have at most 1000 characters'],
  ])('%j', async (overrides, field, text) => {
    const errorsAt = (place: string) => ({ [`${place}.${field}`]: [`The ${place}.${field} field must ${text}.`] })
    const [own, forAll] = ['members.0.assistantOverrides', 'membersOverrides'].map(errorsAt)
    const sent = { name: 'Team', members: [member(overrides)], membersOverrides: overrides }
    expect(await rig.send('POST', '/squads', sent)).toMatchObject({
      status: 422,
      body: { success: false, errors: { ...own, ...forAll } },
    })
    expect(await publish({ members: [member(overrides)] })).toMatchObject({ status: 422, body: { errors: own } })
  })

  test('what the live squad was given outside can be sent again', async () => {
    const { body } = await publish({ members: [member({ voice: { provider: 'playht', voiceId: 'jennifer' } })] })
    const squad = body.data as Body
    const id = String(squad.external_squad_id)
    const { members } = JSON.parse(JSON.stringify(await rig.outside.squads.get(id)))
    members[0].assistantOverrides.voice.speed = 5
    await rig.outside.squads.update(id, { members } as never)
    const taken = await rig.data('POST', `/squads/${id}/reconcile`, { keep: 'theirs' })
    expect(taken).toMatchObject({ members: [{ assistantOverrides: { voice: { speed: 5 } } }] })
    const again = { name: 'Team', members: taken.members }
    expect((await rig.send('PUT', `/squads/${id}`, again)).status).toBe(200)
    const faster = {
      name: 'Team',
      members: [member({ voice: { provider: 'playht', voiceId: 'jennifer', speed: 4.9 } })],
    }
    expect((await rig.send('PUT', `/squads/${id}`, faster)).status).toBe(422)
  })
})
