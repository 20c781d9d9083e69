import { OutgoingError } from './refusal.ts'

/** Statuses whose responses have no body. */
const bodiless = new Set([101, 204, 205, 304])

/**
 * The same response with a body that ends in an error after `maxBytes`, or when `signal` fires while it is read.
 * Throws `too_large` at once for a body that announces more. A compressed body, which nobody asked for, is not taken: it
 * ends in `encoded` when it is read.
 */
export async function boundedResponse(response: Response, maxBytes: number, signal: AbortSignal): Promise<Response> {
  const { status, statusText, headers, body } = response
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    await body?.cancel()
    throw new OutgoingError('too_large')
  }
  const rest = { status, statusText, headers }
  if (body && (headers.get('content-encoding') ?? 'identity') !== 'identity') {
    await body.cancel()
    return new Response(bodiless.has(status) ? null : failingBody(new OutgoingError('encoded')), rest)
  }
  return new Response(bodiless.has(status) ? null : body && boundedBody(body, maxBytes, signal), rest)
}

const failingBody = (error: Error) => new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) })

/** The same body, which ends in `too_large` after `maxBytes`, or when `signal` fires while it is read. */
export function boundedBody(body: ReadableStream<Uint8Array>, maxBytes: number, signal: AbortSignal) {
  const reader = body.getReader()
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
  late.catch(() => {})
  let size = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await Promise.race([reader.read(), late])
        if (done) return controller.close()
        size += value.length
        if (size > maxBytes) throw new OutgoingError('too_large')
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        await reader.cancel().catch(() => {})
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
