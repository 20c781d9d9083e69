import type { TextEvent, TextListener } from './reasoning.ts'

/** How the work of a stream says what it does, and learns that nobody listens any more. */
export interface Heard {
  onText: TextListener
  signal: AbortSignal
}

/**
 * Runs `work`, yields what it tells its listener as it comes, and returns what it returns. Its signal aborts with
 * `signal`, and when the reader stops early. Throws what it throws.
 */
export async function* heard<T>(
  signal: AbortSignal,
  work: (heard: Heard) => Promise<T>,
): AsyncGenerator<TextEvent, T, void> {
  const left = new AbortController()
  const waiting: TextEvent[] = []
  let news = Promise.withResolvers<void>()
  let isOver = false
  const onText = (event: TextEvent) => {
    waiting.push(event)
    news.resolve()
  }
  const over = () => {
    isOver = true
    news.resolve()
  }
  const result = work({ onText, signal: AbortSignal.any([signal, left.signal]) })
  result.then(over, over)
  try {
    while (true) {
      const event = waiting.shift()
      if (event) yield event
      else if (isOver) return await result
      else {
        await news.promise
        news = Promise.withResolvers()
      }
    }
  } finally {
    left.abort()
  }
}
