import { isObject } from '../../../json/object.ts'
import { type BackoffPlan, noRetries, type WebhookMessage } from '../../../webhooks/message.ts'
import { defaultServerMessages } from '../../mapping/defaults.ts'
import { withSecret } from '../../mapping/server.ts'
import { numberOf, textOf } from '../../mapping/settings.ts'
import type { Conversation, Turn } from '../conversation/conversation.ts'
import type { Assistant, Line, Member } from '../conversation/line.ts'
import { messageOf, openAiMessagesOf } from '../conversation/outcome.ts'
import { boundedMessages } from './bounded.ts'

const defaultTimeoutSeconds = 20

/** A message before it is addressed; `at` is in milliseconds since 1970. */
export interface Told {
  type: string
  at: number
  /** The assistant that is on the line. */
  member: Member | undefined
  /** Assistants in it are as they are stored: they are shown where they are sent. */
  fields: Record<string, unknown>
}

/** The first server block that has an address. */
export const firstServer = (...blocks: unknown[]) =>
  blocks.filter(isObject).find(({ url }) => textOf(url) !== undefined)

/** Whether an assistant's `serverMessages` select a type of message. */
export const selects = (assistant: Assistant | undefined, type: string): boolean => {
  const selected: readonly string[] = assistant?.serverMessages ?? defaultServerMessages
  return selected.includes(type)
}

const wants = (assistant: Assistant | undefined, { type, fields }: Told): boolean =>
  selects(assistant, type) ||
  (type === 'transcript' && fields.transcriptType === 'final' && selects(assistant, finalTranscript))

/** The messages of a call, bounded, each with what every one says of its call while an assistant is on the line. */
export function messagesAbout(call: TellableCall, line: Line) {
  const bounded = boundedMessages()
  const phoneNumber = line.phoneNumber && { id: line.phoneNumber.id, ...line.phoneNumber.body }
  return (fields: Record<string, unknown>, assistant: Assistant | undefined) =>
    bounded({
      ...fields,
      call: call.shown,
      ...(assistant && { assistant }),
      ...(phoneNumber && { phoneNumber }),
      ...(isObject(call.body.customer) && { customer: call.body.customer }),
    })
}

/** Where a server block has its messages sent, and how they are authenticated. */
export function addressOf(server: Record<string, unknown>) {
  const headers = isObject(server.headers) ? server.headers : {}
  const credentialId = textOf(server.credentialId)
  const sent = withSecret(headers, textOf(server.secret))
  return {
    url: textOf(server.url) ?? '',
    headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
    ...(credentialId !== undefined && { credentialId }),
    timeoutSeconds: numberOf(server.timeoutSeconds) ?? defaultTimeoutSeconds,
  }
}

const finalTranscript = 'transcript[transcriptType="final"]'

/** A call that messages are about; `shown` is what they say of it. */
export interface TellableCall {
  id: string
  body: Record<string, unknown>
  shown: Record<string, unknown>
}

/** The webhooks of what is told about a call: those that `serverMessages` selects, addressed and bounded. */
export async function webhooksOf(told: readonly Told[], call: TellableCall, line: Line): Promise<WebhookMessage[]> {
  const message = messagesAbout(call, line)
  const webhooks: WebhookMessage[] = []
  for (const one of told) {
    const { type, at, member, fields } = one
    const assistant = member?.assistant ?? line.first?.assistant
    // The assistant's, else the number's.
    const server = firstServer(assistant?.server, line.phoneNumber?.body.server)
    if (!server || !wants(assistant, one)) continue
    webhooks.push({
      type,
      callId: call.id,
      assistantId: textOf(call.body.assistantId),
      phoneNumberId: line.phoneNumber?.id,
      ...addressOf(server),
      // The platform does not try again unless it is told to.
      backoffPlan: isObject(server.backoffPlan) ? (server.backoffPlan as unknown as BackoffPlan) : noRetries,
      body: { message: await message({ type, ...fields, timestamp: at }, assistant) },
    })
  }
  return webhooks
}

/** What is told while a conversation goes on. `start` is the call's, in milliseconds. */
export function toldOf({ happenings, prompts }: Conversation, start: number): Told[] {
  const turns: Turn[] = []
  return happenings.flatMap((happening): Told[] => {
    // Tools are asked while the conversation goes on.
    if (happening.kind === 'tool-called') return []
    if (happening.kind === 'forwarded') {
      const { destination, member, at } = happening
      return [{ type: 'transfer-update', at: start + at * 1000, member, fields: { destination } }]
    }
    if (happening.kind === 'hang') {
      return [{ type: 'hang', at: start + happening.at * 1000, member: happening.member, fields: {} }]
    }
    if (happening.kind === 'handed-over') {
      const { from, to, handoff, at } = happening
      const fields = {
        destination: { type: 'assistant', ...handoff },
        fromAssistant: from.assistant,
        toAssistant: to.assistant,
      }
      return [{ type: 'transfer-update', at: start + at * 1000, member: from, fields }]
    }
    const { turn } = happening
    turns.push(turn)
    return saidOf(turn, turns, prompts, start)
  })
}

function saidOf(turn: Turn, turns: readonly Turn[], prompts: readonly string[], start: number): Told[] {
  const { role, text, member } = turn
  const [from, to] = [start + turn.start * 1000, start + turn.end * 1000]
  const speech = (status: string, at: number) => ({
    type: 'speech-update',
    at,
    member,
    fields: { status, role, turn: turns.length - 1 },
  })
  return [
    speech('started', from),
    ...(role === 'assistant'
      ? [
          {
            type: 'assistant.speechStarted',
            at: from,
            member,
            fields: { text, turn: turns.length - 1, source: 'model' },
          },
        ]
      : []),
    speech('stopped', to),
    { type: 'transcript', at: to, member, fields: { role, transcriptType: 'final', transcript: text } },
    {
      type: 'conversation-update',
      at: to,
      member,
      fields: {
        messages: turns.map((one) => messageOf(one, start)),
        messagesOpenAIFormatted: openAiMessagesOf(prompts, turns),
      },
    },
  ]
}
