import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

let app: TestApp
let client: Client
let body: object
let other: number
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
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
  const second = await admin.send('POST', '/admin/industry-templates', {
    name: 'Cinema',
    base_config_id: base,
    prompt: 'This is {{street}}, with {{screens}}.',
    custom_fields: [{ key: 'screens', label: 'Screens', required: true }],
  })
  other = Number(second.body.data.id)
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
    ...[' \n', [], {}].map((street): [string, object, object] => [
      `${JSON.stringify(street)} for one`,
      { variable_values: { street, hours: 'nine to five' } },
      { 'variable_values.street': text('street') },
    ]),
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

describe('PUT /v2/assistants/{assistantId}', () => {
  const missing = (key: string) => ({
    status: 422,
    body: { success: false, errors: { [`variable_values.${key}`]: [`The variable_values.${key} field is required.`] } },
  })
  const made = async () => {
    const sent = await send('/v2/assistants', { variable_values: { street: 'Main Street', hours: 'all day' } })
    return `/v2/assistants/${(sent.body.data as { assistant_id: string }).assistant_id}`
  }

  test('refuses to take the value of a required field away, by null, by spaces and by another template', async () => {
    const path = await made()
    const put = (sent: object) => client.send('PUT', path, sent)
    expect(await put({ variable_values: { street: null } })).toMatchObject(missing('street'))
    expect(await put({ variable_values: { street: '  ' } })).toMatchObject(missing('street'))
    expect(await put({ industry_template_id: other })).toMatchObject(missing('screens'))
    expect((await put({ variable_values: { street: 'Side Street', parking: null } })).status).toBe(200)
    expect((await put({ industry_template_id: other, variable_values: { screens: 3 } })).status).toBe(200)
  })

  test('lets an assistant be changed whose template came to require more', async () => {
    const industry = await admin.send('GET', '/admin/industry-templates')
    const entry = (industry.body.data as unknown as { id: number; name: string; custom_fields: object[] }[]).find(
      ({ name }) => name === 'Shop',
    )
    const path = await made()
    const fields = [...(entry?.custom_fields ?? []), { key: 'phone', label: 'Phone', required: true }]
    await admin.send('PUT', `/admin/industry-templates/${entry?.id}`, { ...entry, custom_fields: fields })
    expect((await client.send('PUT', path, { name: 'Renamed' })).status).toBe(200)
    expect(await client.send('PUT', path, { variable_values: { hours: null } })).toMatchObject(missing('hours'))
    await admin.send('PUT', `/admin/industry-templates/${entry?.id}`, entry)
  })
})
