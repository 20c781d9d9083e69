import { beforeAll, expect, test, vi } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'

let app: TestApp
let operator: TestUser
let user: TestUser

beforeAll(async () => {
  app = await testApp()
  operator = await newUser(app.database, { role: 'admin' })
  user = await newUser(app.database)
})

const call = async (as: TestUser, method: string, path: string, body?: object) => {
  const response = await app.send(method, path, { token: as.token, body })
  return { status: response.status, body: response.status === 204 ? undefined : await response.json() }
}
const make = async (path: string, body: object) => {
  const { status, body: made } = await call(operator, 'POST', path, body)
  expect(status, JSON.stringify(made)).toBe(201)
  return made.data
}
const name = () => `Entry ${crypto.randomUUID().slice(0, 8)}`
const config = { voice: { provider: 'vapi', voiceId: 'Elliot' } }

const entries = [
  {
    field: 'template_id',
    path: '/admin/prompt-templates',
    fields: (base: number) => ({ name: name(), base_config_id: base, prompt: 'You answer.', greeting: 'Hello.' }),
    write: '/assistants',
  },
  {
    field: 'base_config_id',
    path: '/admin/base-configs',
    fields: () => ({ name: name(), config }),
    write: '/v2/assistants',
  },
]

test.each(entries)(
  'a $field that is deleted while the live platform is written is 422, and nothing stays',
  async (entry) => {
    const { field, path, fields, write } = entry
    const base = await make('/admin/base-configs', { name: name(), config })
    const made = await make(path, fields(base.id))
    const before = (await call(user, 'GET', '/assistants')).body.pagination.total
    const { assistants } = app.services.platform
    const create = assistants.create
    let remoteId = ''
    const spy = vi.spyOn(assistants, 'create').mockImplementation(async (...args) => {
      const remote = await create(...args)
      remoteId = remote.id
      expect((await call(operator, 'DELETE', `${path}/${made.id}`)).status).toBe(200)
      return remote
    })
    const text = `The selected ${field} does not exist.`
    const body = { name: 'Front desk', base_config_id: base.id, system_prompt: 'Hello.', [field]: made.id }
    const created = await call(user, 'POST', write, body)
    spy.mockRestore()
    expect(created).toMatchObject({ status: 422, body: { message: text, errors: { [field]: [text] } } })
    expect((await call(user, 'GET', '/assistants')).body.pagination.total).toBe(before)
    await expect
      .poll(() => assistants.get(remoteId).catch((error: Error) => error))
      .toMatchObject({ kind: 'not_found' })
  },
)
