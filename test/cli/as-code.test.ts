import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runAsCode } from '../../cli/as-code/command.ts'
import { CommandError } from '../../cli/error.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { listening } from '../support/listening.ts'

type Json = Record<string, unknown>

const home = mkdtempSync(join(tmpdir(), 'switchboard-as-code-'))
let app: TestApp
let user: TestUser
let operator: TestUser
let url: string
let stop: () => Promise<unknown>
let folder: string
let folders = 0

beforeAll(async () => {
  app = await testApp()
  operator = await newUser(app.database, { role: 'admin' })
  ;({ url, stop } = listening(app))
})
beforeEach(async () => {
  user = await newUser(app.database)
  folder = join(home, `workspace-${++folders}`)
})
afterAll(async () => {
  await stop()
  rmSync(home, { recursive: true, force: true })
})

interface Ran {
  code: number
  out: string
}

/** A command as its program runs it; a refusal is its text and its exit code. */
async function run(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const lines: string[] = []
  const [name = '', ...rest] = args
  if (name !== 'pull' && name !== 'plan' && name !== 'apply') throw new Error(`no command ${name}`)
  const set = { HOME: home, SWITCHBOARD_URL: url, SWITCHBOARD_KEY: user.token, ...env }
  try {
    const code = await runAsCode(name, rest, { env: set, print: (text) => void lines.push(text) })
    return { code, out: lines.join('\n') }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { code: error.exitCode, out: [...lines, error.message].join('\n') }
  }
}

const call = (method: string, path: string, body?: unknown, as = user): Promise<Json> =>
  clientOf(app, as.token).data(method, path, body)
const listOf = async (path: string) => (await call('GET', path)) as unknown as Json[]

const file = (...path: string[]) => join(folder, ...path)
const textOf = (...path: string[]) => readFileSync(file(...path), 'utf8')
const edit = (path: string, from: string | RegExp, to: string) => {
  const before = textOf(path)
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  writeFileSync(file(path), after)
}

const secret = 'a-secret-of-the-receiver'
/** What a wiped workspace is told its secrets again with. */
let secrets: Record<string, string>
let numbers: string[]

async function buyNumber(): Promise<string> {
  const [offer] = await listOf('/phone-numbers/available')
  const { phone_number: bought } = await call('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  return String(bought)
}

/** A workspace that has something of everything. */
async function furnish(): Promise<void> {
  const template = await call(
    'POST',
    '/admin/prompt-templates',
    { name: 'Clinic', prompt: 'You work at {{company_name}}.', first_message: 'Welcome to {{company_name}}.' },
    operator,
  )
  const base = await call(
    'POST',
    '/admin/base-configs',
    { name: 'Plain', config: { maxDurationSeconds: 240 } },
    operator,
  )
  const personality = await call(
    'POST',
    '/admin/personalities',
    { name: 'Sarah', voice: { provider: '11labs', voiceId: 'sarah' }, prompt: 'You are calm.' },
    operator,
  )
  const desk = await call('POST', '/assistants', {
    name: 'Front desk',
    type: 'production',
    firstMessage: 'Hello: this is {{company_name}}.\nHow can I help?',
    endCallPhrases: ['goodbye', 'yes', '12'],
    model: { messages: [{ role: 'system', content: 'Line one.\n\n  Indented: yes\n' }], maxTokens: 250 },
    metadata: {
      company_name: 'Harbour Dental',
      webhook_url: 'https://hooks.example.com/calls',
      business_hours: { monday: '9-17' },
      always_say: ['No'],
    },
    variableValues: { city: 'Bristol', floor: 2, open: true },
    maxDurationSeconds: 90,
    startSpeakingPlan: { waitSeconds: 0.4 },
  })
  await call('PUT', `/assistants/${desk.assistant_id}/advanced`, {
    name: 'Front desk',
    analysisPlan: { summaryPlan: { enabled: true } },
    artifactPlan: { recording: true },
    personality_id: personality.id,
  })
  await call('PUT', `/assistants/${desk.assistant_id}/embed`, { embed_config: { mode: 'chat', title: 'Ask us' } })
  const templated = await call('POST', '/assistants', {
    name: 'Clinic',
    template_id: template.id,
    metadata: { company_name: 'Harbour Dental' },
  })
  // Two of one name.
  await call('POST', '/assistants', { name: 'Clinic' })
  await call('POST', '/v2/assistants', {
    name: 'Built',
    base_config_id: base.id,
    prompt_template_id: template.id,
    system_prompt: 'You are brief at {{company_name}}.',
    metadata: { company_name: 'Harbour Dental' },
  })
  const members = [
    {
      assistantId: desk.assistant_id,
      assistantDestinations: [{ assistantName: 'Clinic', assistantId: templated.assistant_id, message: 'One moment.' }],
      position: { x: 1, y: 2 },
    },
    { assistantId: templated.assistant_id, assistantOverrides: { firstMessage: 'Clinic here.' } },
  ]
  const squad = await call('POST', '/squads', { name: 'Front office', members, metadata: { floor: 2 } })
  const published = await call('PUT', `/squads/${squad.external_squad_id}`, { name: 'Front office', members })
  await call('POST', '/squads', { name: 'Idea', members: [], variableValues: { city: 'Bath' } })
  const agent = await call('POST', '/agents', { name: 'Guide', instructions: 'You guide.\nIn few words.' })
  await call('PUT', `/agents/${agent.id}/budget`, { window: 'day', tokens: 1000, usd: null })
  numbers = [await buyNumber(), await buyNumber()]
  const [first = '', second = ''] = numbers.map((number) => number.slice(1))
  await call('PUT', `/phone-numbers/${first}`, {
    name: 'Main line',
    voice_assistant_id: desk.assistant_id,
    fallback_destination: { type: 'number', number: '+14155550199' },
    server: { url: 'https://hooks.example.com/line', secret, headers: { 'X-Place': 'desk' } },
  })
  await call('PUT', `/phone-numbers/${second}`, { voice_squad_id: published.external_squad_id })
  secrets = {
    [`NUMBERS_${first}_SERVER_SECRET`]: secret,
    [`NUMBERS_${first}_SERVER_HEADERS_X_PLACE`]: 'desk',
  }
}

/** Everything that can be deleted is; numbers lead nowhere. */
async function wipe(): Promise<void> {
  for (const number of numbers) {
    await call('PUT', `/phone-numbers/${number.slice(1)}`, {
      name: null,
      voice_assistant_id: null,
      voice_squad_id: null,
      fallback_destination: null,
      server: null,
    })
  }
  for (const { external_squad_id: id } of await listOf('/squads')) await call('DELETE', `/squads/${id}`)
  for (const { assistant_id: id } of await listOf('/assistants')) await call('DELETE', `/assistants/${id}`)
  for (const { id } of await listOf('/agents')) await call('DELETE', `/agents/${id}`)
}

const ofItsOwn =
  /(^|_)(id|uid)$|^(voice_assistant_id|voice_squad_id|created_at|updated_at|last_\w+_at)$|(created|updated)At$/

/** A record without what every record has of its own; ids of assistants and squads are their names. */
function comparable(record: unknown, names: Map<string, string>): unknown {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value === 'string') return names.get(value) ?? value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => {
        const known = typeof item === 'string' ? names.get(item) : undefined
        return ofItsOwn.test(key) && known === undefined ? [] : [[key, walk(item)]]
      }),
    )
  }
  return walk(record)
}

/** The whole workspace as its reads show it. */
async function snapshot(): Promise<unknown> {
  const assistants = await listOf('/assistants?sort_by=created_at&per_page=100')
  const squads = await listOf('/squads?per_page=100')
  const names = new Map<string, string>()
  for (const one of assistants) {
    for (const id of [one.assistant_id, one.voice_assistant_id]) names.set(String(id), `assistant ${one.name}`)
  }
  for (const one of squads) names.set(String(one.external_squad_id), `squad ${one.name}`)
  const embeds = await Promise.all(assistants.map(({ assistant_id: id }) => call('GET', `/assistants/${id}/embed`)))
  const built = await Promise.all(assistants.map(({ assistant_id: id }) => call('GET', `/v2/assistants/${id}`)))
  const agents = await listOf('/agents?per_page=100')
  const budgets = await Promise.all(agents.map(({ id }) => call('GET', `/agents/${id}/budget`)))
  const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
  const sorted = (list: unknown[]) => list.map((one) => comparable(one, names)).sort(byText)
  return {
    assistants: sorted(built.map(({ coreData: _live, ...record }) => record)),
    live: sorted(built.map(({ coreData }) => ({ ...(coreData as Json), id: undefined }))),
    embeds: sorted(embeds.map(({ embed_config }) => embed_config)),
    squads: sorted(squads),
    agents: sorted(agents),
    budgets: sorted(budgets.map(({ window, tokens, usd }) => ({ window, tokens, usd }))),
    numbers: sorted(await listOf('/phone-numbers?per_page=100')),
  }
}

describe('a whole workspace', () => {
  beforeEach(furnish)

  test('comes back from its files after it was wiped, and applying them again does nothing', async () => {
    const before = await snapshot()
    expect((await run(['pull', folder])).out).toBe(`9 files in ${folder}.`)
    expect(await run(['plan', folder])).toEqual({ code: 0, out: 'Nothing to change.' })
    await wipe()
    const planned = await run(['plan', folder])
    expect(planned.code).toBe(2)
    expect(planned.out).toContain('+ assistants/front-desk')
    expect(planned.out).toMatch(/7 to create, 2 to change\.$/)
    const missing = await run(['apply', folder])
    expect([missing.code, missing.out]).toEqual([
      1,
      expect.stringMatching(/numbers.*: Set the environment variable NUMBERS_/),
    ])
    const applied = await run(['apply', folder], secrets)
    expect(applied).toMatchObject({ code: 0 })
    expect(await snapshot()).toEqual(before)
    expect(await run(['plan', folder], secrets)).toEqual({ code: 0, out: 'Nothing to change.' })
    expect(await run(['apply', folder], secrets)).toEqual({ code: 0, out: 'Nothing to change.' })
  }, 60_000)

  test('is the same files at every pull, readable and without a secret', async () => {
    await run(['pull', folder])
    const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    const texts = () => names().map((name) => (/yaml$/.test(name) ? [name, textOf(name)] : [name]))
    const first = texts()
    await run(['pull', folder])
    expect(texts()).toEqual(first)
    expect(JSON.stringify(first)).not.toContain(secret)
    const desk = textOf('assistants/front-desk.yaml')
    expect(desk).toMatch(
      /^name: Front desk\ntype: production\npersonality_id: \d+\nmetadata:\n {2}always_say:\n {4}- "?No"?\n/,
    )
    expect(desk).toContain('firstMessage: |-\n  Hello: this is {{company_name}}.\n  How can I help?\n')
    expect(textOf('squads/front-office.yaml')).toContain('assistant: front-desk')
    expect(textOf(`numbers/${numbers[0]}.yaml`)).toContain(
      `secret: !secret NUMBERS_${numbers[0]?.slice(1)}_SERVER_SECRET`,
    )
  }, 60_000)

  test('another folder of the same names stands for the same resources', async () => {
    await run(['pull', folder])
    rmSync(file('.switchboard.yaml'))
    rmSync(file('assistants/clinic-2.yaml'))
    const planned = await run(['plan', folder])
    expect(planned.out).toContain('Nothing to change.')
    expect(planned.out).toContain('Without a file here')
  }, 60_000)
})

describe('a plan', () => {
  beforeEach(async () => {
    numbers = []
    await call('POST', '/assistants', {
      name: 'Desk',
      firstMessage: 'Hello.',
      metadata: { country: 'SE', industry: 'dental' },
    })
    await call('POST', '/agents', { name: 'Guide', description: 'Guides.' })
    await run(['pull', folder])
  })

  test('shows every leaf, and an apply makes it so', async () => {
    edit('assistants/desk.yaml', 'Hello.', 'Welcome.')
    edit('assistants/desk.yaml', /\n {2}industry: dental/, '')
    edit('agents/guide.yaml', 'description: Guides.\n', 'instructions: You guide.\n')
    const planned = await run(['plan', folder])
    expect(planned).toEqual({
      code: 2,
      out: [
        '~ assistants/desk',
        '    metadata.industry: "dental" -> (nothing)',
        '    firstMessage: "Hello." -> "Welcome."',
        '~ agents/guide',
        '    description: "Guides." -> (nothing)',
        '    instructions: (nothing) -> "You guide."',
        '2 to change.',
      ].join('\n'),
    })
    expect(await run(['apply', folder])).toEqual({ code: 0, out: 'updated assistants/desk\nupdated agents/guide' })
    const [desk] = await listOf('/assistants')
    expect(desk).toMatchObject({ first_message_raw: 'Welcome.', metadata: { country: 'SE' } })
    expect(desk?.metadata).not.toHaveProperty('industry')
    expect(await listOf('/agents')).toMatchObject([{ description: null, instructions: 'You guide.' }])
    expect(await run(['apply', folder])).toEqual({ code: 0, out: 'Nothing to change.' })
  })

  test('deletes what has no file only when asked to', async () => {
    rmSync(file('assistants/desk.yaml'))
    const planned = await run(['plan', folder])
    expect(planned.code).toBe(0)
    expect(planned.out).toContain(
      'Without a file here (apply --delete deletes what can be deleted):\n    assistants/desk',
    )
    await run(['apply', folder])
    expect(await listOf('/assistants')).toHaveLength(1)
    expect(await run(['plan', folder, '--delete'])).toEqual({ code: 2, out: '- assistants/desk\n1 to delete.' })
    expect(await run(['apply', folder, '--delete'])).toEqual({ code: 0, out: 'deleted assistants/desk' })
    expect(await listOf('/assistants')).toEqual([])
  })

  test('that was kept is applied only as long as both sides are as it says', async () => {
    const plan = file('plan.json')
    edit('assistants/desk.yaml', 'Hello.', 'Welcome.')
    expect((await run(['plan', folder, '--output', plan])).code).toBe(2)
    const [desk] = await listOf('/assistants')
    const moved = {
      code: 1,
      out: 'The folder or the workspace has changed since the plan was made:\n    assistants/desk\nPlan again.',
    }
    // The server moved.
    await call('PUT', `/assistants/${desk?.assistant_id}`, { name: 'Desk', maxDurationSeconds: 77 })
    expect(await run(['apply', folder, '--plan', plan])).toEqual(moved)
    expect((await listOf('/assistants'))[0]).toMatchObject({ first_message_raw: 'Hello.', max_duration_seconds: 77 })
    // The folder moved.
    await run(['pull', folder])
    edit('assistants/desk.yaml', 'Hello.', 'Welcome.')
    await run(['plan', folder, '--output', plan])
    edit('assistants/desk.yaml', 'Welcome.', 'Come in.')
    expect(await run(['apply', folder, '--plan', plan])).toEqual(moved)
    // Neither did.
    edit('assistants/desk.yaml', 'Come in.', 'Welcome.')
    expect(await run(['apply', folder, '--plan', plan])).toEqual({ code: 0, out: 'updated assistants/desk' })
    expect(await run(['apply', folder, '--plan', plan])).toMatchObject({ code: 1 })
  })

  test('writes over nothing that was changed between its look and its write', async () => {
    edit('assistants/desk.yaml', 'Hello.', 'Welcome.')
    const [desk] = await listOf('/assistants')
    // Somebody saves right after the assistant was read for the last time.
    const meddling = Bun.serve({
      port: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        if (request.method === 'PUT') await call('PUT', `/assistants/${desk?.assistant_id}`, { name: 'Theirs' })
        const headers = new Headers(request.headers)
        return app.send(request.method, pathname + search, {
          token: user.token,
          headers: Object.fromEntries(headers),
          ...(request.body && { body: await request.text() }),
        })
      },
    })
    try {
      rmSync(file('.switchboard.yaml'))
      const refused = await run(['apply', folder], { SWITCHBOARD_URL: `http://127.0.0.1:${meddling.port}` })
      expect(refused).toEqual({ code: 1, out: 'assistants/desk: somebody changed it since: plan again.' })
      expect((await listOf('/assistants'))[0]).toMatchObject({ name: 'Theirs', first_message_raw: 'Hello.' })
    } finally {
      await meddling.stop(true)
    }
  })

  test('needs files that can be read', async () => {
    writeFileSync(file('assistants/desk.yaml'), 'name: [')
    expect(await run(['plan', folder])).toMatchObject({ code: 1, out: expect.stringContaining('desk.yaml: ') })
    writeFileSync(file('assistants/desk.yaml'), '- name')
    expect((await run(['plan', folder])).out).toContain('must hold fields')
    expect(await run(['apply', folder, '--plan', file('none.json')])).toMatchObject({ code: 1 })
    expect(await run(['plan'])).toMatchObject({ code: 2 })
    expect(await run(['plan', folder, '--nonsense'])).toMatchObject({ code: 2 })
  })
})

test('a secret that changed in the environment is told, and shown nowhere', async () => {
  numbers = [await buyNumber()]
  const digits = numbers[0]?.slice(1)
  await call('PUT', `/phone-numbers/${digits}`, { server: { url: 'https://hooks.example.com/x', secret } })
  await run(['pull', folder])
  const env = { [`NUMBERS_${digits}_SERVER_SECRET`]: 'another-one' }
  const planned = await run(['plan', folder, '--output', file('plan.json')], env)
  expect([planned.code, planned.out]).toEqual([2, expect.stringContaining('server.secret: ')])
  for (const text of [planned.out, textOf('plan.json')]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('another-one')
  }
  expect(await run(['apply', folder, '--plan', file('plan.json')], env)).toMatchObject({ code: 0 })
  expect(await call('GET', `/phone-numbers/${digits}`)).toMatchObject({ server: { secret: 'another-one' } })
})

test("an operator's token stands for the operator's own workspace", async () => {
  await call('POST', '/assistants', { name: 'Somebody else’s' })
  await call('POST', '/assistants', { name: 'Ours' }, operator)
  expect(await run(['pull', folder], { SWITCHBOARD_KEY: operator.token })).toMatchObject({ code: 0 })
  expect(readdirSync(file('assistants'))).toContain('ours.yaml')
  expect(readdirSync(file('assistants'))).not.toContain('somebody-else-s.yaml')
})

test('a server that calls its numbers by paths gets nothing written', async () => {
  const number = '../../escape'
  const responses: Record<string, unknown> = {
    '/user/access': { data: { workspace: { id: 1, uuid: 'u' }, features: ['phone_numbers'] } },
    '/phone-numbers': { data: [{ phone_number: number, workspace_id: 'u' }] },
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url: asked }) => Response.json(responses[new URL(asked).pathname] ?? { data: { name: 'x' } }),
  })
  try {
    const ran = await run(['pull', folder], { SWITCHBOARD_URL: `http://127.0.0.1:${server.port}` })
    expect(ran).toEqual({
      code: 1,
      out: `The server has numbers called "${number}", which is no name of a file.`,
    })
    expect(readdirSync(home)).not.toContain('escape.yaml')
  } finally {
    await server.stop(true)
  }
})
