import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changesBetween } from '../../src/resources/history/changes.ts'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'

let rig: DriftRig
beforeAll(async () => {
  rig = await createDriftRig()
})
afterAll(() => rig.stop())

const leaves = (count: number, value: unknown): Body =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value]))
const below = (keys: string[], value: unknown) => keys.reduceRight<unknown>((held, key) => ({ [key]: held }), value)
const plan = (keys: string[], count: number, value: unknown) => ({
  startSpeakingPlan: { smartEndpointingPlan: { provider: 'livekit', ...(below(keys, leaves(count, value)) as Body) } },
})

interface Change {
  path: string
  from: unknown
  to: unknown
  summary?: string
}

const logOf = (path: string, query = '') => rig.send('GET', `${path}/update-log${query}`)

/** The newest changes as the list says them, which the entry says as well. */
async function newest(path: string): Promise<{ id: number; changes: Change[]; summary: string }> {
  const { status, body } = await logOf(path, '?per_page=1')
  expect(status).toBe(200)
  const [entry] = body.data as [{ id: number; changes: Change[]; summary: string }]
  const read = await rig.data('GET', `${path}/update-log/${entry.id}`)
  expect(read).toMatchObject({ id: entry.id, changes: entry.changes })
  expect(JSON.stringify(entry).length).toBeLessThan(4_000_000)
  return entry
}

const long = 'k'.repeat(3_000)
const many = ['b', 'c', 'd', 'e', 'f'].map((key) => key.repeat(200))
const cut = `${'k'.repeat(199)}…`
const top = 'startSpeakingPlan.smartEndpointingPlan'

describe.each<[string, keys: string[], count: number, path: string, length: number]>([
  ['a long key', [long], 3_000, `${top}.${cut}.a0`, 3_000],
  ['several keys that are too long together', many, 8_000, [top, ...many].join('.'), 1],
])('%s above thousands of values', (_, keys, count, first, length) => {
  const changed = (held: { changes: Change[] }) => held.changes.filter(({ path }) => path.startsWith(top))

  test('is saved, restored, changed outside and compared with a bounded history', async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Desk', ...plan(keys, count, 1) })
    const path = `/assistants/${record.assistant_id}`
    const saved = await rig.send('PUT', path, { name: 'Desk', ...plan(keys, count, 2) })
    expect(saved.status).toBe(200)
    const update = await newest(path)
    expect(changed(update)).toHaveLength(length)
    const sides = length === 1 ? { from: leaves(count, 1), to: leaves(count, 2) } : { from: 1, to: 2 }
    expect(changed(update)[0]).toEqual({ path: first, ...sides })

    const created = ((await logOf(path)).body.data as { id: number }[]).at(-1)
    const compared = await rig.data<{ changes: Change[] }>(
      'GET',
      `${path}/update-log/${created?.id}/compare/${update.id}`,
    )
    expect(changed(compared).map(({ summary: _said, ...change }) => change)).toEqual(changed(update))

    const restored = await rig.data('POST', `${path}/update-log/${created?.id}/restore`)
    const untimed = { updated_at: '', metadata: {} }
    expect({ ...restored, ...untimed }).toEqual({ ...record, ...untimed })
    expect(changed(await newest(path))[0]).toEqual({ path: first, from: sides.to, to: sides.from })

    await rig.outside.assistants.update(String(record.voice_assistant_id), plan(keys, count, 3) as never)
    expect((await rig.send('PUT', path, { name: 'Desk', firstMessage: 'Hi' })).status).toBe(200)
    const entries = (await logOf(path)).body.data as { source: string; changes: Change[] }[]
    const outside = entries.filter(({ source }) => source === 'platform')
    expect(outside.map((entry) => changed(entry).length)).toEqual([length])
  })
})

test('an entry that was stored with too much text is read as the fields that changed, and can be compared and restored', async () => {
  const record = await rig.data('POST', '/assistants', { name: 'Desk', firstMessage: 'Hello' })
  const path = `/assistants/${record.assistant_id}`
  await rig.data('PUT', path, { name: 'Desk', firstMessage: 'Good day' })
  await rig.app.database.sql`update assistant_versions set
    changes = (select jsonb_agg(jsonb_build_object('path', f || '.' || repeat('k', 10000) || '.' || i, 'from', 1, 'to', i))
      from generate_series(1, 1000) i, (values ('firstMessage'), ('analysisPlan')) fields (f)),
    summary = 'Changed ' || repeat('k', 100000)
    where action = 'updated' and assistant_id = ${record.id as number}`
  const entry = await newest(path)
  expect(entry.changes).toEqual(
    ['analysisPlan', 'firstMessage'].map((field) => ({ path: field, from: null, to: null })),
  )
  expect(entry.summary).toBe('Changed analysisPlan. Changed the first message.')
  const { status, body } = await logOf(path)
  expect([status, (body.data as unknown[]).length]).toEqual([200, 2])
  const [, created] = body.data as { id: number }[]
  const compared = await rig.data<{ changes: Change[] }>('GET', `${path}/update-log/${created?.id}/compare/${entry.id}`)
  expect(compared.changes.map(({ path: at }) => at)).toEqual(['firstMessage'])
  expect(await rig.data('POST', `${path}/update-log/${created?.id}/restore`)).toMatchObject({ first_message: 'Hello' })
})

describe('changes', () => {
  const told = (text: number, also: Body = {}) =>
    changesBetween({ list: leaves(2, 'x'), name: 1 }, { list: leaves(2, 'y'.repeat(text)), name: 2, ...also })
  const paths = (text: number) => told(text).map(({ path, from, to }) => [path, from === undefined && to === undefined])

  test('are told leaf by leaf up to their bound, and where they weigh more what is light is told like before', () => {
    const fits = (3_000_000 - 1_000) / 2
    expect(told(fits)).toEqual([
      { path: 'list.a0', from: 'x', to: 'y'.repeat(fits) },
      { path: 'list.a1', from: 'x', to: 'y'.repeat(fits) },
      { path: 'name', from: 1, to: 2 },
    ])
    expect(paths(3_000_000 / 2)).toEqual([
      ['list.a0', true],
      ['list.a1', true],
      ['name', false],
    ])
  })

  test('mask secrets also where an object is told as a whole', () => {
    const object = (value: string) =>
      below(many, { ...leaves(8_000, value), apiKey: value, headers: { 'X-Key': value } })
    const [change, ...others] = changesBetween({ plan: object('one') }, { plan: object('two') })
    expect(others).toEqual([])
    expect(change?.from).toMatchObject({ a7999: 'one', apiKey: '••••', headers: { 'X-Key': '••••' } })
  })
})
