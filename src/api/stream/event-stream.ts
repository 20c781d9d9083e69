import { streamed } from '../../language-model/text-stream.ts'
import type { RequestContext } from '../context.ts'
import { dataHeaders, type Reply, responseHeaders } from '../http/response.ts'
import { notifyUndelivered } from './undelivered.ts'

const eventStreamType = 'text/event-stream'

/** How much a type of an `Accept` is wanted. */
function quality(parameters: readonly string[]): number {
  const said = parameters.find((parameter) => parameter.startsWith('q='))
  const share = said === undefined ? 1 : Number(said.slice(2))
  return Number.isNaN(share) ? 1 : share
}

/** Whether a caller wants its response as a stream more than anything else, or as much and first. */
export function wantsEvents(request: Request): boolean {
  const types = (request.headers.get('accept') ?? '').toLowerCase().split(',')
  const wanted = types.map((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim())
    return { type, share: quality(parameters) }
  })
  const [best] = wanted.toSorted((one, other) => other.share - one.share)
  return best?.type === eventStreamType && best.share > 0
}

const written = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`

/** Something comes at least so often, so that nothing on the way takes the connection for a dead one. */
export const pingMs = 15_000

/**
 * Serves an operation as a stream of events: `delta` and `restart` while the reply is written, then `message` with the
 * JSON that the operation responds with, or `error` with its status and body. What is refused before the first event
 * gets the response that it has without a stream. Aborts the operation when the caller goes away.
 */
export async function eventStreamResponse(
  ctx: RequestContext,
  run: (ctx: RequestContext) => Promise<Reply>,
): Promise<Reply> {
  const left = new AbortController()
  const signal = AbortSignal.any([ctx.signal, left.signal])
  const events = streamed(signal, (sink) => run({ ...ctx, ...sink }))
  let next = await events.next()
  if (next.done && !next.value.ok) return next.value

  const encoder = new TextEncoder()
  let pings: Timer | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      pings = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), pingMs)
    },
    async pull(controller) {
      if (!next.done) {
        const { type, ...data } = next.value
        controller.enqueue(encoder.encode(written(type, JSON.stringify(data))))
        next = await events.next()
        return
      }
      clearInterval(pings)
      const { ok, status } = next.value
      // A line's end within it would end the event's data.
      const json = (await next.value.text()).trimEnd()
      const last = ok ? written('message', json) : written('error', `{"status":${status},"body":${json}}`)
      controller.enqueue(encoder.encode(last))
      controller.close()
    },
    cancel() {
      clearInterval(pings)
      left.abort()
      return notifyUndelivered(ctx.outcome)
    },
  })
  const headers = {
    // Of one that is there as a whole: it can be a kept one.
    ...(next.done && Object.fromEntries(new Headers(next.value.headers))),
    ...responseHeaders(ctx),
    ...dataHeaders,
    'content-type': `${eventStreamType}; charset=utf-8`,
    'x-accel-buffering': 'no',
  }
  return new Response(body, { status: 200, headers })
}
