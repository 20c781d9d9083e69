import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { changeAssistant } from '../support/rows/assistants.ts'

let app: TestApp
/** Instances on the same database that have read nothing yet. */
const another = () => testApp({ database: app.database })
let operator: TestUser
let user: TestUser

beforeAll(async () => {
  app = await testApp()
  operator = await newUser(app.database, { role: 'admin' })
  user = await newUser(app.database)
})

const read = async (from: TestApp, path: string, token = user.token) => {
  const response = await from.send('GET', path, { token })
  return { status: response.status, etag: response.headers.get('etag'), text: await response.text() }
}

const make = async (as: TestUser, path: string, body: object) => {
  const response = await app.send('POST', path, { token: as.token, body })
  const { data } = await response.json()
  expect(response.status, JSON.stringify(data)).toBe(201)
  return data
}

/** An assistant that shows a name of each other table, and both its reads. */
async function madeAssistant() {
  const name = `Desk ${crypto.randomUUID().slice(0, 8)}`
  const config = { voice: { provider: 'vapi', voiceId: 'Elliot' } }
  const base = await make(operator, '/admin/base-configs', { name, config })
  const template = { name, base_config_id: base.id, prompt: 'You answer.', greeting: 'Hello {{who}}.' }
  const { id: templateId } = await make(operator, '/admin/prompt-templates', template)
  const { id: personalityId } = await make(operator, '/admin/personalities', { name, ...config })
  const body = { name, template_id: templateId }
  const { assistant_id: id } = await make(user, '/assistants', body)
  // A record from before the template's texts were kept with it shows those that the template has.
  await changeAssistant(app.database, id, { personalityId, templateTexts: null })
  const paths = [`/assistants/${id}`, `/assistants?search=${encodeURIComponent(name)}`]
  return { id, templateId, personalityId, paths, rpc: `/trpc/assistants.get?input={"assistantId":"${id}"}` }
}

type Made = Awaited<ReturnType<typeof madeAssistant>>

const execute = (statement: ReturnType<typeof sql>) => app.database.db.execute(statement)

const changes: [what: string, change: (made: Made) => Promise<unknown>][] = [
  [
    'a change through another instance',
    async ({ id }) => {
      const body = { name: 'Reception', endCallMessage: 'Goodbye' }
      const response = await (await another()).send('PUT', `/assistants/${id}`, { token: user.token, body })
      expect(response.status).toBe(200)
    },
  ],
  [
    'a change of the row that leaves its time as it was',
    ({ id }) => changeAssistant(app.database, id, { phoneNumber: '+14155550177' }),
  ],
  [
    'two changes in one transaction',
    ({ id }) =>
      app.database.db.transaction(async (tx) => {
        await tx.execute(sql`update assistants set name = name || ' 1' where assistant_id = ${id}`)
        await tx.execute(sql`update assistants set name = name || ' 2' where assistant_id = ${id}`)
      }),
  ],
  ["the owner's name", () => execute(sql`update users set name = name || ' Jr.' where id = ${user.userId}`)],
  [
    "the personality's name",
    ({ personalityId }) => execute(sql`update personalities set name = name || ' 2' where id = ${personalityId}`),
  ],
  [
    "the template's greeting",
    ({ templateId }) =>
      execute(sql`update prompt_templates set first_message = 'Good day {{who}}.' where id = ${templateId}`),
  ],
  [
    "the template's last words",
    ({ templateId }) =>
      execute(sql`update prompt_templates set end_call_message = 'Bye {{who}}.' where id = ${templateId}`),
  ],
]

test.each(changes)(
  '%s shows at the next read of an instance that has read the assistant before',
  async (_what, change) => {
    const made = await madeAssistant()
    const all = [...made.paths, made.rpc]
    const unread = await another()
    for (const path of all) {
      const first = await read(app, path)
      expect(first.status).toBe(200)
      expect(await read(app, path)).toEqual(first)
      expect(await read(unread, path)).toEqual(first)
    }
    const [before] = await Promise.all(made.paths.map((path) => read(app, path)))
    await change(made)
    const fresh = await another()
    for (const path of all) expect(await read(app, path)).toEqual(await read(fresh, path))
    expect((await read(app, `/assistants/${made.id}`)).text).not.toBe(before?.text)
  },
)

test('what was read before is told to nobody else, and not after it was deleted', async () => {
  const { id, paths } = await madeAssistant()
  const [path = '', list = ''] = paths
  await Promise.all(paths.map((each) => read(app, each)))
  const stranger = await newUser(app.database)
  expect((await read(app, path, stranger.token)).text).toBe('{"success":false,"message":"Assistant not found"}\n')
  expect(JSON.parse((await read(app, list, stranger.token)).text).data).toEqual([])

  expect((await app.send('DELETE', `/assistants/${id}`, { token: user.token })).status).toBe(200)
  expect((await read(app, path)).status).toBe(404)
  expect(JSON.parse((await read(app, list)).text).data).toEqual([])
})

test('a list of what was read before and what was not is in its order', async () => {
  const prefix = `Row ${crypto.randomUUID().slice(0, 8)}`
  const ids: string[] = []
  for (const letter of ['a', 'b', 'c', 'd']) {
    const { assistant_id: id } = await make(user, '/assistants', { name: `${prefix} ${letter}` })
    ids.push(id)
  }
  for (const id of [ids[1], ids[3]]) await read(app, `/assistants/${id}`)
  const list = `/assistants?search=${encodeURIComponent(prefix)}`
  const { data } = JSON.parse((await read(app, list)).text)
  expect(data.map((row: { assistant_id: string }) => row.assistant_id)).toEqual(ids)
  const alone = await Promise.all(ids.map(async (id) => JSON.parse((await read(app, `/assistants/${id}`)).text).data))
  expect(data).toEqual(alone)
})
