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

/** Sends a visitor's message, and gives the response or why there is none; never throws. */
export async function sendMessage(apiUrl: string, message: string, session: string | null): Promise<Reply | Trouble> {
  let response: Response
  try {
    response = await fetch(`${apiUrl}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message, session_id: session }),
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch {
    return 'unreachable'
  }
  if (!response.ok) return troubles[response.status] ?? 'failed'
  const body: unknown = await response.json().catch(() => undefined)
  return isReply(body) ? { reply: body.reply, session: body.session_id } : 'failed'
}
