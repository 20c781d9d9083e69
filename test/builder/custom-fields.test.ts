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

test('metadata of v2 keeps keys of any name, and none that a record makes', async () => {
  const variable_values = { street: 'Main Street', hours: 'all day' }
  const metadata = {
    foo: 'bar',
    company_name: 'Acme',
    user_id: 99,
    external_ref: 'x',
    variable_values: { street: 'Other' },
  }
  const made = await send('/v2/assistants', { metadata, variable_values, first_message: '{{foo}} on {{street}}' })
  expect(made.status).toBe(201)
  const data = made.body.data as Record<string, unknown> & { coreData: { metadata: object } }
  expect(data.first_message).toBe('bar on Main Street')
  expect(data.coreData.metadata).toEqual({ foo: 'bar', company_name: 'Acme' })
  const path = `/v2/assistants/${data.assistant_id}`
  const again = await client.send('PUT', path, { metadata: { foo: 'baz' } })
  expect(again.body.data).toMatchObject({ first_message: 'baz on Main Street' })
})

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

  test('is fine with values in metadata, which fill the texts too', async () => {
    const sent = { metadata: { street: 'Main Street', hours: 'nine to five' }, first_message: 'At {{street}}, {{foo}}' }
    const { status, body: read } = await send(path, sent)
    expect(status).toBeLessThan(300)
    expect((read.data as { rendered?: object; first_message?: string }).rendered ?? read.data).toMatchObject({
      first_message: 'At Main Street, {{foo}}',
    })
  })
})
