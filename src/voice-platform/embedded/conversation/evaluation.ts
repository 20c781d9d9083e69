import { isObject } from '../../../json/object.ts'
import type { Asker, ChatMessage, Converse } from '../../converse.ts'
import { textOf } from '../../mapping/settings.ts'
import { type Conversation, turnsOf } from './conversation.ts'
import type { Line } from './line.ts'
import { isEvaluated, transcriptOf } from './outcome.ts'

/** The platform's own words for it. */
const usual: readonly ChatMessage[] = [
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

/** Reads a response that is nothing but a value of this form, among marks and below a word such as "Result:". */
const only = (form: string) => {
  const marks = '[^\\p{L}\\p{N}%]*'
  const whole = new RegExp(
    `^${marks}(?:(?:result|score|rating|evaluation|verdict)${marks})?(?<![-−–])(${form})${marks}$`,
    'iu',
  )
  return (text: string) => whole.exec(text)?.[1]
}
const oneOf = (...words: string[]) => {
  const said = only(words.join('|'))
  return (text: string) => {
    const found = said(text)?.toLowerCase()
    return words.find((word) => word.toLowerCase() === found)
  }
}

const maxResultLength = 2_000
const passed = oneOf('true', 'pass', 'passed', 'yes')
const failed = oneOf('false', 'fail', 'failed', 'no')
const free = (text: string) => text.trim().slice(0, maxResultLength) || undefined
const score = only('(?:10|[1-9](?:\\.\\d)?)(?:\\s*/\\s*10)?')
const share = only('(?:100|[1-9]?\\d)(?:\\s*%|\\s*/\\s*100)?')
const numberIn = (text: string | undefined) => /^[\d.]+/.exec(text ?? '')?.[0]

/** A response in the form of its rubric; undefined for one that has another form. */
const readers: Record<string, (text: string) => string | undefined> = {
  NumericScale: (text) => numberIn(score(text)),
  DescriptiveScale: oneOf('Excellent', 'Good', 'Fair', 'Poor'),
  Checklist: free,
  Matrix: free,
  PercentageScale: (text) => {
    const value = numberIn(share(text))
    return value && `${value}%`
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

/** A message's text with its placeholders filled, both of bounded length. */
function filled(text: string, values: ReadonlyMap<string, string>): string {
  let room = maxMessageLength
  const fill = (whole: string, name: string) => {
    const value = (values.get(name) ?? whole).slice(0, room)
    room -= value.length
    return value
  }
  const cut = text.slice(0, maxMessageLength)
  return cut.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, fill).slice(0, maxMessageLength)
}

/** The messages of a plan that say something; those of the platform stand in for what is missing. */
function givenMessages(own: unknown): readonly ChatMessage[] {
  const given = (Array.isArray(own) ? own.slice(0, maxMessages) : []).filter(isObject)
  const told = given.flatMap(({ role, content }): ChatMessage[] => {
    const text = textOf(content)
    if (!text?.trim() || (role !== 'system' && role !== 'user' && role !== 'assistant')) return []
    return [{ role, content: text }]
  })
  if (told.length === 0) return usual
  return told.some(({ role }) => role === 'user') ? told : [...told, ...usual.filter(({ role }) => role === 'user')]
}

/** The messages with which a plan has a call evaluated. */
const messagesFor = (own: unknown, values: ReadonlyMap<string, string>): ChatMessage[] =>
  givenMessages(own).map(({ role, content }) => ({ role, content: filled(content, values) }))

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
 * How a language model evaluates a call, as the plan of its assistant says and in the form of its rubric; undefined
 * where the plan asks for none, and where the model gives nothing of that form, or not in time.
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
  const speaker = { assistantId, phoneNumberId: phoneNumber?.id, asker, as: 'an evaluator of calls' }
  try {
    const told = messagesFor(messages, valuesOf(conversation, assistant.model, rubric))
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    return readers[rubric]?.(await ask(told, speaker, { signal }))
  } catch {
    // A call ends as it ended, whatever becomes of its evaluation.
    return undefined
  }
}
