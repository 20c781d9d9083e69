import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import { warmUp } from '../../src/language-model/turn.ts'
import { newUser, type TestApp, testApp, testClock } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'
import type { Received } from './fake-model-server.ts'

/** Servers that depart from the format, as a function in place of the network. */
type Answer = (request: Received) => Response
const script: Answer[] = []
const received: Received[] = []
const network = Object.assign(
  async (_url: unknown, init?: { body?: unknown; signal?: AbortSignal | null }) => {
    const request: Received = JSON.parse(String(init?.body))
    received.push(request)
    return script.shift()?.(request) ?? Response.json({ error: { message: 'unexpected' } }, { status: 418 })
  },
  { preconnect: fetch.preconnect },
)

const events = (text: string | ReadableStream) =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } })
const lines = (...data: unknown[]) =>
  data.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`).join('')
const says = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const usage = (prompt: unknown, completion: unknown, total: unknown) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total },
})
const whole = (content: string, more: object = {}) =>
  Response.json({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], ...more })
const refusal = (status: number, message: string) => Response.json({ error: { message } }, { status })

/** A body of pieces, each after a wait, that stays open or breaks after the last one. */
function paced(pieces: readonly string[], everyMs: number, ending: 'close' | 'hold' | 'reset') {
  const state = { isCancelled: false }
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const piece of pieces) {
        await Bun.sleep(everyMs)
        controller.enqueue(encoder.encode(piece))
      }
      if (ending === 'close') controller.close()
      if (ending === 'reset') {
        // What has not been read by then is lost.
        await Bun.sleep(500)
        controller.error(new Error('The socket connection was closed unexpectedly.'))
      }
    },
    cancel() {
      state.isCancelled = true
    },
  })
  return { body, state }
}

const clock = testClock()
let app: TestApp
let caller: Caller
let agentId: string
beforeAll(async () => {
  const server = { baseUrl: 'http://model.test/v1', apiKey: undefined, models: ['odd', ...Array.from('abcde')] }
  const models = openAiCompatibleModels(server, network, clock)
  const times = { totalMs: 4_000, stepMs: 1_000, toolMs: 300 }
  await warmUp()
  app = await testApp({ models, remember: false, summarise: false, turns: { times } })
  caller = callerOf(app, (await newUser(app.database)).token)
  agentId = await caller.agent()
})
beforeEach(() => {
  script.length = 0
  received.length = 0
})

async function send(model = 'odd', headers?: Record<string, string>) {
  const path = `/agents/${agentId}/chats/${await caller.chat(agentId, { model })}/messages`
  return caller.post(path, { content: 'Hello' }, headers)
}
const replyOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.data?.assistant_message.content]

describe('a stream that says [DONE] is over (contract: chats 13)', () => {
  const text = lines(says('We open.'), stop, '[DONE]')
  test.each([
    ['whose connection stays open', [text], 'hold' as const],
    ['whose connection breaks after it', [text], 'reset' as const],
    ['that goes on after it', [`${text}garbage\n\ndata: {"choices"\n\n`], 'close' as const],
    ['that goes on later', [text, 'data: {"choices"\n\n'], 'close' as const],
  ])('one %s', async (_what, pieces, ending) => {
    const { body, state } = paced(pieces, 30, ending)
    script.push(() => events(body))
    expect(replyOf(await send())).toEqual([201, 'We open.'])
    if (ending === 'hold') await expect.poll(() => state.isCancelled, { timeout: 3_000 }).toBe(true)
  })

  test('one that breaks before it is none', async () => {
    script.push(() => events(paced([lines(says('We')), lines(says(' open.'))], 30, 'reset').body))
    expect((await send()).status).toBe(422)
  })
})

describe('a reply is taken (contract: chats 13)', () => {
  test.each<[string, unknown[]]>([
    ['with events that keep the connection', [{ type: 'ping' }, says('We open.'), { type: 'ping' }, stop]],
    ['with an empty event', ['', says('We open.'), '', stop]],
    ['with usage beside no choices', [says('We open.'), stop, usage(20, 7, 27)]],
    [
      'with a null error',
      [
        { ...says('We open.'), error: null },
        { ...stop, error: null },
      ],
    ],
    ['with counts as texts', [says('We open.'), { ...stop, ...usage('20', '7', '27') }]],
    [
      'with counts of zero after others',
      [
        { ...says('We open.'), ...usage(20, 7, 27) },
        { ...stop, ...usage(0, 0, 0) },
      ],
    ],
  ])('%s', async (_what, data) => {
    script.push(() => events(lines(...data, '[DONE]')))
    const answer = await send()
    expect(replyOf(answer)).toEqual([201, 'We open.'])
    const counted = data.some((item) => typeof item === 'object' && item !== null && 'usage' in item)
    if (counted) expect(answer.body.data.assistant_message.usage.total_tokens).toBe(27)
  })

  test.each([
    [{ error: { message: 'Out of memory' } }],
    [{ object: 'error', message: 'Out of memory', code: 500 }],
    [{ detail: 'Out of memory' }],
    [{ type: 'error' }],
  ])('unless an event tells of a failure: %j', async (event) => {
    script.push(() => events(lines(says('We'), event, '[DONE]')))
    expect((await send()).status).toBe(422)
  })

  test.each([
    ['a message', undefined],
    ['a stream', { accept: 'text/event-stream' }],
  ])(
    'of a server that keeps its connection with comments for longer than it may be silent: %s',
    async (_what, headers) => {
      const pings = Array.from({ length: 12 }, () => ': OPENROUTER PROCESSING\n\n')
      script.push(() => events(paced([...pings, lines(says('We open.'), stop, '[DONE]')], 150, 'close').body))
      const { status, body } = await send('odd', headers)
      expect(status).toBe(headers ? 200 : 201)
      expect(JSON.stringify(body)).toContain('We open.')
      expect(JSON.stringify(body)).not.toContain('could not generate')
    },
  )

  test('as a whole with a null error', async () => {
    script.push(() => whole('We open.', { error: null }))
    expect(replyOf(await send())).toEqual([201, 'We open.'])
  })
})

describe('what a server refuses it is not sent (contract: chats 13)', () => {
  const asked = () => received.map(({ stream, stream_options }) => [stream, stream_options !== undefined])
  const streamed = () => events(lines(says('We open.'), stop, '[DONE]'))

  test.each([
    ['a', 501, 'Not implemented'],
    ['b', 405, 'Streaming unsupported'],
  ])('%s: a stream, with %i, for ten minutes', async (model, status, message) => {
    script.push(
      () => refusal(status, message),
      () => whole('We open.'),
      () => whole('We open.'),
      streamed,
    )
    expect(replyOf(await send(model))).toEqual([201, 'We open.'])
    expect(replyOf(await send(model))).toEqual([201, 'We open.'])
    clock.advance(10 * 60_000)
    expect(replyOf(await send(model))).toEqual([201, 'We open.'])
    expect(asked()).toEqual([
      [true, true],
      [undefined, false],
      [undefined, false],
      [true, true],
    ])
  })

  test.each([
    ['c', 400, 'Unrecognized request argument supplied: stream_options'],
    ['d', 422, 'body.stream_options: Extra inputs are not permitted'],
  ])('%s: stream_options, with %i; it streams all the same', async (model, status, message) => {
    script.push(() => refusal(status, message), streamed, streamed)
    expect(replyOf(await send(model))).toEqual([201, 'We open.'])
    expect(replyOf(await send(model))).toEqual([201, 'We open.'])
    expect(asked()).toEqual([
      [true, true],
      [true, false],
      [true, false],
    ])
  })

  test('both, one after the other', async () => {
    script.push(
      () => refusal(400, 'Unknown parameter: stream_options'),
      () => refusal(400, 'Unknown parameter: stream'),
      () => whole('We open.'),
    )
    expect(replyOf(await send('e'))).toEqual([201, 'We open.'])
  })

  test('what has failed upstream is asked for once', async () => {
    script.push(() => refusal(400, 'The upstream is busy'))
    expect((await send()).status).toBe(422)
    expect(received).toHaveLength(1)
  })
})

test.each([
  ['beyond what it names, as of reasoning', usage(100, 10, 610), 510],
  ['alone', usage(100, undefined, 160), 60],
  ['less than what it names', usage(100, 10, 20), 10],
  ['more than could be written', usage(100, 10, 90_000), 10],
])('what a server counts in its total %s (contract: billing 17)', async (_what, counted, completion) => {
  script.push(() => events(lines(says('We open.'), { ...stop, ...counted }, '[DONE]')))
  const { body } = await send()
  expect(body.data.assistant_message.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: completion })
})

test('a turn has one time for all that it asks, also for a response that is repaired (contract: chats 13)', async () => {
  const waits = Array.from({ length: 15 }, () => ': wait\n\n')
  const slow = (content: string) => () =>
    events(paced([...waits, lines(says(content), stop, '[DONE]')], 150, 'close').body)
  script.push(slow('No.'), slow('{}'))
  const messages = [{ role: 'user', content: 'Hello' }]
  const startedAt = performance.now()
  const { status } = await caller.post('/chat/completions', {
    model: 'odd',
    messages,
    response_format: { type: 'json_object' },
  })
  expect([status, received.length]).toEqual([500, 2])
  expect(performance.now() - startedAt).toBeLessThan(4_500)
})
