import type { Vapi } from '@vapi-ai/server-sdk'
import { isObject } from '../json/object.ts'
import { PlatformError } from './errors.ts'
import type { CallOptions, Transport } from './transport.ts'

/** What a message goes on with: a session, or the last chat where the platform keeps none by itself. */
export type ChatThread = { sessionId: string } | { previousChatId: string }

/** A written message to an assistant. */
export type ChatRequest = { assistantId: string; input: string } & Partial<ChatThread>

/** What the assistant wrote back, and what goes on with it. */
export interface ChatReply {
  reply: string
  thread: ChatThread
}

/** The text of a message of the response; tool calls and their results have none for the visitor. */
function writtenBy(message: Vapi.ChatOutputItem): string {
  if (!isObject(message) || message.role !== 'assistant') return ''
  return typeof message.content === 'string' ? message.content : ''
}

/**
 * POST /chat. It is not sent again unless it was certainly not done; throws {@link PlatformError}, `unknown` for an
 * response without a text.
 */
export const chatOver =
  (transport: Transport) =>
  async (body: ChatRequest, options?: CallOptions): Promise<ChatReply> => {
    const response = await transport.send({ method: 'POST', path: '/chat', body, ...options })
    const { id, sessionId, output } = isObject(response) ? response : {}
    const reply = (Array.isArray(output) ? output : []).map(writtenBy).filter(Boolean).join('\n\n').trim()
    if (reply === '' || typeof id !== 'string') {
      throw new PlatformError('unknown', 'The voice platform gave no answer to the message.')
    }
    return { reply, thread: typeof sessionId === 'string' ? { sessionId } : { previousChatId: id } }
  }
