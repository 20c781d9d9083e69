import { expect, test } from 'vitest'
import { withoutAttempts } from '../../src/voice-platform/mirror/agreement/intents.ts'

const revision = 'r1'
const sent = { name: 'Agreed', greeting: 'Hello.', note: 'Agreed' }
const base = { liveId: 'live', composed: sent, sent, seen: { ...sent } }
/** A write that met somebody's note, and kept it; it sets the name. */
const keeping = (name: string, note: string) => ({
  sent: { ...sent, name, note },
  outside: { ...sent, note },
  revision,
})

test.each([
  {
    what: 'a change that came between two lost writes is theirs, although the second one sent it too',
    intents: [keeping('First', 'Older'), keeping('Second', 'Newer')],
    live: { ...sent, name: 'Second', note: 'Newer' },
    theirs: { ...sent, note: 'Newer' },
  },
  {
    what: 'what a write made of a change that it saw is ours',
    intents: [{ sent: { ...sent, greeting: 'Ours.' }, outside: { ...sent, greeting: 'Theirs.' }, revision }],
    live: { ...sent, greeting: 'Ours.' },
    theirs: { ...sent, greeting: 'Theirs.' },
  },
  {
    what: 'a change that a write took back to what was agreed on is still there',
    intents: [{ sent, outside: { ...sent, greeting: 'Theirs.' }, revision }],
    live: sent,
    theirs: { ...sent, greeting: 'Theirs.' },
  },
  {
    what: 'a change is still there that came after a write which sent the same as the one that took it back',
    intents: [{ sent: { ...sent, name: 'First' } }, { sent, outside: { ...sent, greeting: 'Theirs.' }, revision }],
    live: sent,
    theirs: { ...sent, greeting: 'Theirs.' },
  },
  {
    what: 'what was seen before another agreement counts no more',
    intents: [{ sent: { ...sent, name: 'Second' }, outside: { ...sent, name: 'Theirs' }, revision: 'r0' }],
    live: { ...sent, name: 'Second' },
    theirs: sent,
  },
])('$what', ({ intents, live, theirs }) => {
  expect(withoutAttempts({ base, revision }, live, intents, undefined)).toEqual(theirs)
})
