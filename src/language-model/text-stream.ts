import type { TextEvent, TextListener } from './reasoning.ts'

/** What the work of a stream sends its text to, and what ends it when nobody reads any more. */
export interface TextSink {
  onText: TextListener
  signal: AbortSignal
}

/**
 * Runs `work`, yields the events that it sends as they come, and returns what it returns. Its signal aborts with
 * `signal`, and when the reader stops early. Throws what `work` throws.
 */
export async function* streamed<T>(
  signal: AbortSignal,
  work: (sink: TextSink) => Promise<T>,
): AsyncGenerator<TextEvent, T, void> {
  const left = new AbortController()
  const waiting: TextEvent[] = []
  let changed = Promise.withResolvers<void>()
  let isOver = false
  const onText = (event: TextEvent) => {
    waiting.push(event)
    changed.resolve()
  }
  const over = () => {
    isOver = true
    changed.resolve()
  }
  const result = work({ onText, signal: AbortSignal.any([signal, left.signal]) })
  result.then(over, over)
  try {
    while (true) {
      const event = waiting.shift()
      if (event) yield event
      else if (isOver) return await result
      else {
        await changed.promise
        changed = Promise.withResolvers()
      }
    }
  } finally {
    left.abort()
  }
}
