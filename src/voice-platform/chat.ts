import { AsyncLocalStorage } from 'node:async_hooks'
import type { Vapi } from '@vapi-ai/server-sdk'
import type { Transaction } from '../db/client.ts'
import { isObject } from '../json/object.ts'
import type { TextListener } from '../language-model/reasoning.ts'
import { PlatformError } from './errors.ts'
import type { CallOptions, PlatformRequest, Transport } from './transport.ts'

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

/** Keeps a reply as `KeepReply` does, with what goes on with it. */
export type KeepChat = (reply: ChatReply, charge: (tx: Transaction) => Promise<unknown>) => Promise<void>

/** How a chat is sent. */
export interface ChatOptions extends CallOptions {
  /** Hears the reply while it is written, where the platform streams; nothing where it does not. */
  onText?: TextListener | undefined
  /** Keeps the reply where the embedded platform charges it; a real platform charges for itself. */
  keep?: KeepChat | undefined
}

/** Reaches the embedded platform beside the request, which a real platform gets as well: it is no data. */
const keepers = new AsyncLocalStorage<KeepChat | undefined>()

/** Who keeps the reply to the chat that is being served in this process. */
export const keeperOfChat = (): KeepChat | undefined => keepers.getStore()

const noAnswer = () => new PlatformError('unknown', 'The voice platform gave no answer to the message.')

function threadOf(id: unknown, sessionId: unknown): ChatThread {
  if (typeof sessionId === 'string') return { sessionId }
  if (typeof id === 'string') return { previousChatId: id }
  throw noAnswer()
}

/** Puts the reply together from the events of a stream: `{id, sessionId?, path, delta}`, one path for each message. */
function listening(onText: TextListener) {
  const parts = new Map<string, string>()
  let id: unknown
  let sessionId: unknown
  return {
    onEvent(event: unknown) {
      if (!isObject(event)) return
      id = event.id ?? id
      sessionId = event.sessionId ?? sessionId
      const { path, delta } = event
      // What the embedded platform alone says: what came so far is no part of the reply.
      if (event.restart === true) {
        parts.clear()
        onText({ type: 'restart' })
      } else if (typeof path === 'string' && typeof delta === 'string' && delta !== '') {
        const isNext = !parts.has(path) && parts.size > 0
        parts.set(path, (parts.get(path) ?? '') + delta)
        onText({ type: 'delta', text: isNext ? `\n\n${delta}` : delta })
      }
    },
    reply(): ChatReply {
      const reply = [...parts.values()].join('\n\n').trim()
      if (reply === '') throw noAnswer()
      return { reply, thread: threadOf(id, sessionId) }
    },
  }
}

function wholeReply(response: unknown): ChatReply {
  const { id, sessionId, output } = isObject(response) ? response : {}
  const reply = (Array.isArray(output) ? output : []).map(writtenBy).filter(Boolean).join('\n\n').trim()
  if (reply === '' || typeof id !== 'string') throw noAnswer()
  return { reply, thread: threadOf(id, sessionId) }
}

/**
 * POST /chat, as a stream where somebody listens; a platform that refuses to stream gives the whole reply. It is not
 * sent again unless it was certainly not done; throws {@link PlatformError}, `unknown` for a response without a text.
 */
export const chatOver =
  (transport: Transport) =>
  async (body: ChatRequest, { onText, keep, ...options }: ChatOptions = {}): Promise<ChatReply> => {
    const request = { method: 'POST' as const, path: '/chat', ...options }
    const send = (call: PlatformRequest) => keepers.run(keep, () => transport.send(call))
    const whole = async () => wholeReply(await send({ ...request, body }))
    if (!onText) return whole()
    const { onEvent, reply } = listening(onText)
    try {
      const response = await send({ ...request, body: { ...body, stream: true }, onEvent })
      return response === null ? reply() : wholeReply(response)
    } catch (error) {
      if (error instanceof PlatformError && error.kind === 'rejected') return whole()
      throw error
    }
  }
