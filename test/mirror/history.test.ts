import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig({ transport: { timeoutMs: 20_000 } })
})
afterAll(() => rig.stop())

interface Entry {
  source: string
  changes: { path: string; from: unknown; to: unknown }[]
}

/** The history, oldest first. */
async function historyOf(path: string): Promise<Entry[]> {
  const answer = await rig.app.send('GET', `${path}/update-log?per_page=100`, { token: rig.token })
  const { data } = await answer.json()
  return data.toReversed()
}

/** Where an entry does not start from what the one before it says. */
function broken(entries: Entry[]): string[] {
  const known = new Map<string, unknown>()
  return entries.flatMap(({ source, changes }, index) =>
    changes.flatMap(({ path, from, to }) => {
      const before = known.get(path)
      known.set(path, to)
      return before === undefined || Bun.deepEquals(before, from) ? [] : [`${source} ${index} at ${path}`]
    }),
  )
}

const embed = (path: string, title: string) =>
  rig.send('PUT', `${path}/embed`, { embed_config: { mode: 'chat', title } })

test('a widget that is configured while an update is under way waits, and each entry tells its own change', async () => {
  const { path } = await rig.create('Before')
  await embed(path, 'Hello')
  const held = rig.network.hold('PATCH')
  const renamed = rig.send('PUT', path, { name: 'After' })
  await held.sent
  const configured = embed(path, 'Good day')
  await Bun.sleep(50)
  await held.arrive()
  expect([(await renamed).status, (await configured).status]).toEqual([200, 200])
  const [, , ...entries] = await historyOf(path)
  expect(entries.map(({ source, changes }) => [source, changes.map((change) => change.path)])).toEqual([
    ['regular', ['name']],
    ['embed', ['widget_embed_config.title']],
  ])
})

test('of many writers of texts and of the widget each entry starts from the one before', async () => {
  const { path } = await rig.create('Start')
  await embed(path, 'Start')
  const writes = Array.from({ length: 24 }, (_, index) =>
    index % 2 ? embed(path, `Title ${index}`) : rig.send('PUT', path, { name: `Name ${index}` }),
  )
  const answers = await Promise.all(writes)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const entries = await historyOf(path)
  expect(entries).toHaveLength(26)
  expect(broken(entries)).toEqual([])
  const last = entries.findLast(({ source }) => source === 'embed')
  expect((await rig.send('GET', `${path}/embed`)).body).toMatchObject({
    data: { embed_config: { title: last?.changes[0]?.to } },
  })
  expect(await rig.settle()).toEqual([])
})
