import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

let app: TestApp
let client: Client
let body: object
beforeAll(async () => {
  app = await testApp()
  const admin: Caller = await operator(app)
  client = await newClient(app)
  const base = (await admin.send('POST', '/admin/base-configs', { name: 'Plain', config: {} })).body.data.id
  const industry = await admin.send('POST', '/admin/industry-templates', {
    name: 'Shop',
    base_config_id: base,
    prompt: 'This is {{assistant_name}} at {{street}}, open {{hours}}.',
    custom_fields: [
      { key: 'street', label: 'Street', required: true },
      { key: 'hours', label: 'Hours', required: true },
      { key: 'parking', label: 'Parking' },
    ],
  })
  body = { name: 'Bare', industry_template_id: industry.body.data.id }
})

const send = async (path: string, sent: object) => {
  const { status, body: read } = await client.post(path, { ...body, ...sent })
  return { status, body: read }
}

describe.each(['/v2/assistants/preview', '/v2/assistants'])('POST %s without a required custom field', (path) => {
  const text = (key: string) => [`The variable_values.${key} field is required.`]

  test.each<[string, object, object]>([
    ['none', {}, { 'variable_values.street': text('street'), 'variable_values.hours': text('hours') }],
    [
      'a blank one',
      { variable_values: { street: '', hours: 'nine to five' } },
      { 'variable_values.street': text('street') },
    ],
  ])('%s names each', async (_what, sent, errors) => {
    const refused = await send(path, sent)
    expect(refused).toMatchObject({ status: 422, body: { success: false } })
    expect(refused.body.errors).toEqual(errors)
  })

  test('is fine with a value for each, also with one that is 0', async () => {
    const sent = { variable_values: { street: 'Main Street', hours: 0 } }
    expect((await send(path, sent)).status).toBeLessThan(300)
  })
})
