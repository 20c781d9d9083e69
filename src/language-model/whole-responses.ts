import { isObject, type Json } from '../json/object.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'

type Fetch = typeof globalThis.fetch

/** Statuses with which a server refuses what it does not know. */
const refusals: ReadonlySet<number> = new Set([400, 405, 406, 415, 422, 501])
const notImplemented = 501
/** How long a server is not asked again for what it has refused. */
const refusedMs = 10 * 60_000

/** The request that asks for a stream, or undefined where it asks for none. */
function streamingIn(body: unknown): Json | undefined {
  if (typeof body !== 'string') return undefined
  const request: unknown = JSON.parse(body)
  return isObject(request) && request.stream === true ? request : undefined
}

function deltaOf(message: Json): Json {
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call, index) => (isObject(call) ? { ...call, index } : call)) }
}

/** A choice of a whole response as an event says it. */
const choiceOf = (choice: unknown) =>
  isObject(choice) && isObject(choice.message) ? { ...choice, delta: deltaOf(choice.message) } : choice

/** A response that came as a whole, as the stream of one event. */
async function asStream(response: Response): Promise<Response> {
  const body: unknown = await response.json().catch(() => null)
  const event = isObject(body) && Array.isArray(body.choices) ? { ...body, choices: body.choices.map(choiceOf) } : body
  const text = `data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

const isEvents = ({ headers }: Response) =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream')

/** A response as a stream, by what it begins with: many servers say nothing of its type, or another one. */
async function streamOf(response: Response): Promise<Response> {
  const { ok, status, statusText, headers, body } = response
  if (!ok || !body || isEvents(response)) return response
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const read: Uint8Array[] = []
  let beginning = ''
  while (beginning.trimStart() === '') {
    const { done, value } = await reader.read()
    if (done) break
    read.push(value)
    beginning += decoder.decode(value, { stream: true })
  }
  const rest = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const value = read.shift() ?? (await reader.read()).value
      if (value) controller.enqueue(value)
      else controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const whole = new Response(rest, { status, statusText, headers })
  return beginning.trimStart().startsWith('{') ? asStream(whole) : whole
}

/** What is left out of a request, more each time that its server refuses it. */
type LeftOut = 'nothing' | 'stream_options' | 'stream'

/**
 * What a request is sent again without, for what its server says of it. Undefined where that is nothing about its
 * stream.
 */
function refusedIn(said: string, status: number, leftOut: LeftOut): LeftOut | undefined {
  if (leftOut === 'nothing' && /stream_options|include_usage/i.test(said)) return 'stream_options'
  return leftOut !== 'stream' && (status === notImplemented || /\bstream/i.test(said)) ? 'stream' : undefined
}

function without(leftOut: Exclude<LeftOut, 'nothing'>, { stream, stream_options: _, ...request }: Json): Json {
  return leftOut === 'stream' ? request : { ...request, stream }
}

function askedWithout(leftOut: Exclude<LeftOut, 'nothing'>, init: RequestInit | undefined): RequestInit | undefined {
  const request = streamingIn(init?.body)
  return request ? { ...init, body: JSON.stringify(without(leftOut, request)) } : init
}

/**
 * Takes servers that do not stream for such that do: a response that one sends as a whole becomes a stream of one
 * event, and a request that one refuses is sent again without what it refuses, first `stream_options`, then `stream`.
 * What a server took in the end it is sent for ten minutes.
 */
export function streamingFetch(fetch: Fetch, clock: Clock = systemClock): Fetch {
  let known: { leftOut: LeftOut; until: number } = { leftOut: 'nothing', until: 0 }
  const streaming = async (...[input, init]: Parameters<Fetch>) => {
    const remembered = clock.now().getTime() < known.until ? known.leftOut : 'nothing'
    for (let leftOut = remembered; ; ) {
      const response = await fetch(input, leftOut === 'nothing' ? init : askedWithout(leftOut, init))
      if (response.ok && leftOut !== remembered) known = { leftOut, until: clock.now().getTime() + refusedMs }
      if (response.ok && isEvents(response)) return response
      if (!streamingIn(init?.body)) return response
      if (!refusals.has(response.status)) return streamOf(response)
      const { status, statusText, headers } = response
      const said = await response.text()
      const refused = refusedIn(said, status, leftOut)
      if (refused === undefined) return new Response(said, { status, statusText, headers })
      leftOut = refused
    }
  }
  return Object.assign(streaming, { preconnect: fetch.preconnect })
}
