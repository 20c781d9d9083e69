import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, operator } from '../admin/caller.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { cpuMsUntil } from '../support/cpu-time.ts'

let app: TestApp
let admin: Caller
let client: Client & TestUser
let id: string

beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})
beforeEach(async () => {
  client = await newClient(app)
  id = (await client.data('POST', '/assistants', { name: 'Desk' })).assistant_id
})

const save = (body: object) => client.send('PUT', `/assistants/${id}`, { name: 'Desk', ...body })
const log = () => client.data('GET', `/assistants/${id}/update-log`)
const make = async (kind: string, body: object) => (await admin.send('POST', `/admin/${kind}`, body)).body.data.id

const prompt = ['You answer the phone.', 'Be kind.', 'Never promise a discount.', 'Say goodbye.']
const prompted = (lines: string[]) => ({ model: { messages: [{ role: 'system', content: lines.join('\n') }] } })

test('a page of the history has a bound of text', async () => {
  const { id: row } = await client.data('GET', `/assistants/${id}`)
  await app.database.sql`insert into assistant_versions
    (assistant_id, action, source, actor_id, actor_name, changes, summary, created_at)
    select ${row}, 'updated', 'regular', 1, 'Ada', jsonb_build_array(jsonb_build_object('path', 'x', 'to', repeat('x', 1000000))),
    'Changed x', now() from generate_series(1, 9)`
  const text = 'The per_page field is too high: these entries have more than 8 MB of text. Ask for fewer at a time.'
  const pages = await Promise.all([15, 2].map((size) => client.get(`/assistants/${id}/update-log?per_page=${size}`)))
  expect(pages.map(({ status }) => status)).toEqual([422, 200])
  expect(pages[0]?.body.errors).toEqual({ per_page: [text] })
})

describe('a change', () => {
  test('of a long text shows the lines that differ, and its rendered copy is no second one', async () => {
    await save(prompted(prompt))
    await save(prompted(prompt.with(2, 'Never promise a refund.')))
    const [{ changes, summary }] = await log()
    expect(changes).toEqual([
      {
        path: 'model.messages.0.content',
        from: expect.stringContaining('discount'),
        to: expect.stringContaining('refund'),
        diff: [
          ' You answer the phone.',
          ' Be kind.',
          '-Never promise a discount.',
          '+Never promise a refund.',
          ' Say goodbye.',
        ],
      },
    ])
    expect(summary).toBe('Changed message 1: 1 line added, 1 removed.')
  })

  test('of many long texts is worked out for as many lines as stay cheap: the rest says what it was and is', async () => {
    const texts = (mark: string) =>
      Array.from({ length: 12 }, (_, text) =>
        Array.from({ length: 100 }, (_, line) => `${mark}${text}.${line}`).join('\n'),
      )
    const body = (mark: string) => ({
      model: { messages: texts(mark).map((content) => ({ role: 'system', content })) },
    })
    await save(body('a'))
    await save(body('b'))
    const [{ changes }] = await log()
    expect(changes).toHaveLength(12)
    // 200 edits each, of 1,200 in all; the sixth finds 200 left, of which it may spend half.
    const lengths = changes.map(({ diff }: { diff?: string[] }) => diff?.length)
    expect(lengths).toEqual([...Array(5).fill(200), ...Array(7).fill(undefined)])
    expect(changes[11]).toMatchObject({
      from: expect.stringContaining('a11.99'),
      to: expect.stringContaining('b11.99'),
    })
  })

  test.each([
    [10_000, true],
    [10_001, false],
  ])('of one line among %i shows that line: %s', async (count, shown) => {
    const text = (last: string) => [...Array(count - 1).fill('a'), last].join('\n')
    const body = (last: string) => ({ model: { messages: [{ role: 'system', content: text(last) }] } })
    await save(body('b'))
    await save(body('c'))
    const [{ changes }] = await log()
    expect(changes[0].diff?.slice(-2)).toEqual(shown ? ['-b', '+c'] : undefined)
  })

  test('of a greeting is told once; what a template changes is told by its text', async () => {
    await save({ firstMessage: 'Hello {{name}}' })
    expect((await log())[0].changes).toEqual([{ path: 'firstMessage', from: null, to: 'Hello {{name}}' }])
    await save({ metadata: { company_name: 'Acme' }, firstMessage: 'Hello {{company_name}}' })
    expect((await log())[0].changes.map(({ path }: { path: string }) => path)).toEqual(['metadata', 'firstMessage'])
  })

  test('of a template is told beside that of other messages', async () => {
    const [one, other] = [
      await make('prompt-templates', { name: 'One', prompt: 'You greet.', first_message: 'Hello from one' }),
      await make('prompt-templates', { name: 'Other', prompt: 'You sell.', first_message: 'Hello from the other' }),
    ]
    const metadata = { company_name: 'Acme' }
    const said = (content: string) => ({ model: { messages: [{ role: 'user', content }] } })
    await save({ template_id: one, metadata, firstMessage: 'Own', ...said('I am of {{company_name}}.') })
    await save({ template_id: other, firstMessage: null, ...said('{{company_name}} called me.') })
    const [{ changes }] = await log()
    const told = changes.map(({ path, to }: { path: string; to: unknown }) => [path, to])
    expect(told).toContainEqual(['rendered.messages.0.content', 'You sell.'])
    expect(told).toContainEqual(['rendered.first_message', 'Hello from the other'])
    expect(told).toContainEqual(['model.messages.0.content', '{{company_name}} called me.'])
    expect(JSON.stringify(changes)).not.toContain('Acme called me.')
  })

  test('of a message that is a placeholder alone tells nothing of another text', async () => {
    const template = await make('prompt-templates', { name: 'Seller', prompt: 'You sell boats.' })
    const said = (content: string) => ({ model: { messages: [{ role: 'user', content }] } })
    await save({ metadata: { customer: 'Eva' }, ...said('I am Ole.') })
    await save({ template_id: template, ...said('{{customer}}') })
    const [{ changes }] = await log()
    expect(JSON.stringify(changes)).toContain('You sell boats.')
  })

  test.each([
    ['a value that holds what follows it', 'Welcome to {{company_name}}.', 'Acme Inc.'],
    ['a placeholder in a value', '{{company_name}} {{company_name}}', '{{other}}'],
    ['no value', 'Welcome to {{company_name}}.', null],
  ])('of a greeting is told once: %s', async (_, firstMessage, company_name) => {
    await save({ metadata: { company_name } })
    await save({ firstMessage })
    expect((await log())[0].changes).toEqual([{ path: 'firstMessage', from: null, to: firstMessage }])
  })

  test('of a system message that a personality ends is told once', async () => {
    const personality = await make('personalities', {
      name: 'Kind',
      voice: { provider: '11labs', voiceId: 'a' },
      prompt: 'Be kind to {{company_name}}.',
    })
    const system = (content: string) => ({ model: { messages: [{ role: 'system', content }] } })
    await save({
      personality_id: personality,
      metadata: { company_name: 'Acme' },
      ...system('You are {{company_name}}.'),
    })
    await save(system('You speak for {{company_name}}.'))
    const [{ changes }] = await log()
    expect(changes.map(({ path }: { path: string }) => path)).toEqual(['model.messages.0.content'])
  })

  test('of long texts that are much alike takes no longer than they are', async () => {
    const user = (content: string) => ({ role: 'user', content })
    const messages = [
      ...Array(9).fill(user(`{{m}}${'ł'.repeat(5_000)}b${'ł'.repeat(5_000)}`)),
      user(`{{e}}${'ł'.repeat(99_000)}c`),
    ]
    const body = { variableValues: { e: 'x' }, model: { messages } }
    await save({ model: { messages: [user('Hi')] } })
    const taken = cpuMsUntil(async () => expect((await save(body)).status).toBe(200))
    expect(await taken).toBeLessThan(2000)
    const [{ changes }] = await log()
    expect(changes.filter(({ path }: { path: string }) => path.startsWith('rendered'))).toEqual([])
  })

  test('of a field that is named like what every object has is told like any other', async () => {
    const [one, two] = [
      await make('base-configs', { name: 'One', config: { hasOwnProperty: 'x', toString: 'x' } }),
      await make('base-configs', { name: 'Two', config: { hasOwnProperty: 'y', toString: 'y' } }),
    ]
    const made = await client.send('POST', '/v2/assistants', { name: 'Desk', base_config_id: one })
    expect(made.status).toBe(201)
    const path = `/v2/assistants/${made.body.data.assistant_id}`
    expect(await client.send('PUT', path, { base_config_id: two })).toMatchObject({ status: 200 })
  })

  test('of an id says what it leads to', async () => {
    const first = await make('prompt-templates', { name: 'Greeter', prompt: 'Hi' })
    const second = await make('prompt-templates', { name: 'Clinic', prompt: 'Hi' })
    const tool = await make('tools', { label: 'Hang up', description: 'Ends it', type: 'endCall', scope: 'global' })
    await save({ template_id: first })
    expect((await log())[0].changes).toContainEqual({ path: 'template_id', from: null, to: first, to_name: 'Greeter' })
    await save({ template_id: second, model: { toolIds: [tool] } })
    const [{ changes }] = await log()
    const named = { path: 'template_id', from: first, to: second, from_name: 'Greeter', to_name: 'Clinic' }
    expect(changes).toContainEqual(named)
    await save({ model: { toolIds: [] } })
    expect((await log())[0].changes).toContainEqual({
      path: 'model.toolIds',
      from: [tool],
      to: [],
      from_name: ['Hang up'],
      to_name: [],
    })
  })
})

test.each<[path: string, body: (value: string | number) => object]>([
  ['metadata.variable_values.api_keys.stripe', (stripe) => ({ variableValues: { api_keys: { stripe } } })],
  ['metadata.variable_values.api_keys.pin', (pin) => ({ variableValues: { api_keys: { pin: Number(pin) || 4321 } } })],
  ['metadata.variable_values.credentials.crm.pw', (pw) => ({ variableValues: { credentials: { crm: { pw } } } })],
  ['metadata.variable_values.environmentVariables.A', (A) => ({ variableValues: { environmentVariables: { A } } })],
  ['metadata.variable_values.headers.X-A.deep', (deep) => ({ variableValues: { headers: { 'X-A': { deep } } } })],
  ['metadata.variable_values.api_key', (api_key) => ({ variableValues: { api_key } })],
  ['metadata.variable_values.api_keys.a.b', (pin) => ({ variableValues: { api_keys: { 'a.b': pin } } })],
  ['metadata.variable_values.a.b.token', (token) => ({ variableValues: { 'a.b': { token } } })],
  ['metadata.variable_values.a.api_key.b', (pin) => ({ variableValues: { 'a.api_key.b': pin } })],
])('a secret is masked in changes, sentences and comparisons: %s', async (path, body) => {
  await save(body('1234111'))
  await save(body('hush222'))
  const [newest, before] = await log()
  expect(newest.changes).toEqual([{ path, from: '••••', to: '••••' }])
  expect(newest.summary).toBe(`Changed ${path}.`)
  const compared = await client.data('GET', `/assistants/${id}/update-log/${before.id}/compare/${newest.id}`)
  expect(compared.changes).toEqual([{ ...newest.changes[0], summary: newest.summary }])
})

test.each<[key: string, from: string | number, to: string | number]>([
  ['token.seconds', 5, 6],
  ['pem.note', 'old', 'new'],
  ['headers.a.note', 'old', 'new'],
])('a key with a dot is one key, also where a part of it would be called a secret: %s', async (key, from, to) => {
  await save({ variableValues: { [key]: from } })
  await save({ variableValues: { [key]: to } })
  const [newest, before] = await log()
  expect(newest.changes).toEqual([{ path: `metadata.variable_values.${key}`, from, to }])
  expect(newest.summary).toContain(` to ${JSON.stringify(to)}.`)
  const compared = await client.data('GET', `/assistants/${id}/update-log/${before.id}/compare/${newest.id}`)
  expect(compared.changes).toEqual([{ ...newest.changes[0], summary: newest.summary }])
})

test('a secret in an entry of an earlier release is masked when it is read', async () => {
  const { id: row } = await client.data('GET', `/assistants/${id}`)
  const change = {
    path: 'metadata.variable_values.api_keys.stripe',
    from: 'hush111',
    to: 'hush222',
    to_name: 'hush222',
  }
  const other = { path: 'voice.speed', from: 1, to: 1.2 }
  const said = `Changed ${change.path} from "hush111" to "hush222". Changed voice.speed from 1 to 1.2. Left out: a tool.`
  await app.database.sql`insert into assistant_versions
    (assistant_id, action, source, actor_id, actor_name, changes, summary, created_at)
    select ${row}, 'updated', 'regular', 1, 'Ada', ${JSON.stringify([change, other])}::text::jsonb, ${said}, now()`
  const [entry] = await log()
  const one = await client.data('GET', `/assistants/${id}/update-log/${entry.id}`)
  expect(entry.changes).toEqual([{ path: change.path, from: '••••', to: '••••' }, other])
  expect([entry.summary, one.summary]).toEqual(
    Array(2).fill(`Changed ${change.path}. Changed voice.speed from 1 to 1.2. Left out: a tool.`),
  )
  expect(JSON.stringify(one)).not.toContain('hush')
})

test('an entry says its first three changes in sentences, and how many more there are', async () => {
  const template = await make('prompt-templates', { name: 'Greeter', prompt: 'Hi' })
  const voice = { speed: 1.2, volume: 0.5 }
  await save({ template_id: template, firstMessage: 'Hello', ...{ voice: { speed: 1, volume: 1 } } })
  await save({ template_id: null, firstMessage: 'Good day', voice })
  const [{ changes, summary }] = await log()
  expect(changes.length).toBeGreaterThan(3)
  expect(summary).toMatch(/^Removed the template\. /)
  expect(summary).toContain('Changed the first message from "Hello" to "Good day".')
  expect(summary).toMatch(new RegExp(` ${changes.length - 3} more changes?\\.$`))
})

describe('a sentence says what is empty as people do', () => {
  const user = (content: string) => ({ model: { messages: [{ role: 'user', content }] } })

  test.each<[what: string, from: object, to: object, there: string, back: string]>([
    [
      'a list',
      { endCallPhrases: ['bye'] },
      { endCallPhrases: [] },
      'Removed endCallPhrases.',
      'Set endCallPhrases to ["bye"].',
    ],
    [
      'a short text',
      { firstMessage: 'Hello' },
      { firstMessage: '' },
      'Changed the first message from "Hello" to "".',
      'Changed the first message from "" to "Hello".',
    ],
    [
      'a text of several lines',
      user('a\nb'),
      user(''),
      'Changed message 1: 0 lines added, 2 removed.',
      'Changed message 1: 2 lines added, 0 removed.',
    ],
  ])('%s', async (_, from, to, there, back) => {
    await save(from)
    await save(to)
    await save(from)
    const [{ summary: second }, { summary: first }] = await log()
    expect([first, second]).toEqual([there, back])
  })

  test('the last tool', async () => {
    const tool = await make('tools', { label: 'Hang up', description: 'Ends it', type: 'endCall', scope: 'global' })
    const tools = (toolIds: string[]) => save({ model: { toolIds } })
    await save({ model: { maxTokens: 100 } })
    for (const ids of [[tool], [], [tool]]) await tools(ids)
    const entries = await log()
    expect(entries.slice(0, 3).map(({ summary }: { summary: string }) => summary)).toEqual([
      'Set the tools to Hang up.',
      'Removed the tools.',
      'Set the tools to Hang up.',
    ])
    const compared = await client.data('GET', `/assistants/${id}/update-log/${entries[0].id}/compare/${entries[1].id}`)
    expect(compared.changes).toMatchObject([{ from_name: ['Hang up'], to_name: [], summary: 'Removed the tools.' }])
  })
})

describe('two entries compared', () => {
  const compare = (a: number | string, b: number | string) =>
    client.send('GET', `/assistants/${id}/update-log/${a}/compare/${b}`)

  test('say every change in a sentence', async () => {
    const template = await make('prompt-templates', { name: 'Greeter', prompt: 'Hi' })
    await save(prompted(prompt))
    await save({
      voice: { speed: 1.2 },
      template_id: template,
      startSpeakingPlan: { apiKey: 'hush' },
      ...prompted([...prompt, 'Thank them.']),
    })
    const [newest, middle, first] = await log()
    const { status, body } = await compare(middle.id, newest.id)
    expect(status).toBe(200)
    const { data } = body
    expect([data.from, data.to]).toEqual(
      [middle, newest].map(({ id: entry, created_at }) => ({ id: entry, created_at })),
    )
    const sentences = data.changes.map(({ summary }: { summary: string }) => summary)
    expect(sentences).toEqual(
      expect.arrayContaining([
        'Set voice to {"speed":1.2}.',
        'Set the template to "Greeter".',
        'Changed message 1: 1 line added, 0 removed.',
      ]),
    )
    expect(JSON.stringify(data)).not.toContain('hush')
    const back = (await compare(newest.id, first.id)).body.data.changes
    expect(back).toContainEqual({ path: 'voice', from: { speed: 1.2 }, to: null, summary: 'Removed voice.' })
    expect((await compare(first.id, first.id)).body.data.changes).toEqual([])
  })

  const basic = { voice: { provider: '11labs', voiceId: 'a' }, firstMessage: 'Base hello', maxDurationSeconds: 300 }
  const basicEngine = { provider: 'openai', model: 'gpt-4.1' }
  const otherBase = {
    voice: { provider: 'vapi', voiceId: 'Elliot' },
    model: { provider: 'custom-llm', model: 'own', url: 'https://llm.example' },
    firstMessage: 'Another hello',
    maxDurationSeconds: 900,
  }
  const newBase = (config: object) => make('base-configs', { name: 'Base', config })

  test.each<[what: string, change: () => Promise<string>, told: string[]]>([
    [
      'another base config',
      async () => {
        const one = await newBase({ ...basic, model: basicEngine })
        const made = await client.data('POST', '/v2/assistants', { name: 'Desk', base_config_id: one })
        await client.data('PUT', `/v2/assistants/${made.assistant_id}`, { base_config_id: await newBase(otherBase) })
        return made.assistant_id
      },
      ['base_config_id', 'firstMessage', 'maxDurationSeconds'],
    ],
    [
      'a base config that was changed meanwhile',
      async () => {
        const base = await newBase({ ...basic, model: basicEngine })
        const template_id = await make('prompt-templates', { name: 'Greeter', prompt: 'Hi', base_config_id: base })
        const { assistant_id } = await client.data('POST', '/assistants', { name: 'Desk', template_id })
        await admin.data('PUT', `/admin/base-configs/${base}`, { name: 'Renamed', config: otherBase })
        await client.data('PUT', `/assistants/${assistant_id}`, { name: 'Front desk' })
        return assistant_id
      },
      ['name'],
    ],
    [
      'texts of a template and of a personality that were rewritten meanwhile',
      async () => {
        const template = { name: 'Greeter', prompt: 'Hi', first_message: 'Hello' }
        const personality = { name: 'Kind', voice: { provider: '11labs', voiceId: 'a' }, prompt: 'Be kind.' }
        const [template_id, personality_id] = [
          await make('prompt-templates', template),
          await make('personalities', personality),
        ]
        const body = { name: 'Desk', template_id, personality_id }
        const { assistant_id } = await client.data('POST', '/assistants', body)
        const rewritten = { ...template, prompt: 'Good day', first_message: 'Welcome' }
        await admin.data('PUT', `/admin/prompt-templates/${template_id}`, rewritten)
        await admin.data('PUT', `/admin/personalities/${personality_id}`, { ...personality, prompt: 'Be brief.' })
        await client.data('PUT', `/assistants/${assistant_id}`, { name: 'Desk' })
        return assistant_id
      },
      ['rendered.first_message', 'rendered.messages.0.content'],
    ],
  ])('tell what the update-log tells of a save: %s', async (_, change, told) => {
    id = await change()
    const [newest, before] = await log()
    const { changes } = (await compare(before.id, newest.id)).body.data
    const paths = changes.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(newest.changes.map(({ path }: { path: string }) => path))
    expect(changes).toMatchObject(newest.changes)
    expect(paths).toEqual(expect.arrayContaining(told))
    expect(JSON.stringify(changes)).not.toMatch(/sources|provider|custom-llm|gpt-4|llm.example/)
  })

  test('must exist and hold a configuration', async () => {
    const [{ id: entry }] = await log()
    expect(await compare(entry, 999_999_999)).toMatchObject({ status: 404, body: { message: 'Version not found' } })
    expect(await compare('x', entry)).toMatchObject({ status: 404 })
    const stranger = await newUser(app.database)
    const answer = await app.send('GET', `/assistants/${id}/update-log/${entry}/compare/${entry}`, {
      token: stranger.token,
    })
    expect(answer.status).toBe(404)
    const { id: row } = await client.data('GET', `/assistants/${id}`)
    const [bare] = await app.database.sql<{ id: number }[]>`insert into assistant_versions
      (assistant_id, action, source, actor_id, actor_name, changes, summary, created_at)
      values (${row}, 'updated', 'phone_number', 1, 'Ada', '[]', 'A number', now()) returning id`
    const body = { success: false, message: 'This version has no restorable configuration.' }
    expect(await compare(entry, bare?.id ?? 0)).toMatchObject({ status: 422, body })
    expect(await compare(bare?.id ?? 0, entry)).toMatchObject({ status: 422, body })
  })
})
