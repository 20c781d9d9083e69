import { createParser } from 'eventsource-parser'
import { storableJson } from '../json/storable.ts'

/** Characters that a stream may have at most. */
const maxLength = 4_000_000

/** Whether a response is a stream of events. */
export const isEventStream = ({ ok, headers }: Response): boolean =>
  ok && (headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream')

/**
 * Gives the JSON of each event as it comes; what is no JSON is passed over. Throws when the stream breaks or is too
 * long.
 */
export async function readEvents({ body }: Response, onEvent: (data: unknown) => void): Promise<void> {
  const parser = createParser({
    onEvent({ data }) {
      const value = storableJson(data)
      if (value !== undefined) onEvent(value)
    },
  })
  const decoder = new TextDecoder()
  let length = 0
  for await (const bytes of body ?? []) {
    const text = decoder.decode(bytes, { stream: true })
    length += text.length
    if (length > maxLength) throw new Error('The stream of events is too long')
    parser.feed(text)
  }
  // An event without the empty line after it has not come whole.
  parser.reset()
}
