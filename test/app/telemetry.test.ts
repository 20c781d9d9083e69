import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { otlpMetrics } from '../../src/app/telemetry/metrics.ts'
import { startTelemetry, type Telemetry } from '../../src/app/telemetry/start.ts'
import { statementName } from '../../src/app/telemetry/statements.ts'
import { createHistogram } from '../../src/runtime/metrics.ts'
import { objectStoreFiles } from '../../src/storage/object-store.ts'
import { startObjectStore } from '../storage/object-store-stub.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { newDatabase, testDatabase } from '../support/database.ts'
import { type ReceivedSpan, startCollector, tree } from './collector.ts'

const log = pino({ level: 'silent' })
let collector: ReturnType<typeof startCollector>
let store: ReturnType<typeof startObjectStore>
let telemetry: Telemetry
let app: TestApp
let user: TestUser

beforeAll(async () => {
  collector = startCollector()
  const account = { bucket: 'files', accessKeyId: 'id', secretAccessKey: 'secret' }
  store = startObjectStore(account)
  const { url: endpoint } = collector
  const settings = { endpoint, headers: { 'api-key': 'k' }, serviceName: 'voice', ratio: 1 }
  telemetry = startTelemetry(settings, { log })
  const send = (address: string, init: RequestInit) => fetch(address, init)
  app = await testApp({
    database: telemetry.database(await testDatabase()),
    tracing: telemetry.tracing,
    turnSlots: telemetry.turns(createSlots({ total: 10 })),
    files: objectStoreFiles({
      ...{ endpoint: store.url, ...account, slots: createSlots({ total: 10 }) },
      fetch: telemetry.observe('object store', send),
    }),
  })
  user = await newUser(app.database)
})
afterAll(async () => {
  await Promise.all([collector.stop(), store.stop()])
})

const attributeOf = ({ attributes }: ReceivedSpan, key: string) => {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}
test('a request is the trace of its caller, with its statements, calls and turn in it', async () => {
  const { token } = user
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  const made = await app.send('POST', '/agents', {
    token,
    body: { name: 'Support', instructions: 'We deliver on Mondays.' },
    headers,
  })
  expect(made.headers.get('x-request-id')).toBe(traceId)
  const { data: agent } = await made.json()
  const form = new FormData()
  form.set('file', new File(['Parcels are handed over before noon.'], 'hours.txt'))
  await app.send('POST', `/agents/${agent.id}/files`, { token, body: form, headers: { 'x-request-id': 'mine' } })
  const completed = await app.send('POST', '/chat/completions', {
    token,
    body: { agent: agent.id, messages: [{ role: 'user', content: 'When do you deliver?' }] },
  })
  const completion = completed.headers.get('x-request-id')
  await app.send('GET', '/agents', { token, headers: { traceparent: `00-${'1'.repeat(32)}-b7ad6b7169203331-00` } })
  await telemetry.close()

  const { spans, keys } = collector.received
  const own = spans.filter((span) => span.traceId === traceId)
  expect(own.find(({ name }) => name === 'POST agents.create')).toMatchObject({
    ...{ parentSpanId: 'b7ad6b7169203331', kind: 2 },
    status: {},
  })
  expect(tree(own)).toContain('POST agents.create > insert agents')
  for (const { startTimeUnixNano, endTimeUnixNano } of own) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  }

  const upload = spans.find((span) => span.name === 'POST agentFiles.upload')
  expect(upload && [attributeOf(upload, 'request.id'), attributeOf(upload, 'http.response.status_code')]).toEqual([
    'mine',
    '201',
  ])
  const uploaded = spans.filter((span) => span.traceId === upload?.traceId)
  expect(tree(uploaded)).toContain('POST agentFiles.upload > PUT object store')
  expect(tree(spans.filter((span) => span.traceId === completion))).toContain('POST completions.create > turn')

  expect(spans.filter((span) => span.traceId === '1'.repeat(32))).toEqual([])
  expect(JSON.stringify(spans)).not.toMatch(/Mondays|noon|secret|vk_/)
  expect(keys).toEqual(new Set(['k']))
})

test('a server of these settings tells of requests and of itself, at the latest when it stops', async () => {
  const { url, received, stop } = startCollector()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: 'voice', ADMIN_API_KEY: 'k'.repeat(40) }
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-telemetry-'))
  const server = await startServer(readEnv({ ...settings, PORT: '0', DATA_DIR: folder }), {
    database: await newDatabase(),
    log,
  })
  await fetch(`${server.url}/assistants`, { headers: { authorization: `Bearer ${settings.ADMIN_API_KEY}` } })
  await server.stop()
  await stop()
  rmSync(folder, { recursive: true })
  const names = received.spans.map(({ name }) => name)
  expect(names).toContain('GET assistants.list')
  expect(received.metrics.map(({ name }) => name)).toContain('switchboard_request_seconds')
})

test.each([
  ['database is away', { DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRETS_KEY: btoa('k'.repeat(32)) }],
  ['port is taken', {}],
])('a start that fails because its %s leaves no timer', async (_, settings) => {
  const { url, stop } = startCollector()
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-telemetry-'))
  const database = 'DATABASE_URL' in settings ? undefined : await newDatabase()
  const [begun, ended] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
  try {
    const common = { OTEL_EXPORTER_OTLP_ENDPOINT: url, DATABASE_START_SECONDS: '0', DATA_DIR: folder }
    const env = readEnv({ ...common, ...settings, PORT: database ? new URL(url).port : '0' })
    await expect(startServer(env, { database, log })).rejects.toThrow()
    const timers = begun.mock.results.map(({ value }) => value)
    expect(timers.length).toBeGreaterThanOrEqual(2)
    expect(ended.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers))
  } finally {
    vi.restoreAllMocks()
    await stop()
    rmSync(folder, { recursive: true })
  }
})

test('a job is a trace of its own, also where a request started it, and an error fails its span', async () => {
  const ran = telemetry.tracing.run('outer', { kind: 'internal' }, async () => {
    const fails = telemetry.tracing.run('job x', { kind: 'internal', root: true }, () =>
      Promise.reject(new Error('no')),
    )
    await fails.catch(() => {})
  })
  await ran
  await telemetry.close()
  const job = collector.received.spans.find(({ name }) => name === 'job x')
  const outer = collector.received.spans.find(({ name }) => name === 'outer')
  expect(job).toMatchObject({ status: { code: 2 } })
  expect(job?.parentSpanId).toBeUndefined()
  expect(job?.traceId).not.toBe(outer?.traceId)
})

test.each([
  ['select "id" from "assistants" where "id" = $1', 'select assistants'],
  ['insert into "agents" ("name") values ($1)', 'insert agents'],
  ['update "chats" set "title" = $1', 'update chats'],
  ['delete from only "tokens"', 'delete tokens'],
  ['begin', 'begin'],
  ["select 'a secret'", 'select'],
])('the statement %s is called %s', (text, name) => {
  expect(statementName(text)).toBe(name)
})

test('metrics are sent as OTLP counts them', () => {
  const histogram = createHistogram('seconds', 'How long.')
  histogram.observe({ operation: 'a' }, 0.003)
  histogram.observe({ operation: 'a' }, 0.02)
  histogram.observe({ operation: 'a' }, 100)
  const gauge = { name: 'g', help: 'G.', type: 'gauge' as const, samples: [{ labels: { kind: 'x' }, value: 2 }] }
  const [seconds, g] = otlpMetrics([histogram.metric(), gauge], '1', '2')
  expect(seconds).toMatchObject({
    name: 'seconds',
    histogram: {
      aggregationTemporality: 2,
      dataPoints: [
        {
          attributes: [{ key: 'operation', value: { stringValue: 'a' } }],
          count: '3',
          sum: 100.023,
          explicitBounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
          bucketCounts: ['1', '0', '1', ...Array.from({ length: 10 }, () => '0'), '1'],
        },
      ],
    },
  })
  expect(g).toMatchObject({
    gauge: { dataPoints: [{ attributes: [{ key: 'kind' }], asDouble: 2, timeUnixNano: '2' }] },
  })
})

describe('without a collector', () => {
  test('nothing of it is loaded', () => {
    const root = join(import.meta.dirname, '../..')
    const transpiler = new Bun.Transpiler({ loader: 'ts' })
    const importers = [...new Glob('src/**/*.ts').scanSync({ cwd: root })].filter((file) => {
      if (file.startsWith('src/app/telemetry/')) return false
      const imports = transpiler.scanImports(readFileSync(join(root, file), 'utf8'))
      return imports.some(({ path, kind }) => path.includes('/telemetry/') && kind === 'import-statement')
    })
    expect(importers).toEqual([])
  })
})
