import { isObject } from '../../../json/object.ts'
import type { BackoffPlan, WebhookMessage } from '../../../webhooks/message.ts'
import { shownAddress } from '../../../webhooks/request.ts'
import { defaultServerMessages } from '../../mapping/defaults.ts'
import { numberOf, textOf } from '../../mapping/settings.ts'
import type { Conversation, Turn } from '../conversation/conversation.ts'
import type { Assistant, Line, Member } from '../conversation/line.ts'
import { messageOf, openAiMessagesOf } from '../conversation/outcome.ts'

const defaultTimeoutSeconds = 20
/** The platform does not try again unless it is told to. */
const noRetries: BackoffPlan = { type: 'fixed', maxRetries: 0, baseDelaySeconds: 0 }

/** A message before it is addressed; `at` is in milliseconds since 1970. */
export interface Told {
  type: string
  at: number
  /** The assistant that is on the line. */
  member: Member | undefined
  fields: Record<string, unknown>
}

/** What a receiver learns of an object, without what authenticates requests. */
export function withoutSecrets(value: Record<string, unknown>): Record<string, unknown> {
  const { server, credentialIds: _ids, ...shown } = value
  return isObject(server) ? { ...shown, server: { url: shownAddress(textOf(server.url) ?? '') } } : shown
}

/** The one server block that receives: the assistant's, else the number's. */
function serverOf(assistant: Assistant | undefined, { phoneNumber }: Line) {
  const blocks = [assistant?.server, phoneNumber?.body.server].filter(isObject)
  return blocks.find(({ url }) => textOf(url) !== undefined)
}

function wants(assistant: Assistant | undefined, { type, fields }: Told): boolean {
  const selected: readonly string[] = assistant?.serverMessages ?? defaultServerMessages
  if (type !== 'transcript') return selected.includes(type)
  return selected.includes(type) || (fields.transcriptType === 'final' && selected.includes(finalTranscript))
}

const finalTranscript = 'transcript[transcriptType="final"]'

/** The webhooks of what is told about a call: those that `serverMessages` selects, addressed. */
export function webhooksOf(
  told: readonly Told[],
  call: { id: string; body: Record<string, unknown>; shown: Record<string, unknown> },
  line: Line,
): WebhookMessage[] {
  return told.flatMap((one) => {
    const { type, at, member, fields } = one
    const assistant = member?.assistant ?? line.members[0]?.assistant
    const server = serverOf(assistant, line)
    const url = textOf(server?.url)
    if (!server || url === undefined || !wants(assistant, one)) return []
    const headers = isObject(server.headers) ? server.headers : {}
    const message = {
      type,
      ...fields,
      timestamp: at,
      call: call.shown,
      ...(assistant && { assistant: withoutSecrets(assistant) }),
      ...(line.phoneNumber && { phoneNumber: withoutSecrets({ id: line.phoneNumber.id, ...line.phoneNumber.body }) }),
      ...(isObject(call.body.customer) && { customer: call.body.customer }),
    }
    const credentialId = textOf(server.credentialId)
    return {
      type,
      callId: call.id,
      assistantId: textOf(call.body.assistantId),
      url,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(credentialId !== undefined && { credentialId }),
      timeoutSeconds: numberOf(server.timeoutSeconds) ?? defaultTimeoutSeconds,
      backoffPlan: isObject(server.backoffPlan) ? (server.backoffPlan as unknown as BackoffPlan) : noRetries,
      body: { message },
    }
  })
}

/** What is told while a conversation goes on. `start` is the call's, in milliseconds. */
export function toldOf({ happenings, prompts }: Conversation, start: number): Told[] {
  const turns: Turn[] = []
  return happenings.flatMap((happening): Told[] => {
    if (happening.kind === 'hang') {
      return [{ type: 'hang', at: start + happening.at * 1000, member: happening.member, fields: {} }]
    }
    if (happening.kind === 'handed-over') {
      const { from, to, handoff, at } = happening
      const fields = {
        destination: { type: 'assistant', ...handoff },
        fromAssistant: withoutSecrets(from.assistant),
        toAssistant: withoutSecrets(to.assistant),
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
