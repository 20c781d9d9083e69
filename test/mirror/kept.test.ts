import { expect, test } from 'vitest'
import { bodyToSend } from '../../src/voice-platform/mirror/agreement/merge.ts'

const liveId = 'a-live-id'
const base = (composed: object, sent: object) => ({ liveId, composed, sent, seen: undefined })

test.each([
  ['a field of the object alone', { a: 1 }, { a: 1, b: { c: 2 } }, { a: 1 }, { a: 1, b: { c: 2 } }],
  [
    'beside a changed one',
    { v: { id: 'x' } },
    { v: { id: 'x', chunk: 3 } },
    { v: { id: 'y' } },
    { v: { id: 'y', chunk: 3 } },
  ],
  ['what the record makes up for a field that the object lacks', { max: 600 }, {}, { max: 600 }, {}],
  ['until the record says otherwise', { max: 600 }, {}, { max: 90 }, { max: 90 }],
  [
    'within the items of a list',
    { list: [{ text: 'a' }, { text: 'b' }] },
    { list: [{ text: 'a', own: 1 }, { text: 'b' }] },
    { list: [{ text: 'z' }, { text: 'b' }] },
    { list: [{ text: 'z', own: 1 }, { text: 'b' }] },
  ],
  [
    'of another provider not',
    { voice: { provider: 'a', id: 'x' } },
    { voice: { provider: 'a', id: 'x', own: 1 } },
    { voice: { provider: 'b', id: 'y' } },
    { voice: { provider: 'b', id: 'y' } },
  ],
])('a body keeps %s', (_what, composed, sent, ours, told) => {
  expect(bodyToSend(base(composed, sent), liveId, ours)).toEqual(told)
})

test('a list whose items stand elsewhere on the platform is changed as a whole', () => {
  const [system, user] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ]
  const kept = base({ messages: [system, user] }, { messages: [user, system] })
  expect(bodyToSend(kept, liveId, { messages: [system, user] })).toEqual({ messages: [user, system] })
  const ours = { messages: [{ ...system, content: 'Be kind.' }, user] }
  expect(bodyToSend(kept, liveId, ours)).toEqual(ours)
})

test('what was kept of one object is nothing of another', () => {
  const kept = base({ a: 1 }, { a: 1, b: 2 })
  expect(bodyToSend(kept, 'another-live-id', { a: 1 })).toEqual({ a: 1 })
  expect(bodyToSend(undefined, liveId, { a: 1 })).toEqual({ a: 1 })
})
