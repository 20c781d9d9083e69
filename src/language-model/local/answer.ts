import { citation, type Sources } from '../prompt.ts'
import type { Conversation } from './conversation.ts'
import { pickDiverse, type Ranker } from './ranker.ts'
import { smallTalk } from './small-talk.ts'
import { sentencesOf, termsOf } from './words.ts'

/** A sentence that may be part of an answer. */
interface Candidate {
  text: string
  /** How it is quoted. */
  quote(text: string): string
  /** How much its place counts: what was asked for just now more than what was said long ago. */
  weight: number
}

const cited = (source: string) => (text: string) => `${text} [${source}]`
const plain = (text: string) => text
const saidEarlier = (text: string) => `Earlier you said: "${text}"`

const from = (text: string | null, quote: Candidate['quote'], weight: number): Candidate[] =>
  text === null ? [] : sentencesOf(text).map((sentence) => ({ text: sentence, quote, weight }))

const withoutDate = (memory: string) => memory.replaceAll(/^- \[\d{4}-\d{2}-\d{2}\] /gm, '')

function candidatesOf(sources: Sources, { earlier, toolResults }: Conversation): Candidate[] {
  const said = earlier.filter(({ role, text }) => role === 'user' && !text.trim().endsWith('?'))
  return [
    ...toolResults.filter(({ failed }) => !failed).flatMap(({ tool, text }) => from(text, cited(tool), 1.2)),
    ...sources.passages.flatMap((passage) => from(passage.text, cited(citation(passage)), 1.05)),
    ...from(sources.instructions, plain, 1),
    ...sources.preamble.flatMap((text) => from(text, plain, 1)),
    ...from(sources.description, plain, 0.9),
    ...from(sources.memory === null ? null : withoutDate(sources.memory), plain, 1),
    ...said.flatMap(({ text }) => from(text, saidEarlier, 0.95)),
  ]
}

/** Passages overlap, so that a sentence may come whole from one and in part from the next. */
const withoutPieces = (candidates: Candidate[]): Candidate[] =>
  candidates.filter(
    ({ text }) => !candidates.some((other) => other.text.length > text.length && other.text.includes(text)),
  )

/** Where it looked, in words. */
function places(sources: Sources, { earlier, toolResults }: Conversation): string {
  const files = [...new Set(sources.passages.map(({ file }) => file))]
  const tools = [...new Set(toolResults.map(({ tool }) => tool))]
  const looked = [
    sources.instructions || sources.preamble.length > 0 ? 'my instructions' : undefined,
    sources.memory ? 'my memory' : undefined,
    files.length > 0 ? `the files ${files.join(', ')}` : undefined,
    tools.length > 0 ? `what ${tools.join(', ')} answered` : undefined,
    earlier.length > 0 ? 'this conversation' : undefined,
  ].filter((place) => place !== undefined)
  if (looked.length === 0) return 'I have no instructions, memory or files to look in yet.'
  const last = looked.pop()
  return `I looked in ${looked.length > 0 ? `${looked.join(', ')} and ` : ''}${last}.`
}

const limitation = 'I only repeat what is written there: this installation has no generative language model.'

/** Before an answer that has no word of the question: it may be beside the point. */
const byMeaning = 'Nothing says it in those words. The closest that I found:'

const least = 0.25
const most = 4

/**
 * The local model's answer: two to four sentences of what it can draw on, with the files and tools they come from, or
 * openly that it found nothing and where it looked. It makes nothing up.
 */
export async function extractResponse(
  sources: Sources,
  conversation: Conversation,
  ranker: Ranker,
  signal?: AbortSignal,
): Promise<string> {
  const talk = conversation.toolResults.length === 0 ? smallTalk(sources, conversation) : undefined
  if (talk !== undefined) return talk
  const candidates = withoutPieces(candidatesOf(sources, conversation))
  const scores = await ranker.score(
    conversation.question,
    candidates.map(({ text }) => text),
    { workspaceId: sources.workspaceId, signal },
  )
  const scored = candidates.map((candidate, index) => ({
    ...candidate,
    score: (scores[index] ?? 0) * candidate.weight,
  }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  const fitting = scored.filter(({ score }) => score >= Math.max(least, best / 2))
  if (fitting.length > 0) {
    const chosen = new Set(pickDiverse(fitting, most))
    const asked = new Set(termsOf(conversation.question))
    const answersInWords = [...chosen].some(({ text }) => termsOf(text).some((term) => asked.has(term)))
    const quotes = fitting.filter((candidate) => chosen.has(candidate)).map(({ text, quote }) => quote(text))
    return [...(answersInWords ? [] : [byMeaning]), ...quotes].join(' ')
  }
  const [answered] = conversation.toolResults.filter(({ failed }) => !failed)
  if (answered) return `${answered.tool} answered: ${answered.text.slice(0, 1000)}`
  return `I found nothing about that. ${places(sources, conversation)} ${limitation}`
}
