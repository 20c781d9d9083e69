import { isObject, type Json } from '../json/object.ts'

type Fetch = typeof globalThis.fetch

/** Statuses with which a server refuses what it does not know. */
const refusals: ReadonlySet<number> = new Set([400, 422])

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

/**
 * Takes servers that do not stream for such that do: a response that one sends as a whole becomes a stream of one event, and a
 * request that one refuses for its stream is sent again without.
 */
export function streamingFetch(fetch: Fetch): Fetch {
  const streaming = async (...[input, init]: Parameters<Fetch>) => {
    const response = await fetch(input, init)
    if (response.ok && isEvents(response)) return response
    const request = streamingIn(init?.body)
    if (!request) return response
    if (!refusals.has(response.status)) return streamOf(response)
    const { status, statusText, headers } = response
    const said = await response.text()
    if (!/stream/i.test(said)) return new Response(said, { status, statusText, headers })
    const { stream: _, stream_options: __, ...whole } = request
    return streamOf(await fetch(input, { ...init, body: JSON.stringify(whole) }))
  }
  return Object.assign(streaming, { preconnect: fetch.preconnect })
}
