import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, operator, refusal } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'

let app: TestApp
let admin: Caller
let baseConfigId: number
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
  const made = await admin.send('POST', '/admin/base-configs', { name: 'Plain', config: {} })
  baseConfigId = made.body.data.id
})

interface Kind {
  kind: string
  /** The least that a body has; a function because some parts must be new. */
  least(): Record<string, unknown>
  /** What an entry of the least has besides. */
  empty: Record<string, unknown>
  /** A whole other body. */
  whole(): Record<string, unknown>
  /** What must be there. */
  required: string[]
}

const speech = { provider: '11labs', voiceId: 'sarah' }

const kinds: Kind[] = [
  {
    kind: 'prompt-templates',
    least: () => ({ name: 'Greeter', prompt: 'You are {{assistant_name}}.' }),
    empty: { first_message: null, end_call_message: null, base_config_id: null, variables: [] },
    whole: () => ({
      name: 'Booker',
      prompt: 'You book.',
      first_message: 'Hi',
      end_call_message: 'Bye',
      base_config_id: baseConfigId,
      variables: ['city'],
    }),
    required: ['name', 'prompt'],
  },
  {
    kind: 'base-configs',
    least: () => ({ name: 'Base', config: {} }),
    empty: {},
    whole: () => ({ name: 'Fast', config: { model: { provider: 'openai', model: 'gpt-4o' }, voice: speech } }),
    required: ['name', 'config'],
  },
  {
    kind: 'industry-templates',
    least: () => ({ name: 'Dental', base_config_id: baseConfigId, prompt: 'You book.' }),
    empty: { custom_fields: [] },
    whole: () => ({
      name: 'Legal',
      base_config_id: baseConfigId,
      prompt: 'You listen.',
      custom_fields: [
        { key: 'city', label: 'City', required: true },
        { key: 'hours', label: 'Hours' },
      ],
    }),
    required: ['name', 'base_config_id', 'prompt'],
  },
  {
    kind: 'layer2-presets',
    least: () => ({ key: crypto.randomUUID(), name: 'Calm', overrides: {} }),
    empty: {},
    whole: () => ({ key: crypto.randomUUID(), name: 'Brisk', overrides: { voice: { speed: 1.2 } } }),
    required: ['key', 'name', 'overrides'],
  },
  {
    kind: 'personalities',
    least: () => ({ name: 'Sarah', voice: speech }),
    empty: { prompt: null },
    whole: () => ({ name: 'Adam', voice: { provider: 'openai', voiceId: 'onyx' }, prompt: 'Be brief.' }),
    required: ['name', 'voice'],
  },
  {
    kind: 'tools',
    least: () => ({ label: 'End call', description: 'Hangs up', type: 'function', scope: 'global' }),
    empty: { owner_id: null, locked: false, definition: null },
    whole: () => ({
      label: 'Look up',
      description: 'Asks the CRM',
      type: 'function',
      scope: 'own',
      owner_id: admin.userId,
      locked: true,
      definition: { function: { name: 'look_up' } },
    }),
    required: ['label', 'description', 'type', 'scope'],
  },
  {
    kind: 'model-prices',
    least: () => ({ model: crypto.randomUUID(), prompt_usd_per_million: 0, completion_usd_per_million: 0 }),
    empty: {},
    whole: () => ({ model: crypto.randomUUID(), prompt_usd_per_million: 0.15, completion_usd_per_million: 0.6 }),
    required: ['model', 'prompt_usd_per_million', 'completion_usd_per_million'],
  },
]

const notFound = { status: 404, body: { success: false, message: 'Catalogue entry not found' } }
const stamps = { created_at: expect.stringMatching(/Z$/), updated_at: expect.stringMatching(/Z$/) }

describe.each(kinds)('$kind', ({ kind, least, empty, whole, required }) => {
  const all = `/admin/${kind}`
  const anyId = kind === 'tools' ? expect.stringMatching(/^[0-9a-f-]{36}$/) : expect.any(Number)
  const unknownId = kind === 'tools' ? crypto.randomUUID() : '2147483647'

  test('are made, read, updated, listed and deleted', async () => {
    const body = least()
    const made = await admin.send('POST', all, body)
    expect(made).toEqual({
      status: 201,
      body: { success: true, data: { id: anyId, ...body, ...empty, ...stamps } },
    })
    const { id } = made.body.data
    const one = `${all}/${id}`
    expect(await admin.send('GET', one)).toEqual({ status: 200, body: made.body })

    const other = whole()
    const replaced = await admin.send('PUT', one, other)
    const entry = { ...other, id, created_at: made.body.data.created_at, updated_at: stamps.updated_at }
    expect(replaced).toEqual({ status: 200, body: { success: true, data: entry } })
    const needed = Object.fromEntries(required.map((field) => [field, other[field]]))
    expect((await admin.send('PUT', one, needed)).body.data).toEqual(entry)
    const emptied = await admin.send('PUT', one, { ...empty, ...body })
    expect(emptied.body.data).toEqual({ ...made.body.data, updated_at: stamps.updated_at })

    const listed = await admin.send('GET', `${all}?per_page=1`)
    expect([listed.status, listed.body.data]).toEqual([200, [emptied.body.data]])

    expect(await admin.send('DELETE', one)).toEqual({
      status: 200,
      body: { success: true, message: 'Catalogue entry deleted successfully' },
    })
    for (const gone of [await admin.send('GET', one), await admin.send('DELETE', one)]) expect(gone).toEqual(notFound)
    expect(await admin.send('PUT', one, body)).toEqual(notFound)
  })

  test.each(required)('need %s, when made and when replaced', async (field) => {
    const refused = refusal(field, `The ${field} field is required.`)
    const { [field]: _left, ...rest } = least()
    expect(await admin.send('POST', all, rest)).toEqual(refused)
    expect(await admin.send('PUT', `${all}/${unknownId}`, rest)).toEqual(refused)
  })
})

test('updates of different fields at the same time lose none of them', async () => {
  const needed = { name: 'Greeter', prompt: 'You greet.' }
  const { id } = (await admin.send('POST', '/admin/prompt-templates', needed)).body.data
  const said = [{ first_message: 'Hi' }, { end_call_message: 'Bye' }, { variables: ['city'] }]
  await Promise.all(said.map((one) => admin.send('PUT', `/admin/prompt-templates/${id}`, { ...needed, ...one })))
  const { body } = await admin.send('GET', `/admin/prompt-templates/${id}`)
  expect(body.data).toMatchObject(Object.assign({}, ...said))
})

test('a tool of a user that becomes global has no owner any more, and its definition', async () => {
  const definition = { function: { name: 'look_up' } }
  const body = {
    label: 'Look',
    description: 'Asks',
    type: 'function',
    scope: 'own',
    owner_id: admin.userId,
    definition,
  }
  const { id } = (await admin.send('POST', '/admin/tools', body)).body.data
  const needed = { label: 'Look', description: 'Asks again', type: 'function', scope: 'global' }
  const updated = await admin.send('PUT', `/admin/tools/${id}`, needed)
  expect(updated.body.data).toMatchObject({ ...needed, owner_id: null, definition })
  expect(await app.services.platform.tools.get(id)).toMatchObject(definition)
})

describe('refused', () => {
  const missing = 2_147_483_647
  const wrong: [kind: string, sent: object, field: string, text: string][] = [
    ['prompt-templates', { base_config_id: missing }, 'base_config_id', 'The selected base_config_id does not exist.'],
    ['prompt-templates', { variables: ['a', ''] }, 'variables.1', 'The variables.1 field is required.'],
    [
      'prompt-templates',
      { first_message: 'x'.repeat(1001) },
      'first_message',
      'The first_message field must have at most 1000 characters.',
    ],
    ['base-configs', { config: [] }, 'config', 'The config field must be an object.'],
    [
      'industry-templates',
      { base_config_id: missing },
      'base_config_id',
      'The selected base_config_id does not exist.',
    ],
    ['industry-templates', { base_config_id: null }, 'base_config_id', 'The base_config_id field is required.'],
    [
      'industry-templates',
      { custom_fields: [{ key: 'city' }] },
      'custom_fields.0.label',
      'The custom_fields.0.label field is required.',
    ],
    ['layer2-presets', { key: 'x'.repeat(65) }, 'key', 'The key field must have at most 64 characters.'],
    ['personalities', { voice: 'sarah' }, 'voice', 'The voice field must be an object.'],
    ['tools', { scope: 'own' }, 'owner_id', 'The owner_id field is required when scope is own.'],
    ['tools', { owner_id: 1 }, 'owner_id', 'The owner_id field must be empty when scope is global.'],
    ['tools', { scope: 'own', owner_id: missing }, 'owner_id', 'The selected owner_id does not exist.'],
    ['tools', { scope: 'all' }, 'scope', 'The scope field must be one of: own, global.'],
    [
      'model-prices',
      { prompt_usd_per_million: -1 },
      'prompt_usd_per_million',
      'The prompt_usd_per_million field must be at least 0.',
    ],
  ]
  test.each(wrong)('%s with %j', async (name, sent, field, text) => {
    const least = kinds.find(({ kind }) => kind === name)?.least()
    const refused = refusal(field, text)
    expect(await admin.send('POST', `/admin/${name}`, { ...least, ...sent })).toEqual(refused)
    const { id } = (await admin.send('POST', `/admin/${name}`, least)).body.data
    expect(await admin.send('PUT', `/admin/${name}/${id}`, { ...least, ...sent })).toEqual(refused)
  })

  test.each([
    ['layer2-presets', 'key'],
    ['model-prices', 'model'],
  ])('%s whose %s is taken, also at once', async (name, field) => {
    const least = () => kinds.find(({ kind }) => kind === name)?.least() ?? {}
    const body = least()
    const answers = await Promise.all([1, 2, 3].map(() => admin.send('POST', `/admin/${name}`, body)))
    const taken = refusal(field, `The ${field} has already been taken.`)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201)).toEqual([taken, taken])
    const { id } = (await admin.send('POST', `/admin/${name}`, least())).body.data
    expect(await admin.send('PUT', `/admin/${name}/${id}`, body)).toEqual(taken)
  })

  test('a tool whose id is taken or is none', async () => {
    const least = { label: 'End call', description: 'Hangs up', type: 'endCall', scope: 'global' }
    const { id } = await app.services.platform.tools.create({ type: 'endCall' })
    const made = await admin.send('POST', '/admin/tools', { ...least, id: id.toUpperCase() })
    expect(made.body.data).toMatchObject({ id })
    const taken = refusal('id', 'The id has already been taken.')
    expect(await admin.send('POST', '/admin/tools', { ...least, id })).toEqual(taken)
    const text = 'The id field must be in the right format.'
    expect(await admin.send('POST', '/admin/tools', { ...least, id: 'call' })).toEqual(refusal('id', text))
    const other = await admin.send('PUT', `/admin/tools/${id}`, { ...least, id: crypto.randomUUID() })
    expect(other.body.data).toMatchObject({ id })
  })
})
