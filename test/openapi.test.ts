import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { AnyRouter } from '@trpc/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from '../src/api/openapi/document.ts'
import { exampleMaker, fileExample } from '../src/api/openapi/examples.ts'
import { openApiText } from '../src/api/openapi/text.ts'
import type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  Reference,
  ResponseObject,
} from '../src/api/openapi/types.ts'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import { restRouter } from '../src/router.ts'
import { newUser, type TestApp, type TestUser, testApp, type UserOptions } from './support/app.ts'

const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
const document = openApiDocument(restRouter, '/')
const released: OpenApiDocument = JSON.parse(readFileSync(new URL('../openapi.released.json', import.meta.url), 'utf8'))
const router: AnyRouter = restRouter
const outputs: Record<string, { _def: { output?: unknown } }> = router._def.procedures
const methods = operationsOf(restRouter).flatMap((operation) =>
  operation.methods.map((method) => ({ title: `${method} ${operation.path}`, operation, method })),
)
const exampleOf = exampleMaker(document.components.schemas)

function described(operation: Operation, method: string): OperationObject {
  const found = document.paths[operation.path]?.[method.toLowerCase()]
  if (!found) throw new Error(`${method} ${operation.path} is not described`)
  return found
}

const resolved = (response: ResponseObject | Reference | undefined): ResponseObject | undefined =>
  response && '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response

const examplesIn = (response: ResponseObject | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(response?.content?.['application/json']?.examples ?? {}).map(([name, { value }]) => [name, value]),
  )

const pathValues = (entry: OperationObject) =>
  Object.fromEntries(
    (entry.parameters ?? []).flatMap((parameter) =>
      'in' in parameter && parameter.in === 'path'
        ? [[parameter.name, exampleOf(parameter.schema ?? {}, 'request', parameter.name)]]
        : [],
    ),
  )

test('the committed description is what the procedures say', () => {
  expect(committed === openApiText(document), 'run `bun run openapi` and review the difference').toBe(true)
})

test('the same document is made at every run', () => {
  expect(openApiText(openApiDocument(restRouter, '/'))).toBe(openApiText(document))
})

test('redocly finds nothing to say', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: openApiText(document), absoluteRef: 'openapi.json', config })
  const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  expect(found).toEqual([])
})

test('the document says what it is, and describes the tags that it uses', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(document.info).toMatchObject({ title: 'Switchboard', version, license: { identifier: 'MIT' } })
  const used = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap((entry) => entry.tags ?? []))
  expect(new Set(document.tags.map(({ name }) => name))).toEqual(new Set(used))
  for (const { name, description } of document.tags) expect(description, `tag ${name}`).not.toBe(name)
})

test('what goes beyond the original APIs has its own tags', () => {
  const entries = Object.values(document.paths).flatMap((item) => Object.values(item))
  const tagsOf = (extension: boolean) =>
    new Set(entries.filter((entry) => (entry['x-extension'] ?? false) === extension).flatMap(({ tags }) => tags ?? []))
  const shared = [...tagsOf(true)].filter((tag) => tagsOf(false).has(tag))
  expect(tagsOf(true).size).toBeGreaterThan(0)
  expect(shared).toEqual([])
})

test.each(['/docs', '/widget.js', '/files/pictures/{name}'])('%s is described as needing no token', (path) => {
  expect(document.paths[path]?.get).toMatchObject({ security: [], 'x-extension': true })
})

test('every section is in one group, in the order of the sections', () => {
  const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags)
  expect(grouped).toEqual(document.tags.map(({ name }) => name))
})

describe('the assistant record', () => {
  const { properties: record = {} } = document.components.schemas.Assistant ?? {}

  test.each([
    ['transcriber', ['language', 'confidenceThreshold', 'formatTurns']],
    ['model', ['messages', 'maxTokens', 'toolIds', 'functionCall', 'functionCallBehavior']],
    ['voice', ['voiceId', 'speed']],
    ['voicemail_detection', ['enabled', 'beepDetection', 'silenceDuration', 'greetingDuration']],
    ['compliance_plan', ['recordingEnabled', 'transcriptionEnabled', 'dataRetentionDays']],
    ['background_speech_denoising_plan', ['smartDenoising', 'fourierDenoising']],
    ['artifact_plan', ['recording', 'transcript', 'summary', 'analysis']],
    ['start_speaking_plan', ['initialDelayMs', 'backgroundSoundVolume']],
    ['stop_speaking_plan', ['initialDelayMs', 'backgroundSoundVolume']],
    ['monitor_plan', ['listenEnabled', 'controlEnabled', 'websocketUrl']],
    ['keypad_input_plan', ['enabled', 'maxDigits', 'terminateOnHash']],
  ])('names the keys of %s (contract: assistants 4)', (field, keys) => {
    expect(Object.keys(record[field]?.properties ?? {})).toEqual(keys)
  })

  test('says which of its texts are ids and addresses', () => {
    const formats = ['voice_assistant_id', 'phone_number_id', 'webhook_url'].map((field) => record[field]?.format)
    expect(formats).toEqual(['uuid', 'uuid', 'uri'])
    expect(record.model?.properties?.toolIds?.items?.format).toBe('uuid')
  })
})

describe('the examples keep the rules of the contract', () => {
  const shown = (method: string, path: string) => {
    const responses = document.paths[path]?.[method]?.responses ?? {}
    const success = resolved(responses[200] ?? responses[201])
    return success?.content?.['application/json']?.example as Record<string, unknown>
  }

  test('a message and its reply (chats 8)', () => {
    expect(shown('post', '/agents/{agent_id}/chats/{chat_id}/messages').data).toMatchObject({
      user_message: { role: 'user', model: null },
      assistant_message: { role: 'assistant', model: 'local-extractive' },
    })
  })

  test.each([
    ['put', '/phone-numbers/{id}'],
    ['get', '/phone-numbers/{id}'],
  ])('a number has one target at most (numbers 1): %s %s', (method, path) => {
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(shown(method, path).data).toMatchObject({
      ...{ voice_assistant_id: uuid, voice_squad_id: null, voice_workflow_id: null },
      fallback_destination: { type: 'number', number: expect.stringMatching(/^\+[1-9]\d{6,14}$/) },
    })
  })

  test('a squad that is published has a UUID, a draft has a slug (squads 1)', () => {
    expect(shown('put', '/squads/{id}').data).toMatchObject({
      status: 'published',
      external_squad_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const slug = expect.stringMatching(/^draft_[a-z-]+$/)
    expect(shown('post', '/squads').data).toMatchObject({
      status: 'draft',
      external_squad_id: slug,
      coreData: { id: slug },
    })
  })

  test('the first choice of a completion, and the length of a call within its bounds', () => {
    expect(shown('post', '/chat/completions')).toMatchObject({ choices: [{ index: 0 }] })
    expect(shown('get', '/assistants/{assistantId}').data).toMatchObject({ max_duration_seconds: 600 })
  })
})

test('operation ids are unique', () => {
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((entry) => entry.operationId))
  expect(new Set(ids).size).toBe(ids.length)
})

describe('what goes beyond the two original APIs is marked (contract: rest 29)', () => {
  // Nothing is added to those any more: what has no mark had none at the last release.
  const titled = ({ paths }: OpenApiDocument) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, entry]) => ({ title: `${method.toUpperCase()} ${path}`, entry })),
    )
  const original = (described: OpenApiDocument) => titled(described).filter(({ entry }) => !entry['x-extension'])
  const parameters = (described: OpenApiDocument) =>
    original(described).flatMap(({ title, entry }) =>
      (entry.parameters ?? []).flatMap((parameter) =>
        'in' in parameter && parameter.in === 'query' && !Object.hasOwn(parameter.schema ?? {}, 'x-extension')
          ? [`${title}: ${parameter.name}`]
          : [],
      ),
    )
  const beyond = (now: string[], before: string[]) => now.filter((one) => !before.includes(one))

  test('operations', () => {
    const titles = (described: OpenApiDocument) => original(described).map(({ title }) => title)
    expect(titles(document).length).toBeGreaterThan(0)
    expect(
      beyond(titles(document), titles(released)),
      'operations beyond the original APIs: say `extension: true` in their metadata, and give them a tag of their own',
    ).toEqual([])
  })

  test('query parameters of their operations', () => {
    expect(parameters(document).length).toBeGreaterThan(0)
    expect(
      beyond(parameters(document), parameters(released)),
      'parameters beyond the original APIs: mark their schemas, with `beyond` of src/api/schemas.ts',
    ).toEqual([])
  })
})

describe.each(methods)('$title', ({ operation, method }) => {
  const entry = described(operation, method)
  const { meta } = operation

  test('is named, placed and secured', () => {
    expect(entry.summary).toMatch(/\S/)
    expect(entry.tags).toHaveLength(1)
    expect(entry.operationId).toMatch(/^[\w-]+$/)
    expect(entry['x-trpc-procedure']).toBe(meta.download ? undefined : operation.name)
    expect(entry['x-extension']).toBe(meta.extension ? true : undefined)
    expect(entry['x-event-stream']).toBe(meta.streams)
    expect(entry.security).toEqual(meta.access === 'public' ? [] : [{ bearer: [] }])
  })

  test('documents the statuses that it can answer', () => {
    const statuses = Object.keys(entry.responses).map(Number)
    expect(statuses).toEqual(expect.arrayContaining([meta.status ?? 200, 500, 503]))
    expect(statuses.filter((status) => status < 300)).toHaveLength(1)
    if (meta.access !== 'public') expect(statuses).toEqual(expect.arrayContaining([401, 403, 429]))
    if (entry.requestBody) expect(statuses).toEqual(expect.arrayContaining([400, 413, 415, 422]))
    if (operation.pathParameters.length > 0) expect(statuses).toContain(404)
    if (method === 'GET') expect(statuses.includes(304), '304').toBe(!meta.download)
    const { headers = {} } = resolved(entry.responses[meta.status ?? 200]) ?? {}
    expect('ETag' in headers, 'ETag').toBe(method === 'GET' && !meta.download)
    for (const [status, response] of Object.entries(entry.responses)) {
      expect(resolved(response)?.headers, status).toHaveProperty('x-request-id')
      if (Number(status) >= 400) expect(Object.keys(examplesIn(resolved(response))), status).not.toEqual([])
    }
  })

  test('has an example of its request that its schema takes', () => {
    const bodies = Object.values(entry.requestBody?.content ?? {})
    for (const { example } of bodies) {
      expect(example).toBeTypeOf('object')
      const sent = Object.entries({ ...pathValues(entry), ...(example as object) })
      const input = Object.fromEntries(
        sent.map(([name, value]) => [name, value === fileExample ? new File(['file'], 'file.txt') : value]),
      )
      for (const schema of operation.inputs) {
        if (schema instanceof z.ZodType) expect(schema.safeParse(input).error).toBeUndefined()
      }
    }
  })

  test.skipIf(meta.download)('has an example of its answer that its schema takes', () => {
    const media: MediaType | undefined = resolved(entry.responses[meta.status ?? 200])?.content?.['application/json']
    expect(media?.example).toBeDefined()
    const schema = outputs[operation.name]?._def.output
    if (!(schema instanceof z.ZodType)) throw new Error(`${operation.name} has no output schema`)
    expect(schema.safeParse(media?.example).error).toBeUndefined()
  })
})

describe('real answers are the documented ones', () => {
  let app: TestApp
  let user: TestUser
  beforeAll(async () => {
    app = await testApp()
    user = await newUser(app.database)
  })

  const filled = (operation: Operation, values: Record<string, unknown>) =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? 'wrong')))

  const withToken = methods.filter(({ operation }) => operation.meta.access !== 'public')
  test.each(withToken)('$title without a token', async ({ operation, method }) => {
    const entry = described(operation, method)
    const answer = await app.send(method, filled(operation, pathValues(entry)))
    expect(answer.status).toBe(401)
    expect(Object.values(examplesIn(resolved(entry.responses[401])))).toContainEqual(await answer.json())
  })

  const withIds = methods.filter(({ operation: { path, meta } }) => path.includes('{') && meta.access !== 'operator')
  test.each(withIds)('$title with a malformed id', async ({ operation, method }) => {
    const answer = await app.send(method, filled(operation, {}), { token: user.token })
    expect(answer.status).toBe(404)
    const documented = resolved(described(operation, method).responses[404])
    expect(Object.values(examplesIn(documented))).toContainEqual(await answer.json())
  })

  test('POST /assistants with nothing, with other things than JSON, and under a bad key', async () => {
    const send = (body: unknown, headers?: Record<string, string>) =>
      app.send('POST', '/assistants', { token: user.token, body, headers })
    const create = document.paths['/assistants']?.post
    const cases: [status: number, example: string, answer: Response][] = [
      [422, 'validation_failed', await send({})],
      [422, 'idempotency_key_invalid', await send({ name: 'Desk' }, { 'idempotency-key': 'x'.repeat(256) })],
      [400, 'malformed_body', await send('{', { 'content-type': 'application/json' })],
      [415, 'unsupported_media_type', await send('name=Desk', { 'content-type': 'text/plain' })],
      [413, 'body_too_large', await send({ name: 'x'.repeat(1024 * 1024) })],
    ]
    for (const [status, example, answer] of cases) {
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual(examplesIn(resolved(create?.responses[status]))[example])
    }
  })

  test.each([
    ['/assistants', { name: 'Desk' }],
    ['/assistants', { name: 'Desk' }, 'kept'],
    ['/squads', { name: 'Team', members: [] }],
    ['/agents', { name: 'Helper' }],
    ['/user/tokens', { name: 'CI' }],
    ['/v2/assistants/preview', { name: 'Desk' }],
  ])('POST %s has a Location where that is described', async (path, body, key?: string) => {
    const keyed = key !== undefined && { headers: { 'idempotency-key': key } }
    const { status, headers } = await app.send('POST', path, { token: user.token, body, ...keyed })
    const described = resolved(document.paths[path]?.post?.responses[status])?.headers ?? {}
    expect(headers.has('location')).toBe('Location' in described)
  })

  test('GET /assistants with a wrong query', async () => {
    const answer = await app.send('GET', '/assistants?page=wrong', { token: user.token })
    const documented = resolved(document.paths['/assistants']?.get?.responses[422])
    expect([answer.status, await answer.json()]).toEqual([422, examplesIn(documented).validation_failed])
  })

  const refused: [name: string, options: UserOptions][] = [
    ['feature_disabled', { features: [] }],
    ['permission_denied', { workspaceRole: 'viewer' }],
  ]
  test.each(refused)('POST /assistants %s', async (name, options) => {
    const { token } = await newUser(app.database, options)
    const answer = await app.send('POST', '/assistants', { token, body: { name: 'Desk' } })
    const documented = resolved(document.paths['/assistants']?.post?.responses[403])
    expect([answer.status, await answer.json()]).toEqual([403, examplesIn(documented)[name]])
  })

  test('health is as described', async () => {
    for (const path of ['/health', '/health/ready']) {
      const body = await (await app.send('GET', path)).json()
      const media = resolved(document.paths[path]?.get?.responses[200])?.content?.['application/json']
      expect(Object.keys(body)).toEqual(Object.keys(media?.example as object))
    }
  })
})

describe('bun run openapi', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'openapi-'))
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
    for (const name of ['src', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const run = (...flags: string[]) =>
    spawnSync('bun', ['scripts/openapi.ts', ...flags], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })

  test('--check refuses a missing or stale file and changes nothing; without it the file is written', () => {
    const file = join(folder, 'openapi.json')
    const stale = 'openapi.json is not up to date: run `bun run openapi` and review the difference.\n'
    expect(run('--check')).toMatchObject({ status: 1, stderr: stale })
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, '<<<<<<<')
    expect(run('--check')).toMatchObject({ status: 1, stderr: stale })
    expect(readFileSync(file, 'utf8')).toBe('<<<<<<<')
    expect(run()).toMatchObject({ status: 0, stdout: 'openapi.json was written.\n' })
    expect(readFileSync(file, 'utf8')).toBe(openApiText(document))
    expect(run('--check')).toMatchObject({ status: 0, stdout: 'openapi.json is up to date.\n' })
  })

  test('--check says which operations a stale file lacks, has too many or has otherwise', () => {
    const edited = (edit: (copy: typeof document) => void) => {
      const copy = structuredClone(document)
      edit(copy)
      writeFileSync(join(folder, 'openapi.json'), openApiText(copy))
      const { stderr } = run('--check')
      expect(stderr).toMatch(/\nopenapi\.json is not up to date: .*\n$/)
      return stderr.split('\n').slice(0, -2)
    }
    const three = edited(({ paths }) => {
      const { '/squads': squads, '/assistants': assistants } = paths
      delete squads?.post
      if (!assistants?.get) throw new Error('GET /assistants is not described')
      assistants.get.summary = 'Another'
      paths['/old'] = { delete: assistants.get }
    })
    expect(three).toEqual(['added: POST /squads', 'removed: DELETE /old', 'changed: GET /assistants'])
    const named = edited(({ components }) => {
      components.schemas.Squad = { ...components.schemas.Squad, description: 'Another' }
    })
    expect(named).toContain('changed: GET /squads')
    expect(named).not.toContain('changed: GET /assistants')
    expect(edited(({ info }) => void Object.assign(info, { title: 'Another' }))).toEqual([
      'changed: what is said beside the operations',
    ])
    const all = edited((copy) => void Object.assign(copy, { paths: {} }))
    expect([all.length, all.at(-1)]).toEqual([21, expect.stringMatching(/^and \d+ more$/)])
  })

  test('--help says how it is used', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--check') })
  })

  test('refuses what it does not know', () => {
    expect(run('--wrong')).toMatchObject({ status: 1, stderr: expect.stringContaining('--wrong') })
  })
})
