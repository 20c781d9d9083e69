import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../admin/caller.ts'
import { builtAssistant } from './built-assistant.ts'
import { createRig, fillLayers, type Layers, type Rig } from './rig.ts'

let rig: Rig
let layers: Layers
let user: Caller
const made = { rohan: 0, custom: 0, voiceless: 0 }
const preset = 'voiced'
const custom = { provider: 'custom-voice', voiceId: 'v1', server: { url: 'https://voice.example' } }
const rohan = { provider: '11labs', voiceId: 'rohan', speed: 1.2 }
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
  user = await rig.caller()
  made.rohan = await rig.entry('personalities', { name: 'Rohan', voice: rohan })
  made.voiceless = await rig.entry('personalities', { name: 'Kind', voice: {}, prompt: 'Be kind.' })
  made.custom = await rig.entry('personalities', { name: 'Custom', voice: custom })
  await rig.entry('layer2-presets', { key: preset, name: 'Voiced', overrides: { voice: { voiceId: 'bella' } } })
})

const sarah = { provider: '11labs', voiceId: 'sarah', stability: 0.4, speed: 0.9 }
const onyx = { provider: 'openai', voiceId: 'onyx', speed: 0.9 }
const onyxOf = () => ({ personality_id: layers.personality })
const rohanOf = () => ({ personality_id: made.rohan })
const customOf = () => ({ personality_id: made.custom })
const built = (body: object = {}) => builtAssistant(rig, user, { base_config_id: layers.base, ...body })
const nobody = { personality_id: null }
const nothing = () => ({})

const cases: [name: string, body: () => object, before: object, sent: () => object, voice: object][] = [
  ['one where there was none', nothing, {}, onyxOf, onyx],
  ['none where there was one', onyxOf, {}, () => nobody, sarah],
  [
    'none above a preset with a voice',
    () => ({ ...onyxOf(), layer2_key: preset }),
    {},
    () => nobody,
    { ...sarah, voiceId: 'bella' },
  ],
  ['another, whose provider knows no speed', rohanOf, {}, customOf, custom],
  ['the voice that an editor named goes', nothing, { voice: { voiceId: 'rachel' } }, rohanOf, { ...sarah, ...rohan }],
  [
    'one without a voice leaves that which an editor named',
    nothing,
    { voice: { voiceId: 'rachel', speed: 1.1 } },
    () => ({ personality_id: made.voiceless }),
    { ...sarah, voiceId: 'rachel', speed: 1.1 },
  ],
  ['the speed that an editor set stays', nothing, { voice: { speed: 1.5 } }, onyxOf, { ...onyx, speed: 1.5 }],
  [
    'and gives way to one that a personality names',
    nothing,
    { voice: { speed: 1.5 } },
    rohanOf,
    { ...sarah, ...rohan },
  ],
  ['or named', rohanOf, { voice: { speed: 1.5 } }, () => nobody, sarah],
  [
    'the speed that an editor took away stays away',
    onyxOf,
    { voice: { speed: null } },
    () => nobody,
    { provider: '11labs', voiceId: 'sarah', stability: 0.4 },
  ],
  [
    'what is said with it goes on top',
    nothing,
    { voice: { speed: 1.5 } },
    () => ({ ...onyxOf(), voice: { voiceId: 'nova', speed: 1.1 } }),
    { provider: 'openai', voiceId: 'nova', speed: 1.1 },
  ],
  [
    'nulls beside one that is chosen leave its voice',
    nothing,
    {},
    () => ({ ...onyxOf(), voice: { voiceId: null, speed: null } }),
    { provider: 'openai', voiceId: 'onyx' },
  ],
  [
    'nulls beside none leave the voice of the layers',
    onyxOf,
    {},
    () => ({ ...nobody, voice: null }),
    { provider: '11labs', voiceId: 'sarah', stability: 0.4 },
  ],
]

describe('a personality that the advanced editor chooses, or leaves, on an assistant that v2 built', () => {
  test.each(cases)('%s', async (_case, body, before, sent, voice) => {
    const assistant = await built(body())
    await assistant.edit('', before)
    const number = (await assistant.entries()).length
    for (const again of [sent(), {}]) {
      expect((await assistant.edit('/advanced', again)).status).toBe(200)
      expect((await assistant.live()).voice).toEqual(voice)
      expect(await assistant.entries()).toHaveLength(number + 1)
      await assistant.settled()
    }
  })

  const taken = ['', '/advanced'].flatMap((at) => [
    { at, voice: null },
    { at, voice: { voiceId: null, speed: null } },
    { at, voice: { voiceId: null } },
  ])
  test.each(taken)('is the voice that is left where %j takes one away', async ({ at, voice }) => {
    const left = voice && !('speed' in voice) ? { speed: 0.9 } : {}
    const chosen: [() => object, object][] = [
      [onyxOf, { provider: 'openai', voiceId: 'onyx', ...left }],
      [customOf, custom],
      [() => nobody, { provider: '11labs', voiceId: 'sarah', stability: 0.4, ...left }],
    ]
    const assistant = await built(onyxOf())
    for (const [personality, given] of chosen) {
      await assistant.edit('/advanced', personality())
      for (const own of [{ voiceId: 'nova', speed: 0.9 }, { speed: 0.9 }]) {
        await assistant.edit(at, { voice: own })
        expect((await assistant.edit(at, { voice })).status).toBe(200)
        expect((await assistant.live()).voice).toEqual(given)
        await assistant.settled()
      }
    }
  })

  test('the history tells of the voice, and goes back', async () => {
    const assistant = await built(onyxOf())
    await assistant.edit('/advanced', nobody)
    const [entry, created] = await assistant.entries()
    expect(entry?.changes.map(({ path }) => path)).toContain('voice.voiceId')
    await user.send('POST', `/assistants/${assistant.id}/update-log/${created?.id}/restore`)
    expect((await assistant.live()).voice).toEqual(onyx)
    await assistant.settled()
  })

  const editors = [
    ['the advanced editor', '/assistants', '/advanced'],
    ['v2', '/v2/assistants', ''],
  ] as const
  test.each(editors)('leaves nothing of the voice that another provider had, by %s', async (_name, path, at) => {
    const assistant = await built()
    const voice = { provider: 'cartesia', voiceId: 'calm', model: 'sonic-2' }
    await rig.app.services.platform.assistants.update(String((await assistant.live()).id), { voice } as never)
    await assistant.edit('', { maxDurationSeconds: 600 })
    expect((await assistant.live()).voice).toEqual(voice)
    for (const [sent, left] of [
      [onyxOf(), onyx],
      [nobody, sarah],
    ]) {
      const body = { name: 'Desk', ...sent }
      expect((await user.send('PUT', `${path}/${assistant.id}${at}`, body)).status).toBe(200)
      expect((await assistant.live()).voice).toEqual(left)
      await assistant.settled()
    }
  })

  test.each(editors)('goes as it was given, although it was changed since, by %s', async (_name, path, at) => {
    const given = { provider: '11labs', voiceId: 'adam', stability: 0.5, style: 0.1, speed: 0.8 }
    const entry = await rig.entry('personalities', { name: 'Adam', voice: given })
    const assistant = await built({ personality_id: entry })
    const voice = { provider: 'openai', voiceId: 'nova' }
    await rig.admin.send('PUT', `/admin/personalities/${entry}`, { name: 'Adam', voice })
    await user.send('PUT', `${path}/${assistant.id}${at}`, { name: 'Desk', ...nobody })
    expect((await assistant.live()).voice).toEqual(sarah)
    await assistant.settled()
  })
})
