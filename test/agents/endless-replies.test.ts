import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'

const text = 'y'.repeat(10_000)
const piece = `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'endless', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`
/** More than any test waits for, and less than it takes to fill the memory. */
const most = 60_000_000
let sent = 0

/** A model's server that writes and writes: as a stream of events, or as one JSON text. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { stream } = (await request.json()) as { stream?: boolean }
    const bytes = new TextEncoder().encode(stream ? piece : text)
    const body = new ReadableStream({
      pull(controller) {
        if (sent >= most) return controller.close()
        sent += bytes.length
        controller.enqueue(bytes)
      },
    })
    return new Response(body, { headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' } })
  },
})

let app: TestApp
let caller: Caller
beforeAll(async () => {
  const baseUrl = `http://127.0.0.1:${server.port}/v1`
  const models = openAiCompatibleModels({ baseUrl, apiKey: undefined, models: ['endless'] }, fetch)
  app = await testApp({ models, remember: false })
  caller = callerOf(app, (await newUser(app.database)).token)
})
afterAll(() => server.stop(true))

test.each(['application/json', 'text/event-stream'])(
  'a response of a model that does not end fails its turn (%s)',
  async (accept) => {
    sent = 0
    const agent = await caller.agent()
    const chat = await caller.chat(agent)
    const path = `/agents/${agent}/chats/${chat}/messages`
    const { body } = await caller.post(path, { content: 'Hello' }, { accept })
    const told = typeof body === 'string' ? body : JSON.stringify(body)
    expect(told.slice(-200)).toContain('The assistant could not generate a response')
    // Five megabytes for each of two tries, and what was on its way.
    expect(told.length).toBeLessThan(12_000_000)
    expect(sent).toBeLessThan(most / 2)
    expect((await caller.get(path)).body.data).toEqual([])
  },
)
