import type { Asker } from '../../converse.ts'
import { type Conversation, turnsOf } from '../conversation/conversation.ts'
import { costOf } from '../conversation/costs.ts'
import type { Called, Line } from '../conversation/line.ts'
import { analysisOf, messagesOf, openAiMessagesOf, transcriptOf } from '../conversation/outcome.ts'

/** How a call ends where neither an assistant nor a server is set. */
export const nobodyConfigured = 'call-start-error-neither-assistant-nor-server-set'

/** Reasons of a call that nobody took: it never started. */
export const untaken = { busy: 'customer-busy', nobody: 'customer-did-not-answer' } as const

/** A call to simulate: who is called, from where, and what the caller says. */
export interface CallRequest extends Called {
  /** New unless given. */
  id?: string | undefined
  name?: string
  customer?: object
  direction: 'inbound' | 'outbound'
  messages?: string[]
  scenario?: string
  asker?: Asker
}

type Body = Record<string, unknown>

/** The fields that have a value. */
export const present = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const types = { inbound: 'inboundPhoneCall', outbound: 'outboundPhoneCall' } as const

/** The body of a call that was just created. */
export function begun({ name, customer, assistantId, phoneNumberId, direction }: CallRequest, line: Line): Body {
  return present({
    type: line.phoneNumber ? types[direction] : 'webCall',
    status: 'queued',
    name,
    customer,
    assistantId: line.first?.assistantId ?? assistantId,
    squadId: line.squadId,
    phoneNumberId,
    ...(line.phoneNumber && { phoneCallTransport: 'pstn' }),
  })
}

interface Outcome {
  startedAt: Date
  endedAt: Date
  /** How a language model evaluates the call. */
  evaluation: string | undefined
}

/** What a conversation made of its call. */
export function outcomeOf(conversation: Conversation, line: Line, { evaluation, ...times }: Outcome): Body {
  const assistant = line.first?.assistant ?? {}
  const turns = turnsOf(conversation)
  const messages = messagesOf(conversation, times.startedAt)
  const transcript =
    assistant.artifactPlan?.transcriptPlan?.enabled === false ? undefined : transcriptOf(turns, assistant)
  const artifact = present({
    messages,
    messagesOpenAIFormatted: openAiMessagesOf(conversation.prompts, turns),
    transcript,
  })
  return {
    startedAt: times.startedAt.toISOString(),
    endedAt: times.endedAt.toISOString(),
    endedReason: conversation.endedReason,
    destination: conversation.destination,
    messages,
    artifact,
    analysis: analysisOf(conversation, assistant, evaluation),
    ...costOf(conversation, line),
  }
}
