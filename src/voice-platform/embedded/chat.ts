import { Elysia } from 'elysia'
import { z } from 'zod'
import { isObject } from '../../json/object.ts'
import { keeperOfChat } from '../chat.ts'
import type { ChatMessage, Converse, KeepReply, Reader } from '../converse.ts'
import { textOf } from '../mapping/settings.ts'
import { callValues } from '../mapping/variables.ts'
import { text } from '../schema/validation.ts'
import { chatStream } from './chat-stream.ts'
import { filled } from './conversation/line.ts'
import { type EmbeddedContext, readJson } from './resource.ts'
import { notFound, PlatformResponse } from './responses.ts'
import type { PlatformObject } from './store/store.ts'
import { validate } from './validate.ts'

const id = z.string().refine((value) => z.guid().safeParse(value).success, 'must be a UUID')

const CreateChat = z.strictObject({
  assistantId: id,
  input: text(20_000, 1),
  sessionId: id.optional(),
  stream: z.boolean().optional(),
})

const kind = 'session'
/** How much of a session is kept and read again: its newest messages. */
const keptMessages = 60
/** Sessions end a day after their last message, as the real platform's do unless told otherwise. */
const sessionMs = 24 * 60 * 60 * 1000
const sweepEveryMs = 60 * 60 * 1000

const isMessage = (value: unknown): value is ChatMessage =>
  isObject(value) && typeof value.role === 'string' && typeof value.content === 'string'

const messagesOf = (list: unknown): ChatMessage[] => (Array.isArray(list) ? list.filter(isMessage) : [])

/** What the assistant is told, and how it opens the conversation. */
function opening(assistant: PlatformObject, at: Date): ChatMessage[] {
  const body = filled(assistant.body, callValues(at, undefined))
  const prompt = isObject(body.model) ? messagesOf(body.model.messages) : []
  const greeting = body.firstMessageMode === 'assistant-waits-for-user' ? undefined : textOf(body.firstMessage)
  return greeting === undefined ? prompt : [...prompt, { role: 'assistant', content: greeting }]
}

const modelRefusals: Record<number, string> = {
  402: 'The balance is empty.',
  429: 'Too many conversations at once.',
}

/** The response when a model gave no reply: a lack of money or of room says so, the rest tells nothing. */
function failureOf(error: unknown): PlatformResponse {
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500
  const message = modelRefusals[status]
  return message === undefined
    ? new PlatformResponse(500, { message: 'The model gave no answer.', statusCode: 500 })
    : new PlatformResponse(status, { message, statusCode: status })
}

/**
 * POST /chat: a written conversation with an assistant, continued by the `sessionId` of an earlier response. Sessions
 * are objects of the platform; one of another assistant, or one that has ended, is not found. Messages of one session
 * are worked on one after the other.
 */
export function chatRoutes({ store, clock, newId, orgId }: EmbeddedContext, converse: Converse) {
  const waiting = new Map<string, Promise<unknown>>()
  let sweptAt = 0

  /** Visitors do not end their sessions, so that new ones sweep the old ones away now and then. */
  async function addSession(session: PlatformObject): Promise<void> {
    const now = session.createdAt.getTime()
    if (now - sweptAt >= sweepEveryMs) {
      sweptAt = now
      await store.removeOlder(kind, new Date(now - sessionMs))
    }
    await store.insert(session)
  }

  async function inTurn<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const earlier = waiting.get(sessionId) ?? Promise.resolve()
    const mine = earlier.catch(() => undefined).then(work)
    waiting.set(sessionId, mine)
    try {
      return await mine
    } finally {
      if (waiting.get(sessionId) === mine) waiting.delete(sessionId)
    }
  }

  async function sessionOf(id: string, assistantId: string): Promise<PlatformObject> {
    const found = await store.find(kind, id)
    const isLive = found && clock.now().getTime() - found.updatedAt.getTime() < sessionMs
    if (!isLive || found.body.assistantId !== assistantId) throw notFound("Couldn't find session.")
    return found
  }

  async function response(
    assistant: PlatformObject,
    input: string,
    known: PlatformObject | undefined,
    sessionId: string,
    reader: Reader,
  ) {
    const earlier = messagesOf(known?.body.messages)
    const asked: ChatMessage = { role: 'user', content: input }
    const thread = [...opening(assistant, clock.now()), ...earlier, asked]
    const reply = await converse(thread, { assistantId: assistant.id }, reader).catch((error) => {
      throw failureOf(error)
    })
    const said: ChatMessage = { role: 'assistant', content: reply }
    const at = clock.now()
    const messages = [...earlier, asked, said].slice(-keptMessages)
    const session = known ?? {
      id: sessionId,
      kind,
      body: { assistantId: assistant.id, status: 'active', messages },
      createdAt: at,
      updatedAt: at,
    }
    if (known) await store.patch(kind, known.id, { set: { messages }, unset: [], at })
    else await addSession(session)
    return {
      id: newId(),
      orgId,
      assistantId: assistant.id,
      sessionId: session.id,
      input: [asked],
      messages: earlier,
      output: [said],
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    }
  }

  /** Runs a chat in a session, `reader` hearing the reply; a session that goes on is found in its turn. */
  async function inSession({ assistantId, input, sessionId }: z.output<typeof CreateChat>, id: string, reader: Reader) {
    const assistant = await store.find('assistant', assistantId)
    if (!assistant) throw notFound("Couldn't find assistant.")
    if (sessionId === undefined) return response(assistant, input, undefined, id, reader)
    return inTurn(sessionId, async () =>
      response(assistant, input, await sessionOf(sessionId, assistantId), sessionId, reader),
    )
  }

  return new Elysia().post(
    '/chat',
    async ({ request, status }) => {
      const chat = CreateChat.parse(validate(CreateChat, await readJson(request)))
      const sessionId = chat.sessionId ?? newId()
      const { signal } = request
      const keeper = keeperOfChat()
      const keep: KeepReply | undefined =
        keeper && ((reply, charge) => keeper({ reply, thread: { sessionId } }, charge))
      if (!chat.stream) return status(201, await inSession(chat, sessionId, { signal, keep }))
      return chatStream({ id: newId(), sessionId }, signal, (sink) => inSession(chat, sessionId, { ...sink, keep }))
    },
    { parse: 'none' },
  )
}
