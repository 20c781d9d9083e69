import { describe, expect, test } from 'vitest'
import { type Layer, mergeLayers } from '../../src/resources/assistants/rendering/merge-layers.ts'
import { keepEdits, withoutEdits } from '../../src/resources/assistants/write/keep-edits.ts'
import { cpuMs } from '../support/cpu-time.ts'

const system = (content: string) => ({ role: 'system', content })
const user = (content: string) => ({ role: 'user', content })

interface Case {
  name: string
  layers: Layer[]
  config: object
  provenance: Record<string, string>
}

const cases: Case[] = [
  { name: 'no layer says anything', layers: [{ name: 'base_config' }], config: {}, provenance: {} },
  {
    name: 'a higher layer wins, leaf by leaf',
    layers: [
      { name: 'base_config', config: { maxDurationSeconds: 60, voice: { voiceId: 'a', speed: 1 } } },
      { name: 'layer2_preset', config: { voice: { speed: 2 } } },
    ],
    config: { maxDurationSeconds: 60, voice: { voiceId: 'a', speed: 2 } },
    provenance: { maxDurationSeconds: 'base_config', 'voice.speed': 'layer2_preset', 'voice.voiceId': 'base_config' },
  },
  {
    name: 'objects merge however deep',
    layers: [
      { name: 'base_config', config: { analysisPlan: { summaryPlan: { enabled: true, timeoutSeconds: 5 } } } },
      { name: 'layer2_preset', config: { analysisPlan: { summaryPlan: { enabled: false } } } },
    ],
    config: { analysisPlan: { summaryPlan: { enabled: false, timeoutSeconds: 5 } } },
    provenance: {
      'analysisPlan.summaryPlan.enabled': 'layer2_preset',
      'analysisPlan.summaryPlan.timeoutSeconds': 'base_config',
    },
  },
  {
    name: 'arrays replace',
    layers: [
      { name: 'base_config', config: { endCallPhrases: ['bye', 'later'] } },
      { name: 'layer2_preset', config: { endCallPhrases: ['ciao'] } },
    ],
    config: { endCallPhrases: ['ciao'] },
    provenance: { endCallPhrases: 'layer2_preset' },
  },
  {
    name: 'null removes a leaf and a whole object, undefined says nothing',
    layers: [
      { name: 'base_config', config: { firstMessage: 'Hi', voice: { voiceId: 'a', speed: 1 }, monitorPlan: { a: 1 } } },
      { name: 'layer2_preset', config: { firstMessage: undefined, voice: { speed: null }, monitorPlan: null } },
    ],
    config: { firstMessage: 'Hi', voice: { voiceId: 'a' } },
    provenance: { firstMessage: 'base_config', 'voice.voiceId': 'base_config' },
  },
  {
    name: 'another provider takes nothing along but what means the same there',
    layers: [
      {
        name: 'base_config',
        config: { voice: { provider: '11labs', voiceId: 'sarah', stability: 0.4, speed: 0.9 } },
      },
      { name: 'personality', config: { voice: { provider: 'openai', voiceId: 'onyx' } } },
    ],
    config: { voice: { provider: 'openai', voiceId: 'onyx', speed: 0.9 } },
    provenance: { 'voice.provider': 'personality', 'voice.speed': 'base_config', 'voice.voiceId': 'personality' },
  },
  {
    name: 'the same provider keeps its settings',
    layers: [
      { name: 'base_config', config: { transcriber: { provider: 'deepgram', model: 'nova-3', smartFormat: true } } },
      { name: 'layer2_preset', config: { transcriber: { provider: 'deepgram', model: 'nova-2' } } },
    ],
    config: { transcriber: { provider: 'deepgram', model: 'nova-2', smartFormat: true } },
    provenance: {
      'transcriber.model': 'layer2_preset',
      'transcriber.provider': 'layer2_preset',
      'transcriber.smartFormat': 'base_config',
    },
  },
  {
    name: 'the highest prompt is the system message, other messages are kept after it',
    layers: [
      { name: 'base_config', config: { model: { messages: [system('base'), user('example')] } } },
      { name: 'industry_template', prompt: 'industry' },
      { name: 'prompt_template', prompt: 'template' },
      { name: 'request', prompt: null },
    ],
    config: { model: { messages: [system('template'), user('example')] } },
    provenance: { 'model.messages': 'prompt_template' },
  },
  {
    name: 'a request wins over every other prompt, an empty one silences them',
    layers: [
      { name: 'industry_template', prompt: 'industry' },
      { name: 'request', prompt: '' },
    ],
    config: { model: { messages: [] } },
    provenance: { 'model.messages': 'request' },
  },
  {
    name: "a preset's own system message wins over the industry's prompt",
    layers: [
      { name: 'industry_template', prompt: 'industry' },
      { name: 'layer2_preset', config: { model: { messages: [system('preset')] } } },
    ],
    config: { model: { messages: [system('preset')] } },
    provenance: { 'model.messages': 'layer2_preset' },
  },
  {
    name: 'an object over a leaf, a leaf over an object',
    layers: [
      { name: 'base_config', config: { a: 1, b: { c: 1 } } },
      { name: 'layer2_preset', config: { a: { d: 2 }, b: 3 } },
    ],
    config: { a: { d: 2 }, b: 3 },
    provenance: { 'a.d': 'layer2_preset', b: 'layer2_preset' },
  },
]

describe('mergeLayers', () => {
  test.each(cases)('$name', ({ layers, config, provenance }) => {
    const before = structuredClone(layers)
    expect(mergeLayers(layers)).toEqual({ config, provenance })
    expect(layers).toEqual(before)
  })
})

const edits: [name: string, built: object, current: object, next: object, kept: object][] = [
  ['what nobody touched is built anew', { a: 1, b: 2 }, { a: 1, b: 2 }, { a: 3 }, { a: 3 }],
  [
    'an edited leaf stays',
    { v: { s: 1, p: 'x' } },
    { v: { s: 2, p: 'x' } },
    { v: { s: 3, p: 'y' } },
    { v: { s: 2, p: 'y' } },
  ],
  ['a leaf that was added stays', {}, { v: { s: 2 } }, { v: { p: 'y' } }, { v: { s: 2, p: 'y' } }],
  [
    'a leaf that was taken away stays away',
    { v: { s: 1, p: 'x' } },
    { v: { p: 'x' } },
    { v: { s: 3, p: 'y' } },
    { v: { p: 'y' } },
  ],
  ['a whole object that was taken away stays away', { v: { s: 1 } }, {}, { v: { s: 1 } }, {}],
  ['an object that no layer sets any more goes', { v: { s: 1 } }, { v: { s: 1 } }, {}, {}],
  ['arrays are edited as a whole', { l: [1] }, { l: [1, 2] }, { l: [3] }, { l: [1, 2] }],
]

test('keepEdits takes a key that every object has for what it is', () => {
  expect(keepEdits({}, { constructor: 'own' }, {})).toEqual({ constructor: 'own' })
  expect(keepEdits({ valueOf: 1 }, { valueOf: 1 }, {})).toEqual({})
})

test.each(edits)('keepEdits: %s', (_name, built, current, next, kept) => {
  expect(keepEdits({ ...built }, { ...current }, { ...next })).toEqual(kept)
})

test('withoutEdits: named leaves are as they were built', () => {
  const built = { a: 1, v: { s: 1 } }
  const current = { a: 2, b: 3, v: { s: 2, p: 'x' } }
  expect(withoutEdits(built, current, ['a', 'b', 'v.s', 'v.p', 'w.x'])).toEqual({ a: 1, v: { s: 1 } })
})

test('layers with many leaves are merged as fast as few, leaf for leaf', () => {
  const leaves = (count: number, value: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, value]))
  const cost = (count: number) =>
    cpuMs(() =>
      mergeLayers([
        { name: 'base_config', config: { analysisPlan: leaves(count, 1) } },
        { name: 'request', config: { analysisPlan: leaves(count, 2) } },
      ]),
    )
  cost(1_000)
  const few = cost(5_000)
  // Four times as many may cost eight times as much; the square would be sixteen.
  expect(cost(20_000)).toBeLessThan(8 * few)
})
