/** An answer of the assistant. */
export interface Answer {
  reply: string
  session: string
}

/** Why there is no answer; each is a text of the strings. */
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

const isAnswer = (value: unknown): value is { reply: string; session_id: string } =>
  typeof value === 'object' &&
  value !== null &&
  'reply' in value &&
  typeof value.reply === 'string' &&
  'session_id' in value &&
  typeof value.session_id === 'string'

/** Sends a visitor's message, and gives the answer or why there is none; never throws. */
export async function sendMessage(apiUrl: string, message: string, session: string | null): Promise<Answer | Trouble> {
  let answer: Response
  try {
    answer = await fetch(`${apiUrl}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message, session_id: session }),
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch {
    return 'unreachable'
  }
  if (!answer.ok) return troubles[answer.status] ?? 'failed'
  const body: unknown = await answer.json().catch(() => undefined)
  return isAnswer(body) ? { reply: body.reply, session: body.session_id } : 'failed'
}
