import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { newDatabase } from '../support/database.ts'
import { startCollector, tree } from './collector.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-telemetry-outside-'))
const key = 'k'.repeat(40)
let collector: ReturnType<typeof startCollector>
let model: Bun.Server<undefined>
let server: Awaited<ReturnType<typeof startServer>>

/** A server of the OpenAI format that has one reply, and a vector for whatever it is given. */
const startModel = () =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { input } = await request.json()
      const embedding = Array.from({ length: 8 }, () => 0.5)
      if (new URL(request.url).pathname.endsWith('/embeddings')) {
        return Response.json({ data: [input].flat().map((_, index) => ({ index, embedding })) })
      }
      const message = { role: 'assistant', content: 'On Mondays.' }
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      return Response.json({ id: 'x', object: 'chat.completion', created: 1, model: 'small', choices, usage })
    },
  })

beforeAll(async () => {
  collector = startCollector()
  model = startModel()
  const really = globalThis.fetch
  const carrier = (...[input, init]: Parameters<typeof fetch>) =>
    String(input).includes('twilio.com')
      ? Promise.resolve(Response.json({ available_phone_numbers: [], incoming_phone_numbers: [] }))
      : really(input, init)
  vi.spyOn(globalThis, 'fetch').mockImplementation(Object.assign(carrier, { preconnect: really.preconnect }))
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LLM_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
    LLM_MODELS: 'small',
    EMBEDDINGS_MODEL: 'letters',
    CARRIER: 'twilio',
    TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 't'.repeat(32),
  }
  server = await startServer(readEnv({ ...settings, ADMIN_API_KEY: key, PORT: '0', DATA_DIR: folder }), {
    database: await newDatabase(),
    log: pino({ level: 'silent' }),
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await Promise.all([collector.stop(), model.stop(true)])
  rmSync(folder, { recursive: true })
})

async function send(method: string, path: string, body?: object) {
  const isForm = body instanceof FormData
  const headers = { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) }
  const response = await fetch(`${server.url}${path}`, { method, headers, body: isForm ? body : JSON.stringify(body) })
  const read = await response.json()
  expect(response.ok, `${method} ${path}: ${JSON.stringify(read)}`).toBe(true)
  return read
}

test('calls of the platform, the model, the embedder and the carrier are spans of what makes them', async () => {
  await send('POST', '/assistants', { name: 'Line' })
  await send('GET', '/phone-numbers/available')
  const { data: agent } = await send('POST', '/agents', { name: 'Desk', instructions: 'We deliver on Mondays.' })
  const form = new FormData()
  form.set('file', new File(['Parcels are handed over before noon.'], 'hours.txt'))
  expect((await send('POST', `/agents/${agent.id}/files`, form)).data).toMatchObject({ indexed: true })
  const messages = [{ role: 'user', content: 'When do you deliver?' }]
  await send('POST', '/chat/completions', { agent: agent.id, model: 'small', messages })
  await server.stop()
  const { spans } = collector.received
  const told = tree(spans)
  expect(told).toContain('POST assistants.create > POST voice platform')
  expect(told).toContain('GET phoneNumbers.available > GET carrier')
  expect(told.filter((line) => line.endsWith('> POST embeddings'))).not.toEqual([])
  expect(told).toContain('turn > POST language model')
  expect(JSON.stringify(spans)).not.toMatch(/Mondays|noon|Bearer|k{40}|t{32}/)
})
