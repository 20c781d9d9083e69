import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/json/object.ts'
import { agreedOn, type Base } from '../../src/voice-platform/mirror/agreement/base.ts'
import { type Defaults, outsideChanges } from '../../src/voice-platform/mirror/agreement/difference.ts'
import { leavesBetween, withLeaves } from '../../src/voice-platform/mirror/agreement/leaves.ts'
import { merge } from '../../src/voice-platform/mirror/agreement/merge.ts'

const body: Json = {
  name: 'Ann',
  firstMessage: '',
  maxDurationSeconds: 600,
  serverMessages: ['hang', 'transcript'],
  endCallPhrases: [],
  voice: { provider: 'vapi', voiceId: 'Elliot', speed: 1.2 },
  model: { provider: 'openai', messages: [{ role: 'system', content: 'Hi' }], toolIds: ['a', 'b'] },
  hooks: [{ on: 'x' }],
  server: { url: 'https://hooks.example' },
  metadata: { city: 'Austin', external_ref: 'ref' },
}
const madeByServer = { id: '1', orgId: '2', createdAt: 'then', updatedAt: 'now', latestVersion: 'v' }
const agreed = (live: object = { ...body, ...madeByServer }): Base<Json> =>
  agreedOn({ liveId: '1', composed: body, sent: body }, live)
const changed = (changes: Json) => ({ ...structuredClone(body), ...madeByServer, ...changes })

describe('outsideChanges', () => {
  const defaults: Defaults = { maxDurationSeconds: 600, serverMessages: ['transcript', 'hang'] }
  const normalised = { ...body, ...madeByServer, voice: { ...(body.voice as Json), chunkPlan: { enabled: true } } }
  test.each<[string, Json, string[]]>([
    ['the same', changed({}), []],
    ['what the server makes', changed({ orgId: '3', updatedAt: 'later', isServerUrlSecretSet: true }), []],
    ['nothing instead of empty', changed({ firstMessage: null, endCallPhrases: undefined }), []],
    ['another order of a set', changed({ serverMessages: ['transcript', 'hang'] }), []],
    ['another order of nested sets', changed({ model: { ...(body.model as Json), toolIds: ['b', 'a'] } }), []],
    ['a default that is left out', changed({ maxDurationSeconds: undefined, serverMessages: undefined }), []],
    ['a number as text', changed({ maxDurationSeconds: '600' }), []],
    ['another reference of ours', changed({ metadata: { city: 'Austin' } }), []],
    ['another name', changed({ name: 'Bob' }), ['name']],
    ['a text where there was none', changed({ firstMessage: 'Hi' }), ['firstMessage']],
    ['a nested value', changed({ voice: { provider: 'vapi', voiceId: 'Cole', speed: 1.2 } }), ['voice.voiceId']],
    ['a nested value that is gone', changed({ voice: { provider: 'vapi', voiceId: 'Elliot' } }), ['voice.speed']],
    ['a nested value more', changed({ model: { ...(body.model as Json), maxTokens: 60 } }), ['model.maxTokens']],
    ['an item', changed({ hooks: [{ on: 'y' }] }), ['hooks.0.on']],
    ['a longer list', changed({ hooks: [{ on: 'x' }, { on: 'y' }] }), ['hooks']],
    ['a shorter set', changed({ serverMessages: ['hang'] }), ['serverMessages']],
    ['a block that is gone', changed({ server: null }), ['server']],
    ['a metadata key', changed({ metadata: { city: 'Boston', external_ref: 'ref' } }), ['metadata.city']],
  ])('%s', (_, live, paths) => {
    expect(outsideChanges(agreed(), live, defaults).map(({ path }) => path.join('.'))).toEqual(paths)
  })

  test('keeps apart what the platform added when it was told', () => {
    expect(outsideChanges(agreed(normalised), normalised)).toEqual([])
    expect(outsideChanges(agreed(normalised), body)).toEqual([
      { path: ['voice', 'chunkPlan'], from: { enabled: true }, to: undefined },
    ])
  })

  test('learns what the platform adds when its response said little', () => {
    const base = agreed({ id: '1' })
    expect(base.seen).toBeUndefined()
    expect(outsideChanges(base, normalised)).toEqual([])
    expect(outsideChanges(base, changed({ name: 'Bob' }))).toEqual([{ path: ['name'], from: 'Ann', to: 'Bob' }])
  })

  test('takes a return to what was told for no change', () => {
    const base = agreed({ ...body, maxDurationSeconds: 500 })
    expect(outsideChanges(base, { ...body, maxDurationSeconds: 500 })).toEqual([])
    expect(outsideChanges(base, body)).toEqual([])
  })
})

describe('merge', () => {
  const merged = (live: Json, ours: Json, base = agreed()) => merge(base, outsideChanges(base, live), ours)

  test.each<[string, Json, Json, Json]>([
    ['nothing', {}, {}, {}],
    ['ours alone', {}, { name: 'Bob' }, { name: 'Bob' }],
    ['theirs alone', { name: 'Bob' }, {}, { name: 'Bob' }],
    ['different leaves', { name: 'Bob' }, { firstMessage: 'Hi' }, { name: 'Bob', firstMessage: 'Hi' }],
    ['one leaf on both sides', { name: 'Bob' }, { name: 'Eve' }, { name: 'Eve' }],
    [
      'leaves of one object',
      { voice: { provider: 'vapi', voiceId: 'Cole', speed: 1.2 } },
      { voice: { provider: 'vapi', voiceId: 'Elliot', speed: 2 } },
      { voice: { provider: 'vapi', voiceId: 'Cole', speed: 2 } },
    ],
    [
      'another provider of ours',
      { voice: { provider: 'vapi', voiceId: 'Cole', speed: 1.2 } },
      { voice: { provider: '11labs', voiceId: 'x' } },
      { voice: { provider: '11labs', voiceId: 'x' } },
    ],
    [
      'a longer list of theirs',
      { hooks: [{ on: 'x' }, { on: 'y' }] },
      { name: 'Eve' },
      { hooks: [{ on: 'x' }, { on: 'y' }], name: 'Eve' },
    ],
    ['a block that ours clears', { server: { url: 'https://other.example' } }, { server: null }, { server: undefined }],
  ])('%s', (_, theirs, mine, result) => {
    const { body: made } = merged(changed(theirs), { ...body, ...mine })
    expect(leavesBetween(made, { ...body, ...result })).toEqual([])
  })

  test('tells what gave way', () => {
    const { overruled } = merged(changed({ name: 'Bob', firstMessage: 'Hi' }), { ...body, name: 'Eve' })
    expect(overruled).toEqual([{ path: ['name'], from: 'Ann', to: 'Bob' }])
  })

  test('takes what was set for ours, also where it is what was agreed on', () => {
    const taken = { ...body, name: 'Bob', firstMessage: 'Hi' }
    const outside = outsideChanges(agreed(), changed({ name: 'Bob', firstMessage: 'Hi' }))
    const { body: made, overruled } = merge(agreed(), outside, { ...body, firstMessage: 'Hi' }, taken)
    expect([made, overruled.map(({ path }) => path)]).toEqual([{ ...body, firstMessage: 'Hi' }, [['name']]])
  })

  test('is refused where both sides would differ and count as agreed', () => {
    const ours = { ...body, name: 'Eve' }
    expect(() => merge(agreed(), [], ours, ours)).toThrow('A record and its live object would differ at name')
  })

  test('sends what was kept of an earlier change again', () => {
    const sent = { ...body, voice: { ...(body.voice as Json), stability: 0.5 } }
    const base = agreedOn({ liveId: '1', composed: body, sent }, { ...sent, ...madeByServer })
    expect(merged({ ...sent, ...madeByServer }, { ...body, name: 'Eve' }, base).body).toEqual({ ...sent, name: 'Eve' })
  })

  test('is ours to the letter where nothing of theirs is left', () => {
    const ours = { ...body, name: 'Eve' }
    expect(merged(changed({}), ours).body).toBe(ours)
  })

  test('never sends what the platform shows in place of a secret', () => {
    const told = { server: { url: 'https://a.example', headers: { 'X-Key': 'secret' } }, name: 'A' }
    const shown = { server: { url: 'https://a.example', headers: { 'X-Key': '***' } }, name: 'A' }
    const base = agreedOn<Json>({ liveId: '1', composed: told, sent: told }, shown)
    expect(merged({ ...shown, name: 'B' }, told, base).body).toEqual({ ...told, name: 'B' })
  })
})

test('withLeaves leaves its body as it is', () => {
  const made = withLeaves(body, [
    { path: ['voice', 'speed'], to: undefined },
    { path: ['model', 'messages', '0', 'content'], to: 'Ho' },
  ])
  expect(leavesBetween(body, made).map(({ path }) => path.join('.'))).toEqual([
    'voice.speed',
    'model.messages.0.content',
  ])
})

test('a key that every object has is like any other', () => {
  const one = { server: { headers: { constructor: 'a', 'X-Key': 'b' } } }
  const other = { server: { headers: { 'X-Key': 'b' } } }
  const away = [{ path: ['server', 'headers', 'constructor'], from: 'a', to: undefined }]
  expect(leavesBetween(one, other)).toEqual(away)
  expect(withLeaves(one, away)).toEqual(other)
  expect(leavesBetween(other, withLeaves(other, [{ path: ['server', 'headers', 'toString'], to: 'c' }]))).toEqual([
    { path: ['server', 'headers', 'toString'], from: undefined, to: 'c' },
  ])
})
