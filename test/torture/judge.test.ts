import { describe, expect, test } from 'vitest'
import { Book, type Write } from '../../torture/book.ts'
import type { Json } from '../../torture/clients/api.ts'
import type { World } from '../../torture/clients/world.ts'
import { divergences } from '../../torture/judge/mirror.ts'
import { judgeWrites } from '../../torture/judge/writes.ts'
import { OptionError, readOptions } from '../../torture/options.ts'
import type { LiveObject, VoicePlatform } from '../../torture/outside/voice-platform.ts'

const record = (fields: Json = {}): Json => ({
  assistant_id: 'public',
  voice_assistant_id: 'live',
  name: 'w1',
  first_message: 'Hello from w1',
  max_duration_seconds: 600,
  metadata: { company_name: 'w1' },
  ...fields,
})

const liveOf = (id: string, body: Json): LiveObject => ({ id, createdAt: '', updatedAt: '', body })
const remote = (fields: Json = {}) =>
  liveOf('live', {
    name: 'w1',
    firstMessage: 'Hello from w1',
    maxDurationSeconds: 600,
    metadata: { external_ref: 'public' },
    ...fields,
  })

function objects(parts: { assistants?: LiveObject[]; numbers?: LiveObject[] }): VoicePlatform['objects'] {
  const byId = (all: LiveObject[] = []) => new Map(all.map((one) => [one.id, one]))
  return { assistant: byId(parts.assistants), squad: new Map(), 'phone-number': byId(parts.numbers) }
}

const state = (assistants: Json[], numbers: Json[] = []) => ({ assistants, squads: [], numbers })

describe('the judge of both sides', () => {
  const number = { voice_phone_number_id: 'n', phone_number: '+1', name: 'w2', voice_assistant_id: 'gone' }
  const leading = liveOf('n', { number: '+1', name: 'w2', assistantId: 'gone' })
  test.each<[string, string[], Parameters<typeof state>, Parameters<typeof objects>[0]]>([
    ['nothing where they agree', [], [[record()]], { assistants: [remote()] }],
    ['a remote object that is missing', ['live assistant of w1 is missing'], [[record()]], {}],
    ['an object without a record', ['live assistant w1 has no record'], [[]], { assistants: [remote()] }],
    [
      'another name',
      ['assistant w1 differs in name: recorded "w1", live "w0"'],
      [[record()]],
      { assistants: [remote({ name: 'w0' })] },
    ],
    [
      'a number that leads nowhere',
      ['number +1 leads to an assistant that is gone'],
      [[], [number]],
      { numbers: [leading] },
    ],
    [
      'a number that leads elsewhere',
      ['number +1 differs in assistant: recorded null, live "gone"'],
      [[], [{ ...number, voice_assistant_id: null }]],
      { numbers: [leading] },
    ],
  ])('finds %s', (_name, expected, [assistants, numbers], live) => {
    expect(divergences(state(assistants, numbers), objects(live), new Set())).toEqual(expected)
  })
})

describe('the judge of writes', () => {
  const write = (fields: Partial<Write>): Write => ({
    ...{ subject: 'assistant', action: 'update', target: 'public', token: 'w2', startedAt: 10, endedAt: 20 },
    ...{ outcome: 'done', tries: 1, said: '' },
    ...fields,
  })
  const made = write({ action: 'create', target: 'w1', token: 'w1', startedAt: 0, endedAt: 5, id: 'public' })
  const shows = (token: string) => record({ name: token, first_message: `Hello from ${token}` })

  test.each<[string, { divergences?: RegExp; losses?: RegExp }, Write[], Json[]]>([
    ['nothing in an update that shows', {}, [made, write({})], [shows('w2')]],
    ['nothing in an unknown one that does not', {}, [made, write({ outcome: 'unknown' })], [shows('w1')]],
    ['an acknowledged one that is lost', { losses: /lost the update/ }, [made, write({})], [shows('w1')]],
    ['a refused one that shows', { divergences: /refused/ }, [made, write({ outcome: 'refused' })], [shows('w2')]],
    ['a create that is gone', { losses: /gone without a delete/ }, [made], []],
    ['nothing in one that may be deleted', {}, [made, write({ action: 'delete', outcome: 'unknown' })], []],
    ['one that was deleted', { divergences: /still there/ }, [made, write({ action: 'delete' })], [shows('w1')]],
    ['a create that was refused', { divergences: /made although/ }, [{ ...made, outcome: 'refused' }], [shows('w1')]],
    ['two of one create', { divergences: /more than once/ }, [made], [shows('w1'), shows('w1')]],
    [
      'a mixture of two',
      { divergences: /another write's words/ },
      [made],
      [record({ first_message: 'Hello from w0' })],
    ],
  ])('finds %s', (_name, expected, writes, assistants) => {
    const book = new Book('w')
    for (const one of writes) book.add(one)
    const world: Pick<World, 'book'> = { book }
    const found = judgeWrites(world, state(assistants))
    for (const kind of ['divergences', 'losses'] as const) {
      const texts = found[kind].join('\n')
      if (expected[kind]) expect(texts).toMatch(expected[kind])
      else expect(texts).toBe('')
    }
  })
})

test.each([
  [['--rounds', '0'], '--rounds must be a whole number from 1 to 1000.'],
  [['--instances', '2'], 'Several instances need a database that they share: add --postgres.'],
  [['--clients', '7'], '--clients must be a whole number from 8 to 16.'],
])('%j is refused in words', (args, message) => {
  expect(() => readOptions(args)).toThrow(new OptionError(message))
})
