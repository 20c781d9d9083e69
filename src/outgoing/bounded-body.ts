import { OutgoingError } from './refusal.ts'

/** Statuses whose responses have no body. */
const bodiless = new Set([101, 204, 205, 304])

/**
 * The same response with a body that ends in an error after `maxBytes`, or when `signal` fires while it is read.
 * Throws `too_large` at once for a body that announces more. A compressed body, which nobody asked for, is not taken:
 * it ends in `encoded` when it is read. `onEnd` is called once nothing more of the body comes, unless this throws.
 */
export async function boundedResponse(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  onEnd = () => {},
): Promise<Response> {
  const { status, statusText, headers, body } = response
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    await body?.cancel()
    throw new OutgoingError('too_large')
  }
  const rest = { status, statusText, headers }
  if (body && (headers.get('content-encoding') ?? 'identity') !== 'identity') {
    await body.cancel()
    onEnd()
    return new Response(bodiless.has(status) ? null : failingBody(new OutgoingError('encoded')), rest)
  }
  if (body && !bodiless.has(status)) return new Response(boundedBody(body, maxBytes, signal, onEnd), rest)
  onEnd()
  return new Response(null, rest)
}

const failingBody = (error: Error) => new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) })

/**
 * The same body, which ends in `too_large` after `maxBytes`, or when `signal` fires while it is read. Once it has
 * ended, failed or was cancelled, `signal` holds nothing of it, and `onEnd` is called.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
  onEnd = () => {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => {})
  const fail = () => late.reject(signal.reason)
  if (signal.aborted) fail()
  else signal.addEventListener('abort', fail)
  const end = () => {
    signal.removeEventListener('abort', fail)
    onEnd()
  }
  let size = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await Promise.race([reader.read(), late.promise])
        if (done) {
          end()
          return controller.close()
        }
        size += value.length
        if (size > maxBytes) throw new OutgoingError('too_large')
        controller.enqueue(value)
      } catch (error) {
        end()
        controller.error(error)
        await reader.cancel().catch(() => {})
      }
    },
    cancel(reason) {
      end()
      return reader.cancel(reason)
    },
  })
}
