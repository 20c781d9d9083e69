import { eventsOf } from './events.ts'

/** A response of the assistant. */
export interface Reply {
  reply: string
  session: string
}

/** Why there is no response; each is a text of the strings. */
export type Trouble = 'unreachable' | 'busy' | 'unavailable' | 'refused' | 'failed'

/** Longer than the server takes at most. */
const timeoutMs = 40_000

const troubles: Record<number, Trouble> = {
  403: 'unavailable',
  404: 'unavailable',
  413: 'refused',
  422: 'refused',
  429: 'busy',
}

const isReply = (value: unknown): value is { reply: string; session_id: string } =>
  typeof value === 'object' &&
  value !== null &&
  'reply' in value &&
  typeof value.reply === 'string' &&
  'session_id' in value &&
  typeof value.session_id === 'string'

const isText = (data: unknown): data is { text: string } =>
  typeof data === 'object' && data !== null && 'text' in data && typeof data.text === 'string'

const statusOf = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'status' in data ? Number(data.status) : 0

/** A message of a visitor, and who waits for its reply. */
interface Question {
  message: string
  session: string | null
  /** Is aborted when the visitor does not wait any more, or it takes too long. */
  waiting: AbortController
  /** Is given all of the reply that was written so far, each time that there is more. */
  grows(text: string): void
}

/** Reads a reply that comes as it is written. Throws when the connection breaks. */
async function streamed(response: Response, grows: Question['grows']): Promise<Reply | Trouble> {
  let text = ''
  for await (const { name, data } of eventsOf(response)) {
    if (name === 'restart') text = ''
    if (name === 'delta' && isText(data)) text += data.text
    if (name === 'message') return isReply(data) ? { reply: data.reply, session: data.session_id } : 'failed'
    if (name === 'error') return troubles[statusOf(data)] ?? 'failed'
    grows(text)
  }
  return 'unreachable'
}

/** Sends a visitor's message, and gives the response or why there is none; never throws. */
export async function sendMessage(
  apiUrl: string,
  { message, session, waiting, grows }: Question,
): Promise<Reply | Trouble> {
  const late = setTimeout(() => waiting.abort(), timeoutMs)
  try {
    const response = await fetch(`${apiUrl}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message, session_id: session }),
      credentials: 'omit',
      signal: waiting.signal,
    })
    if (!response.ok) return troubles[response.status] ?? 'failed'
    if (/^text\/event-stream/i.test(response.headers.get('content-type') ?? '')) return await streamed(response, grows)
    const body: unknown = await response.json().catch(() => undefined)
    return isReply(body) ? { reply: body.reply, session: body.session_id } : 'failed'
  } catch {
    return 'unreachable'
  } finally {
    clearTimeout(late)
  }
}
