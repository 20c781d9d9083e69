import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import { createDatabaseStore, type PlatformStore } from '../../src/voice-platform/embedded/store/store.ts'
import { freshDatabase } from '../support/database.ts'

let database: DatabaseHandle
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds))

describe.each<[string, () => PlatformStore]>([
  ['in memory', createMemoryStore],
  ['in the database', () => createDatabaseStore(database.db)],
])('%s', (_, create) => {
  let store: PlatformStore
  const ids = Array.from({ length: 3 }, () => crypto.randomUUID())
  const [first = '', second = '', third = ''] = ids

  beforeAll(async () => {
    store = create()
    for (const [index, id] of ids.entries()) {
      const body = { name: `n${index}`, server: { url: 'https://x.example' }, list: [1] }
      await store.insert({ id, kind: 'assistant', body, createdAt: at(index), updatedAt: at(index) })
    }
  })

  test('lists newest first, by kind, bounds and limit', async () => {
    const list = async (createdAt: object, updatedAt: object = {}, limit = 10) =>
      (await store.list('assistant', { createdAt, updatedAt, limit })).map(({ id }) => id)
    expect(await list({})).toEqual([third, second, first])
    expect(await list({}, {}, 2)).toEqual([third, second])
    expect(await list({ gt: at(0) })).toEqual([third, second])
    expect(await list({ ge: at(1), le: at(1) })).toEqual([second])
    expect(await list({ lt: at(1) })).toEqual([first])
    expect(await list({}, { ge: at(2) })).toEqual([third])
    expect(await store.list('squad', { createdAt: {}, updatedAt: {}, limit: 10 })).toEqual([])
  })

  test.each<[name: string, kind: string, text: string, otherThan: () => string | undefined, taken: boolean]>([
    ['an object has it', 'assistant', 'n1', () => undefined, true],
    ['another object has it', 'assistant', 'n1', () => first, true],
    ['only the object itself has it', 'assistant', 'n1', () => second, false],
    ['one has something longer', 'assistant', 'n', () => undefined, false],
    ['one of another kind has it', 'squad', 'n1', () => undefined, false],
  ])('says whether a text is taken: %s', async (_what, kind, text, otherThan, taken) => {
    expect(await store.isTaken(kind, 'name', text, otherThan())).toBe(taken)
  })

  test('patches by replacing and dropping whole fields', async () => {
    const change = { set: { name: 'new', list: [{ a: null, b: '😀 "\\' }] }, unset: ['server', 'never'], at: at(9) }
    const expected = {
      id: first,
      kind: 'assistant',
      body: { name: 'new', list: change.set.list },
      createdAt: at(0),
      updatedAt: at(9),
    }
    expect(await store.patch('assistant', first, change)).toEqual(expected)
    expect(await store.find('assistant', first)).toEqual(expected)
    expect(await store.patch('squad', first, change)).toBeNull()
  })

  test('two patches of different fields both stay', async () => {
    await Promise.all([
      store.patch('assistant', second, { set: { one: 1 }, unset: [], at: at(3) }),
      store.patch('assistant', second, { set: { two: 2 }, unset: [], at: at(3) }),
    ])
    expect((await store.find('assistant', second))?.body).toMatchObject({ one: 1, two: 2, name: 'n1' })
  })

  test('removes once', async () => {
    expect(await store.remove('assistant', third)).toMatchObject({ id: third })
    expect(await store.remove('assistant', third)).toBeNull()
    expect(await store.find('assistant', third)).toBeNull()
  })
})
