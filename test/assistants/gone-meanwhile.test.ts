import { beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

let app: TestApp
let operator: Client
let user: Client

beforeAll(async () => {
  app = await testApp()
  operator = await newClient(app, { role: 'admin' })
  user = await newClient(app)
})

const make = (path: string, body: object) => operator.data('POST', path, body)
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
  {
    field: 'prompt_template_id',
    path: '/admin/prompt-templates',
    fields: (base: number) => ({ name: name(), base_config_id: base, prompt: 'You answer.' }),
    write: '/v2/assistants',
  },
]

test.each(entries)(
  'a $field that is deleted while the live platform is written is 422, and nothing stays',
  async (entry) => {
    const { field, path, fields, write } = entry
    const base = await make('/admin/base-configs', { name: name(), config })
    const made = await make(path, fields(base.id))
    const before = (await user.get('/assistants')).body.pagination.total
    const { assistants } = app.services.platform
    const create = assistants.create
    let remoteId = ''
    const spy = vi.spyOn(assistants, 'create').mockImplementation(async (...args) => {
      const remote = await create(...args)
      remoteId = remote.id
      expect((await operator.send('DELETE', `${path}/${made.id}`)).status).toBe(200)
      return remote
    })
    const text = `The selected ${field} does not exist.`
    const body = { name: 'Front desk', base_config_id: base.id, system_prompt: 'Hello.', [field]: made.id }
    const created = await user.post(write, body)
    spy.mockRestore()
    expect(created).toMatchObject({ status: 422, body: { message: text, errors: { [field]: [text] } } })
    expect((await user.get('/assistants')).body.pagination.total).toBe(before)
    await expect
      .poll(() => assistants.get(remoteId).catch((error: Error) => error))
      .toMatchObject({ kind: 'not_found' })
  },
)

test.each([
  ...entries,
  {
    field: 'industry_template_id',
    path: '/admin/industry-templates',
    fields: (base: number) => ({ name: name(), base_config_id: base, prompt: 'You answer.' }),
    write: '/v2/assistants',
  },
])('a $field that is deleted while an update writes the live platform is 422', async (entry) => {
  const { field, path, fields, write } = entry
  const base = await make('/admin/base-configs', { name: name(), config })
  const other = await make('/admin/base-configs', { name: name(), config })
  const made = await make(path, fields(other.id))
  const kept = { name: 'Front desk', base_config_id: base.id, system_prompt: 'Hello.' }
  const { assistant_id: id } = await user.data('POST', write, kept)
  const { assistants } = app.services.platform
  const update = assistants.update
  const spy = vi.spyOn(assistants, 'update').mockImplementationOnce(async (...args) => {
    const remote = await update(...args)
    expect((await operator.send('DELETE', `${path}/${made.id}`)).status).toBe(200)
    return remote
  })
  const changed = await user.send('PUT', `${write}/${id}`, { ...kept, name: 'Other', [field]: made.id })
  spy.mockRestore()
  const text = `The selected ${field} does not exist.`
  expect(changed).toMatchObject({ status: 422, body: { message: text, errors: { [field]: [text] } } })
})
