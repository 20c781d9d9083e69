import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { builtBack, writtenBack } from './written-back.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const pathOf = (record: Body) => `/assistants/${record.assistant_id}`
const live = async (record: Body) =>
  (await rig.outside.assistants.get(String(record.voice_assistant_id))) as unknown as { metadata: Body }

/** Every read of an assistant. */
const reads = (record: Body) => [
  '/assistants',
  '/assistants?lite=1',
  '/v2/assistants',
  pathOf(record),
  `${pathOf(record)}/advanced`,
  `${pathOf(record)}/update-log`,
  `/v2${pathOf(record)}`,
]

async function expectReadable(record: Body) {
  for (const path of reads(record)) expect([path, (await rig.send('GET', path)).status]).toEqual([path, 200])
}

const x = (length: number) => 'x'.repeat(length)
const outside: [string, Body, Body][] = [
  ['a text that is a number', { company_name: 5 }, {}],
  ['a text that is too long for a request', { company_name: x(400) }, { company_name: x(400) }],
  ['a list that is a text', { always_say: 'text' }, {}],
  ['an object that is a text', { business_hours: '9-5' }, {}],
  ['an address that is none', { email_notifications: ['nope'] }, { email_notifications: ['nope'] }],
  ['a phone number that is none', { assistant_phone_number: '0123' }, { assistant_phone_number: '0123' }],
]

describe('metadata that somebody changed on the live platform', () => {
  test.each(outside)('%s: a save and every read go on, and both sides keep it', async (_name, changed, shown) => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann', metadata: { industry: 'Dentists' } })
    const { metadata } = await live(record)
    await rig.outside.assistants.update(String(record.voice_assistant_id), { metadata: { ...metadata, ...changed } })
    await expectReadable(record)
    const saved = await rig.data('PUT', pathOf(record), { name: 'Ann 2' })
    expect(saved.metadata).toMatchObject({ industry: 'Dentists', ...shown })
    const [key = ''] = Object.keys(changed)
    if (!(key in shown)) expect(saved.metadata).not.toHaveProperty(key)
    expect((await live(record)).metadata).toMatchObject(changed)
    await expectReadable(record)
    expect(await rig.data('POST', `${pathOf(record)}/reconcile`, { keep: 'theirs' })).toMatchObject({ name: 'Ann 2' })
    await expectReadable(record)
  })

  test('is read when it is kept as theirs', async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann' })
    const { metadata } = await live(record)
    const theirs = { ...metadata, company_name: 5, industry: x(300) }
    await rig.outside.assistants.update(String(record.voice_assistant_id), { metadata: theirs })
    const kept = await rig.data('POST', `${pathOf(record)}/reconcile`, { keep: 'theirs' })
    expect(kept.metadata).toMatchObject({ industry: x(300) })
    expect(kept.metadata).not.toHaveProperty('company_name')
    expect((await live(record)).metadata).toMatchObject({ company_name: 5 })
    await expectReadable(record)
  })
})

describe('a long server_url', () => {
  const url = (length: number) => `https://e.com/${x(length - 14)}`
  const build = (length: number) =>
    rig.send('POST', '/v2/assistants', { name: 'Long', base_config_id: base, server_url: url(length) })
  let base: number
  beforeEach(async () => {
    const token = await rig.operator()
    const made = await rig.data('POST', '/admin/base-configs', { name: 'Base', config: {} }, token)
    base = Number(made.id)
  })

  test.each([501, 2048])('of %s characters is kept and read everywhere', async (length) => {
    const { status, body } = await build(length)
    expect(status).toBe(201)
    const record = body.data as Body
    expect(record.webhook_url).toBe(url(length))
    await expectReadable(record)
    const { webhook_url } = await rig.data('PUT', `/v2${pathOf(record)}`, { server_url: url(length - 1) })
    expect(webhook_url).toBe(url(length - 1))
    expect((await rig.send('PUT', pathOf(record), { name: 'Long' })).status).toBe(200)
    await expectReadable(record)
  })

  const editors: [path: string, asBody: (record: Body) => Body][] = [
    ['', writtenBack],
    ['/advanced', writtenBack],
    ['v2', builtBack],
  ]
  test.each(editors)('is sent back as it was read, but not set anew in metadata: PUT %s', async (editor, asBody) => {
    const record = (await build(2048)).body.data as Body
    const path = editor === 'v2' ? `/v2${pathOf(record)}` : `${pathOf(record)}${editor}`
    const body = asBody(await rig.data('GET', editor === 'v2' ? path : pathOf(record)))
    const saved = await rig.data('PUT', path, body)
    expect(saved).toMatchObject({ webhook_url: url(2048), metadata: { webhook_url: url(2048) } })
    expect(await rig.data('GET', `${pathOf(record)}/update-log`)).toHaveLength(1)
    const anew = { name: 'Long', metadata: { webhook_url: url(501) } }
    const text = 'The metadata.webhook_url field must have at most 500 characters.'
    expect(await rig.send('PUT', path, anew)).toEqual({
      status: 422,
      body: { success: false, message: text, errors: { 'metadata.webhook_url': [text] } },
    })
    await rig.outside.assistants.update(String(record.voice_assistant_id), { server: { url: 'https://e.com/outside' } })
    expect((await rig.data('PUT', path, body)).webhook_url).toBe(url(2048))
    expect((await rig.data('PUT', path, { name: 'Long', metadata: { webhook_url: url(500) } })).webhook_url).toBe(
      url(500),
    )
  })

  test.each(['/assistants', '/v2/assistants'])('is not made in the metadata of POST %s', async (path) => {
    const { status, body } = await rig.send('POST', path, {
      name: 'Long',
      base_config_id: base,
      metadata: { webhook_url: url(501) },
    })
    expect([status, Object.keys(body.errors as Body)]).toEqual([422, ['metadata.webhook_url']])
  })

  test('beyond what the live platform is sent is refused before anything is made', async () => {
    const { status, body } = await build(2049)
    expect([status, Object.keys(body.errors as Body)]).toEqual([422, ['server_url']])
    expect(await rig.data('GET', '/assistants')).toEqual([])
  })
})
