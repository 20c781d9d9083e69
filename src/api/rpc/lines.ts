import { identify } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { ownHeaders } from './headers.ts'

/** A stream whose first pieces are there: the line that names the calls, and the first of what they give. */
async function begun(lines: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = lines.getReader()
  const first = [await reader.read(), await reader.read()]
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = first.shift() ?? (await reader.read())
        if (value) controller.enqueue(value)
        else controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/**
 * The results of a batch as lines, each sent as soon as it is there. It begins with the first of them: by then the
 * gates have said what the headers tell.
 */
export async function linesResponse(ctx: RequestContext, { status, headers, body }: Response): Promise<Response> {
  const lines = body && (await begun(body))
  // Whose response it is has to be known where it is held until it was read, also when the first call asked nobody.
  await identify(ctx).catch(() => undefined)
  // How it travels is said by the server.
  headers.delete('transfer-encoding')
  for (const [name, value] of Object.entries(ownHeaders(ctx, undefined))) headers.set(name, value)
  // No proxy keeps what is there until all is there.
  headers.set('x-accel-buffering', 'no')
  return new Response(lines, { status, headers })
}
