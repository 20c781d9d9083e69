import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'

/** Text that is streamed, or what the server sends beside it. */
export type Piece = string | { reasoning: string }

/** What the fake server does with one request. */
export type Step =
  | {
      reply: string
      usage?: { prompt: number; completion: number } | null
      delayMs?: number
      until?: Promise<void>
      finish?: string
    }
  | { call: string; args?: string; usage?: { prompt: number; completion: number } }
  | { status: number; body?: unknown; retryAfter?: string }
  | { body: unknown }
  | { response: Response }
  | { hang: true }
  /** Several calls in one response, streamed where that is asked for. */
  | { calls: { id: string; call: string; args: string }[] }
  /** `until`: what the second piece waits for; `everyMs`: how long each waits after the one before. */
  | { pieces: Piece[]; after?: 'hang' | 'cut'; until?: Promise<void>; everyMs?: number }

/** A request as the server got it. */
export interface Received {
  model: string
  messages: { role: string; content: unknown; tool_calls?: unknown }[]
  tools?: { function: { name: string } }[]
  tool_choice?: unknown
  max_tokens?: number
  stream?: boolean
  [parameter: string]: unknown
}

const completion = (message: object, finish: string, usage: { prompt: number; completion: number } | null) => ({
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'fake-1',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  ...(usage && {
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
    },
  }),
})

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'fake-1',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const line = (data: object) => `data: ${JSON.stringify(data)}\n\n`

/** A reply that comes piece by piece, and ends, hangs or breaks off. */
function written({ pieces, after, until, everyMs }: Extract<Step, { pieces: Piece[] }>, left: () => void) {
  const encoder = new TextEncoder()
  const [first = '', ...rest] = linesOf(pieces, after)
  let isCancelled = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first))
      const go = async () => {
        for (const text of rest) {
          if (everyMs) await Bun.sleep(everyMs)
          if (isCancelled) return
          controller.enqueue(encoder.encode(text))
        }
        if (!isCancelled && after !== 'hang') controller.close()
      }
      if (until) void until.then(go)
      else void go()
    },
    cancel() {
      isCancelled = true
      left()
    },
  })
}

function* linesOf(pieces: Piece[], after: 'hang' | 'cut' | undefined) {
  for (const piece of pieces) {
    const delta = typeof piece === 'string' ? { content: piece } : { reasoning_content: piece.reasoning }
    yield line(chunk({ role: 'assistant', ...delta }))
  }
  if (after) return
  yield line(chunk({}, 'stop'))
  const usage = { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 }
  yield line({ ...chunk({}), choices: [], usage })
  yield 'data: [DONE]\n\n'
}

function called({ calls }: Extract<Step, { calls: unknown[] }>, streamed: boolean): Response {
  const toolCalls = calls.map(({ id, call, args }, index) => ({
    ...{ index, id, type: 'function' },
    function: { name: call, arguments: args },
  }))
  const delta = { role: 'assistant', content: null, tool_calls: toolCalls }
  if (!streamed) return Response.json(completion(delta, 'tool_calls', { prompt: 10, completion: 5 }))
  const text = `${line(chunk(delta))}${line(chunk({}, 'tool_calls'))}data: [DONE]\n\n`
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

/** An OpenAI-compatible server on loopback that follows a script; when the script is over it echoes. */
export function fakeModelServer() {
  const script: Step[] = []
  const received: Received[] = []
  const authorizations: (string | null)[] = []
  const state = { aborted: 0, running: 0, mostRunning: 0, delayMs: 0 }

  const answer = async (request: Request): Promise<Response> => {
    const body: Received = await request.json()
    received.push(body)
    authorizations.push(request.headers.get('authorization'))
    const step = script.shift() ?? { reply: `echo: ${String(body.messages.at(-1)?.content)}`, delayMs: state.delayMs }
    if ('hang' in step) {
      await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()))
      state.aborted++
      return new Response(null, { status: 499 })
    }
    if ('pieces' in step) {
      const text = written(step, () => {
        state.aborted++
      })
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
    }
    if ('status' in step) {
      const error = step.body ?? { error: { message: 'scripted', type: 'x' } }
      const { status, retryAfter } = step
      const headers = { 'retry-after-ms': '1', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }
      return Response.json(error, { status, headers })
    }
    if ('response' in step) return step.response
    if ('body' in step) return Response.json(step.body)
    if ('calls' in step) return called(step, body.stream === true)
    if ('call' in step) {
      const call = { id: 'call_1', type: 'function', function: { name: step.call, arguments: step.args ?? '{}' } }
      const usage = step.usage ?? { prompt: 10, completion: 5 }
      return Response.json(completion({ content: null, tool_calls: [call] }, 'tool_calls', usage))
    }
    if (step.delayMs) await Bun.sleep(step.delayMs)
    await step.until
    const usage = step.usage === undefined ? { prompt: 20, completion: 7 } : step.usage
    return Response.json(completion({ content: step.reply }, step.finish ?? 'stop', usage))
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      state.running++
      state.mostRunning = Math.max(state.mostRunning, state.running)
      try {
        return await answer(request)
      } finally {
        state.running--
      }
    },
  })
  const baseUrl = `http://127.0.0.1:${server.port}/v1`
  return {
    script,
    received,
    authorizations,
    state,
    baseUrl,
    models: openAiCompatibleModels({ baseUrl, apiKey: 'sk-upstream', models: ['fake-1', 'fake-2'] }, fetch),
    stop: () => server.stop(true),
  }
}

export type FakeModelServer = ReturnType<typeof fakeModelServer>
