import { isObject } from '../../../json/object.ts'
import type { Asker, ChatMessage, Converse } from '../../converse.ts'
import { textOf } from '../../mapping/settings.ts'
import { type Conversation, turnsOf } from './conversation.ts'
import type { Line } from './line.ts'
import { isEvaluated, transcriptOf } from './outcome.ts'

/** The platform's own words for it. */
const usual = [
  {
    role: 'system',
    content:
      'You are an expert call evaluator. You will be given a transcript of a call and the system prompt of the AI participant. Determine if the call was successful based on the objectives inferred from the system prompt. DO NOT return anything except the result.\n\nRubric:\n{{rubric}}\n\nOnly respond with the result.',
  },
  {
    role: 'user',
    content:
      'Here is the transcript:\n\n{{transcript}}\n\nHere was the system prompt of the call:\n\n{{systemPrompt}}\n\nHere is the ended reason of the call:\n\n{{endedReason}}',
  },
]

/** What each rubric asks for. */
const rubrics: Record<string, string> = {
  NumericScale: 'A scale of 1 to 10.',
  DescriptiveScale: 'A scale of Excellent, Good, Fair, Poor.',
  Checklist: 'A checklist of criteria and their status.',
  Matrix: 'A grid that evaluates multiple criteria across different performance levels.',
  PercentageScale: 'A scale of 0% to 100%.',
  LikertScale: 'A scale of Strongly Agree, Agree, Neutral, Disagree, Strongly Disagree.',
  AutomaticRubric: 'Automatically break down evaluation into several criteria, each with its own score.',
  PassFail: "A simple 'true' if call passed, 'false' if not.",
}

const oneOf = (...words: string[]) => {
  const said = new RegExp(`^\\W*(?:result\\W+)?(${words.join('|')})\\b`, 'i')
  return (text: string) => {
    const found = said.exec(text)?.[1]?.toLowerCase()
    return words.find((word) => word.toLowerCase() === found)
  }
}

const maxResultLength = 2_000
const passed = oneOf('true', 'pass', 'passed', 'yes')
const failed = oneOf('false', 'fail', 'failed', 'no')
const free = (text: string) => text.trim().slice(0, maxResultLength) || undefined
const within = (text: string, max: number) => {
  const value = /^\D{0,20}(\d{1,3})(?!\d)/.exec(text)?.[1]
  return value !== undefined && Number(value) <= max ? Number(value) : undefined
}

/** A response in the form of its rubric; undefined for one that has another form. */
const readers: Record<string, (text: string) => string | undefined> = {
  NumericScale: (text) => within(text, 10)?.toString(),
  DescriptiveScale: oneOf('Excellent', 'Good', 'Fair', 'Poor'),
  Checklist: free,
  Matrix: free,
  PercentageScale: (text) => {
    const share = within(text, 100)
    return share === undefined ? undefined : `${share}%`
  },
  LikertScale: oneOf('Strongly Agree', 'Strongly Disagree', 'Agree', 'Neutral', 'Disagree'),
  AutomaticRubric: free,
  PassFail: (text) => (passed(text) ? 'true' : failed(text) ? 'false' : undefined),
}

/** What of a call the model reads at most. */
const maxTranscriptLength = 24_000
const maxPromptLength = 8_000
const maxMessages = 10
const maxMessageLength = 40_000
const usualSeconds = 5

/** The messages with which a plan has a call evaluated. */
function messagesFor(own: unknown, values: ReadonlyMap<string, string>): ChatMessage[] {
  const given = Array.isArray(own) && own.length > 0 ? own.filter(isObject) : usual
  return given.slice(0, maxMessages).flatMap(({ role, content }): ChatMessage[] => {
    const text = textOf(content)
    if (text === undefined || (role !== 'system' && role !== 'user' && role !== 'assistant')) return []
    const filled = text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values.get(name) ?? whole)
    return [{ role, content: filled.slice(0, maxMessageLength) }]
  })
}

/** What fills the placeholders of those messages. */
const valuesOf = (conversation: Conversation, model: unknown, rubric: string) =>
  new Map([
    ['transcript', transcriptOf(turnsOf(conversation)).slice(-maxTranscriptLength)],
    ['systemPrompt', conversation.prompts.join('\n\n').slice(0, maxPromptLength)],
    ['messages', JSON.stringify(isObject(model) ? (model.messages ?? []) : []).slice(0, maxPromptLength)],
    ['rubric', rubrics[rubric] ?? rubric],
    ['endedReason', conversation.endedReason],
  ])

/**
 * How a language model evaluates a call, as the plan of its assistant says and in the form of its rubric; undefined where
 * the plan asks for none, and where the model gives nothing of that form, or not in time.
 */
export async function evaluationOf(
  conversation: Conversation,
  { first, phoneNumber }: Line,
  { ask, asker }: { ask: Converse; asker: Asker | undefined },
): Promise<string | undefined> {
  const { assistantId, assistant = {} } = first ?? {}
  if (!isEvaluated(conversation, assistant)) return undefined
  const {
    messages,
    rubric = 'PassFail',
    timeoutSeconds = usualSeconds,
  } = assistant.analysisPlan?.successEvaluationPlan ?? {}
  const told = messagesFor(messages, valuesOf(conversation, assistant.model, rubric))
  const speaker = { assistantId, phoneNumberId: phoneNumber?.id, asker, as: 'an evaluator of calls' }
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  const text = await ask(told, speaker, { signal }).catch(() => undefined)
  return text === undefined ? undefined : readers[rubric]?.(text)
}
