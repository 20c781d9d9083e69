import { streamed, type TextSink } from '../../language-model/text-stream.ts'

const path = 'chat.output[0].content'

/**
 * A chat as a stream of events, `{id, sessionId, path, delta}`, as the real platform sends them; where what came so far
 * is no part of the reply, `{id, sessionId, restart: true}`. What fails before the first of them is thrown. The work's
 * signal aborts when the caller goes away.
 */
export async function chatStream(
  ids: { id: string; sessionId: string },
  signal: AbortSignal,
  work: (sink: TextSink) => Promise<{ output: readonly { content: string }[] }>,
): Promise<Response> {
  const left = new AbortController()
  const events = streamed(AbortSignal.any([signal, left.signal]), work)
  const encoder = new TextEncoder()
  const line = (data: object) => encoder.encode(`data: ${JSON.stringify({ ...ids, ...data })}\n\n`)
  let next = await events.next()
  let hasText = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) {
        // A model that does not stream sends its text at once.
        const [whole] = next.value.output
        if (!hasText && whole) controller.enqueue(line({ path, delta: whole.content }))
        controller.close()
        return
      }
      const event = next.value
      hasText = event.type === 'delta'
      controller.enqueue(line(hasText && 'text' in event ? { path, delta: event.text } : { restart: true }))
      next = await events.next()
    },
    cancel() {
      left.abort()
    },
  })
  return new Response(body, { status: 201, headers: { 'content-type': 'text/event-stream' } })
}
