import { isObject } from '../../../json/object.ts'

import type { Conversation, Turn } from './conversation.ts'
import type { Assistant } from './line.ts'

/** Dollars: what the simulation charges, so that statistics have something to add up. */
const prices = {
  platformMinute: 0.05,
  phoneMinute: 0.015,
  transcriberMinute: 0.01,
  voiceCharacter: 0.00003,
  token: 0.000002,
}
const charactersPerToken = 4

const round = (value: number) => Number(value.toFixed(4))

export const turnsOf = ({ happenings }: Conversation): Turn[] =>
  happenings.flatMap((happening) => (happening.kind === 'said' ? [happening.turn] : []))

/** The platform's messages of a call: the prompts, then what was said. */
export function messagesOf(conversation: Conversation, startedAt: Date) {
  const start = startedAt.getTime()
  const prompts = conversation.prompts.map((message) => ({ role: 'system', message, time: start, secondsFromStart: 0 }))
  return [...prompts, ...turnsOf(conversation).map((turn) => messageOf(turn, start))]
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

/** What a call costs: the parts of `costBreakdown` and their sum. */
export function costOf(conversation: Conversation, byPhone: boolean) {
  const minutes = conversation.seconds / 60
  const turns = turnsOf(conversation)
  const characters = (role: Turn['role']) =>
    turns.filter((turn) => turn.role === role).reduce((sum, { text }) => sum + text.length, 0)
  const prompt = conversation.prompts.reduce((sum, { length }) => sum + length, characters('user'))
  const tokens = {
    llmPromptTokens: Math.ceil(prompt / charactersPerToken),
    llmCompletionTokens: Math.ceil(characters('assistant') / charactersPerToken),
  }
  const parts = {
    transport: round(byPhone ? minutes * prices.phoneMinute : 0),
    stt: round(minutes * prices.transcriberMinute),
    llm: round((tokens.llmPromptTokens + tokens.llmCompletionTokens) * prices.token),
    tts: round(characters('assistant') * prices.voiceCharacter),
    vapi: round(minutes * prices.platformMinute),
  }
  const total = round(Object.values(parts).reduce((sum, value) => sum + value, 0))
  return { cost: total, costBreakdown: { ...parts, total, ...tokens, ttsCharacters: characters('assistant') } }
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
 * The analysis that the assistant's plans ask for. The summary quotes the call, and a call succeeds when the caller was
 * answered and the call came to its end: rules stand in for the platform's models.
 */
export function analysisOf(conversation: Conversation, { analysisPlan: plan }: Assistant) {
  const turns = turnsOf(conversation)
  if (turns.length < (plan?.minMessagesThreshold ?? defaultMinMessages)) return {}
  const asked = turns.findIndex(({ role }) => role === 'user')
  const request = turns[asked]?.text
  const answer = turns.slice(asked + 1).find(({ role }) => role === 'assistant')?.text
  const passed = request !== undefined && answer !== undefined && successful.test(conversation.endedReason)
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
