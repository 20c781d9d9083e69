import { isObject } from '../../../json/object.ts'

import { type Conversation, type Happening, type Turn, turnsOf } from './conversation.ts'
import type { Assistant } from './line.ts'
import { isSuccess, type Request, requestsIn } from './success.ts'

/** The platform's messages of a call: the prompts, then what was said, and which tools were used. */
export function messagesOf({ prompts, happenings }: Conversation, startedAt: Date) {
  const start = startedAt.getTime()
  return [
    ...prompts.map((message) => ({ role: 'system', message, time: start, secondsFromStart: 0 })),
    ...happenings.flatMap((happening): object[] => {
      if (happening.kind === 'said') return [messageOf(happening.turn, start)]
      return happening.kind === 'tool-called' ? toolMessages(happening, start) : []
    }),
  ]
}

function toolMessages({ call, result, at }: Extract<Happening, { kind: 'tool-called' }>, start: number) {
  const when = { time: start + at * 1000, secondsFromStart: at }
  return [
    { role: 'tool_calls', toolCalls: [call], message: '', ...when },
    { role: 'tool_call_result', toolCallId: call.id, name: call.function.name, result, ...when },
  ]
}

/** One turn as the platform's message; `start` is the call's, in milliseconds. */
export function messageOf({ role, text, start: from, end, member }: Turn, start: number) {
  return {
    role: role === 'assistant' ? 'bot' : 'user',
    message: text,
    time: start + from * 1000,
    endTime: start + end * 1000,
    secondsFromStart: from,
    duration: Math.round((end - from) * 1000),
    ...(role === 'assistant' && {
      ...(member.assistantId && { assistantId: member.assistantId }),
      ...(member.assistant.name && { assistantName: member.assistant.name }),
    }),
  }
}

/** The conversation in the chat-completions format. */
export const openAiMessagesOf = (prompts: readonly string[], turns: readonly Turn[]) => [
  ...prompts.map((content) => ({ role: 'system', content })),
  ...turns.map(({ role, text }) => ({ role, content: text })),
]

/** The transcript, a line per turn. */
export function transcriptOf(turns: readonly Turn[], assistant: Assistant = {}): string {
  const { assistantName = 'AI', userName = 'User' } = assistant.artifactPlan?.transcriptPlan ?? {}
  const names = { assistant: assistantName, user: userName }
  return turns.map(({ role, text }) => `${names[role]}: ${text}\n`).join('')
}

const defaultMinMessages = 2

/** The words in which each rubric says a success, and a failure. */
const verdicts: Record<string, [passed: string, failed: string]> = {
  NumericScale: ['8', '2'],
  DescriptiveScale: ['Good', 'Poor'],
  PercentageScale: ['80%', '20%'],
  LikertScale: ['Agree', 'Disagree'],
}

/** Whether enough was said for an analysis. */
const isLongEnough = (turns: readonly Turn[], { analysisPlan: plan }: Assistant) =>
  turns.length >= (plan?.minMessagesThreshold ?? defaultMinMessages)

/** Whether the assistant's plans ask how a call went. */
export const isEvaluated = (conversation: Conversation, assistant: Assistant): boolean =>
  isLongEnough(turnsOf(conversation), assistant) && assistant.analysisPlan?.successEvaluationPlan?.enabled !== false

/**
 * The analysis that the assistant's plans ask for. The summary quotes the call; where no model gave an evaluation,
 * rules say whether the call succeeded.
 */
export function analysisOf(conversation: Conversation, assistant: Assistant, evaluation?: string) {
  const { analysisPlan: plan } = assistant
  const turns = turnsOf(conversation)
  if (!isLongEnough(turns, assistant)) return {}
  const [asked] = requestsIn(conversation)
  const passed = isSuccess(conversation)
  const [good, bad] = (isObject(plan?.successEvaluationPlan) &&
    verdicts[String(plan.successEvaluationPlan.rubric)]) || ['true', 'false']
  return {
    ...(plan?.summaryPlan?.enabled !== false && { summary: summaryOf(conversation, asked) }),
    ...(isEvaluated(conversation, assistant) && { successEvaluation: evaluation ?? (passed ? good : bad) }),
  }
}

const maxQuoteLength = 200

const quote = (text: string) => `"${text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength - 1)}…` : text}"`

function summaryOf({ seconds, endedReason }: Conversation, asked: Request | undefined): string {
  const sentences = [
    asked ? `The caller said: ${quote(asked.text)}.` : 'The caller said nothing.',
    asked?.reply === undefined ? '' : `The assistant answered: ${quote(asked.reply)}.`,
    `The call took ${Math.round(seconds)} seconds and ended with ${endedReason}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}
