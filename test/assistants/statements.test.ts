import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'

let database: DatabaseHandle
let app: TestApp
let token: string
let statements: string[] = []
beforeAll(async () => {
  database = await newDatabase({ onQuery: (statement) => void statements.push(statement) })
  app = await testApp({ database })
  token = (await newUser(database)).token
})
afterAll(() => database.close())

/** Whether a statement ends what a write saves. */
const isLast = (statement: string) =>
  statement === 'commit' || statement.startsWith('with "ended" as (delete from "live_writes"')

/** What a write says, the statements that it sent once it was committed, and what is read afterwards. */
async function written(method: string, path: string, body: object) {
  statements = []
  const response = await app.send(method, path, { token, body })
  const sent = [...statements]
  const { data } = await response.json()
  const read = await app.send('GET', `/assistants/${data.assistant_id}`, { token })
  return { data, later: sent.slice(sent.findIndex(isLast) + 1), read: (await read.json()).data }
}

const body = {
  name: 'Front desk',
  firstMessage: 'Hello',
  metadata: { company_name: 'Harbour Dental', a: 1 },
  variableValues: { zebra: 'z', aa: 'a' },
}

test('a write responds with the row as it was saved, key by key, and reads it no second time', async () => {
  const created = await written('POST', '/assistants', body)
  expect(created.later.filter((statement) => statement.includes('assistants'))).toEqual([])
  expect(JSON.stringify(created.data)).toBe(JSON.stringify(created.read))

  const changed = { ...body, name: 'Reception', personality_id: null }
  const updated = await written('PUT', `/assistants/${created.data.assistant_id}`, changed)
  expect(updated.later.filter((statement) => statement.includes('assistants'))).toEqual([])
  expect(updated.data.name).toBe('Reception')
  expect(JSON.stringify(updated.data)).toBe(JSON.stringify(updated.read))
})

test('a record that was read before is not fetched again as long as its row is as it was', async () => {
  const { data } = await written('POST', '/assistants', { ...body, name: 'Read twice' })
  const fetches = async (path: string) => {
    statements = []
    expect((await app.send('GET', path, { token })).status).toBe(200)
    return statements.filter((statement) => statement.includes('"assistants"."live"')).length
  }
  const own = `/assistants/${data.assistant_id}`
  expect(await fetches(own)).toBe(0)
  expect(await fetches('/assistants?search=Read+twice')).toBe(0)
  await database.sql`update assistants set phone_number = '+14155550178' where assistant_id = ${data.assistant_id}`
  expect(await fetches('/assistants?search=Read+twice')).toBe(1)
  expect(await fetches(own)).toBe(0)
})

test('the reads of a batch ask with one statement whether what was read before has changed', async () => {
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three'])
    ids.push((await written('POST', '/assistants', { name })).data.assistant_id)
  const inputs = Object.fromEntries(ids.map((assistantId, index) => [index, { assistantId }]))
  const path = `/trpc/${ids.map(() => 'assistants.get').join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`
  statements = []
  const results = await (await app.send('GET', path, { token })).json()
  expect(results.map(({ result }: { result: { data: { data: object } } }) => result.data.data)).toMatchObject(
    ids.map((assistant_id) => ({ assistant_id })),
  )
  expect(statements.filter((statement) => statement.includes('"assistants"')).length).toBe(1)

  const gone = ids[1] ?? ''
  expect((await app.send('DELETE', `/assistants/${gone}`, { token })).status).toBe(200)
  const response = await app.send('GET', path, { token })
  expect(response.status).toBe(207)
  const [one, two, three] = await response.json()
  expect([one.result.data.data.name, two.error.data.code, three.result.data.data.name]).toEqual([
    'One',
    'NOT_FOUND',
    'Three',
  ])
})

test('creates of a batch that run at once begin with one statement in the journal, and each is made as if alone', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Of eight ${index}`)
  const inputs = Object.fromEntries(names.map((name, index) => [index, index === 5 ? { name: '' } : { name }]))
  statements = []
  const path = `/trpc/${names.map(() => 'assistants.create').join(',')}?batch=1`
  const response = await app.send('POST', path, { token, body: inputs })
  expect(response.status).toBe(207)
  const results: { result?: { data: { data: { name: string } } } }[] = await response.json()
  expect(results.map(({ result }) => result?.data.data.name)).toEqual(
    names.map((name, index) => (index === 5 ? undefined : name)),
  )
  expect(statements.filter((statement) => statement.startsWith('insert into "live_writes"')).length).toBe(1)
  expect(statements.filter(isLast).length).toBe(7)
  expect(await database.sql`select ref from live_writes`).toEqual([])
})

/** How many statements a request sends when its like was sent before, but for those of the embedded platform. */
async function countOf(method: string, path: string, bodies: object[] = []) {
  for (const turn of [0, 1]) {
    await app.services.memory.idle()
    statements = []
    const sent = bodies[turn]
    expect((await app.send(method, path, { token, ...(sent && { body: sent }) })).ok).toBe(true)
  }
  return statements.filter((statement) => !statement.includes('"platform_')).length
}

test('requests send as many statements as docs/performance.md says', async () => {
  const { data } = await written('POST', '/assistants', body)
  const own = `/assistants/${data.assistant_id}`
  const agent = await (await app.send('POST', '/agents', { token, body: { name: 'Guide' } })).json()
  const chats = `/agents/${agent.data.id}/chats`
  const chat = await (await app.send('POST', chats, { token, body: {} })).json()
  const turns = [{ content: 'Hello' }, { content: 'Hello again' }]
  expect({
    create: await countOf('POST', '/assistants', [body, body]),
    update: await countOf('PUT', own, [
      { ...body, firstMessage: 'One' },
      { ...body, firstMessage: 'Two' },
    ]),
    rename: await countOf('PUT', own, [
      { ...body, name: 'One' },
      { ...body, name: 'Two' },
    ]),
    read: await countOf('GET', own),
    list: await countOf('GET', '/assistants'),
    turn: await countOf('POST', `${chats}/${chat.data.id}/messages`, turns),
  }).toEqual({ create: 5, update: 14, rename: 16, read: 1, list: 2, turn: 12 })
})
