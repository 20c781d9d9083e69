import { createParser } from 'eventsource-parser'
import { systemTimers, type Timers } from '../runtime/timers.ts'
import { done, repairing } from './repaired-event.ts'

type Fetch = typeof globalThis.fetch
type Waiting = Pick<Timers, 'after'>

/** How long the rest of a response is waited for that says it is over: its connection serves again if it ends. */
const restMs = 1_000

/** Reads what is left of a response whose text is there. Nothing that is wrong with it matters any more. */
async function leave(reader: ReadableStreamDefaultReader<Uint8Array>, { after }: Waiting): Promise<void> {
  const takeBack = after(restMs, () => void reader.cancel().catch(() => {}))
  const readOn = async () => {
    while (!(await reader.read()).done);
  }
  await readOn().catch(() => {})
  takeBack()
}

function repairedEvents(body: ReadableStream<Uint8Array>, timers: Waiting) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const repaired = repairing()
  const ready: string[] = []
  let isOver = false
  const parser = createParser({
    onEvent(event) {
      if (isOver) return
      isOver = event.data === done
      for (const data of repaired(event)) ready.push(`data: ${data.replaceAll('\n', '\ndata: ')}\n\n`)
    },
  })
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (ready.length === 0) {
        const read = await reader.read()
        if (read.done) return controller.close()
        parser.feed(decoder.decode(read.value, { stream: true }))
      }
      controller.enqueue(encoder.encode(ready.splice(0).join('')))
      if (!isOver) return
      controller.close()
      void leave(reader, timers)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/**
 * Takes the streams of servers that depart from the format where it is plain what they mean: one that says `[DONE]` is
 * over, whatever its connection does, and whole without a `finish_reason`; events that say nothing of the reply are
 * passed over; `choices: null` is none and `error: null` no failure; counts may be texts, arguments of a call an
 * object, and a role may have any name. A stream that ends without `[DONE]` stays cut off.
 */
export function repairedStreams(fetch: Fetch, timers: Waiting = systemTimers): Fetch {
  const repaired = async (...[input, init]: Parameters<Fetch>) => {
    const response = await fetch(input, init)
    const { ok, status, statusText, headers, body } = response
    if (!ok || !body) return response
    return new Response(repairedEvents(body, timers), { status, statusText, headers })
  }
  return Object.assign(repaired, { preconnect: fetch.preconnect })
}
