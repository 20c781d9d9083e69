import { isObject } from '../../../json/object.ts'

import { offersMessage } from '../../../language-model/local/message-taking.ts'
import { isFarewell } from './caller.ts'
import { type Conversation, type Happening, type Turn, turnsOf } from './conversation.ts'
import type { Assistant } from './line.ts'

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

/** The transcript, a line per turn; undefined where the plan switches it off. */
export function transcriptOf(turns: readonly Turn[], assistant: Assistant): string | undefined {
  const plan = assistant.artifactPlan?.transcriptPlan
  if (plan?.enabled === false) return undefined
  const names = { assistant: plan?.assistantName ?? 'AI', user: plan?.userName ?? 'User' }
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

const successful =
  /^(customer-ended-call|assistant-ended-call|assistant-said-end-call-phrase|assistant-forwarded-call)$/

/**
 * Whether anything that the caller said got a response: an offer to take a message says that there is none, and one to a
 * farewell is none either.
 */
const isAnswered = (turns: readonly Turn[]): boolean =>
  turns.some(({ role, text }, at) => {
    const said = turns[at - 1]
    return role === 'assistant' && said?.role === 'user' && !isFarewell(said.text) && !offersMessage(text)
  })

/**
 * The analysis that the assistant's plans ask for. The summary quotes the call, and a call succeeds when the caller was
 * answered and the call came to its end: rules stand in for the platform's models.
 */
export function analysisOf(conversation: Conversation, { analysisPlan: plan }: Assistant) {
  const turns = turnsOf(conversation)
  if (turns.length < (plan?.minMessagesThreshold ?? defaultMinMessages)) return {}
  const asked = turns.findIndex(({ role }) => role === 'user')
  const request = turns[asked]?.text
  const answer = turns.slice(asked + 1).find(({ role }) => role === 'assistant')?.text
  const passed = isAnswered(turns) && successful.test(conversation.endedReason)
  const [good, bad] = (isObject(plan?.successEvaluationPlan) &&
    verdicts[String(plan.successEvaluationPlan.rubric)]) || ['true', 'false']
  return {
    ...(plan?.summaryPlan?.enabled !== false && { summary: summaryOf(conversation, request, answer) }),
    ...(plan?.successEvaluationPlan?.enabled !== false && { successEvaluation: passed ? good : bad }),
  }
}

const maxQuoteLength = 200

const quote = (text: string) => `"${text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength - 1)}…` : text}"`

function summaryOf({ seconds, endedReason }: Conversation, request?: string, answer?: string): string {
  const sentences = [
    request === undefined ? 'The caller said nothing.' : `The caller said: ${quote(request)}.`,
    answer !== undefined && request !== undefined ? `The assistant answered: ${quote(answer)}.` : '',
    `The call took ${Math.round(seconds)} seconds and ended with ${endedReason}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}
