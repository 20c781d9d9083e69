import { ownValue } from '../../json/object.ts'
import { citation, type Sources } from '../prompt.ts'
import type { Conversation } from './conversation.ts'
import { type PromptSentence, promptSentences } from './orders/prompt-sentences.ts'
import { spokenResult } from './spoken-result.ts'
import { sentencesOf } from './words.ts'

/** A sentence that may answer. */
export interface Candidate {
  text: string
  /** What it stands under: a heading, or the question that it answers. It counts as if it were said. */
  context: string
  /** Where it comes from; sentences of one source that follow each other are read together. */
  source: string
  /** How it is quoted. */
  quote(text: string): string
  /** How much its place counts: what was said just now more than what was said long ago. */
  weight: number
  /** How well the search of the files found its passage (0..1); undefined for what no search found. */
  found?: number
  /** An order to the agent, which answers nobody. */
  isOrder?: true
}

type Place = Pick<Candidate, 'source' | 'quote' | 'weight' | 'found'> & { heading?: string }

const cited = (name: string) => (text: string) => `${text} [${name}]`
const plain = (text: string) => text
const saidEarlier = (text: string) => `Earlier you said: "${text}"`

const isQuestion = (sentence: string) => sentence.endsWith('?')
/** A line of a few words without an end, a value or a colon is a title. */
const isTitle = (sentence: string) => !/[.!…:;\d]/.test(sentence) && sentence.split(/\s+/).length <= 6

const smallWords =
  /^(?:of|the|at|and|in|on|for|by|am|im|an|der|die|das|von|zu|und|de|del|la|el|los|y|en|du|des|les|le|et|à|au)$/
/** A text without a heading may begin with its title: "Rollerverleih am Hafen." */
const isOpening = (sentence: string) => {
  const words = sentence.match(/\p{L}+/gu) ?? []
  return (
    words.length <= 4 &&
    !/[\d:;,!?]|^(?:no|keine?|sin|pas)\s/i.test(sentence) &&
    words.every((word) => smallWords.test(word) || /^\p{Lu}/u.test(word))
  )
}

/** Sentences of one kind that are read: each is held against each word of the question. */
const maxSentences = 5_000

type Read = (text: string, most: number) => PromptSentence[]
const asItStands: Read = (text, most) =>
  sentencesOf(text, most).map((sentence) => ({ text: sentence, under: '', isOrder: false }))

/** Only files have titles: what is said or noted is meant as it stands. */
function from(text: string | null, place: Place, most = maxSentences, read = asItStands): Candidate[] {
  if (text === null) return []
  const { heading, ...placed } = place
  const found: Candidate[] = []
  const sentences = read(text, most)
  let [above, under] = ['', heading ?? '']
  const ofFile = heading !== undefined && sentences.length > 1
  for (const [index, { text: sentence, under: title, isOrder }] of sentences.entries()) {
    if (title !== above) [above, under] = [title, title]
    const isAbove = ofFile && (isTitle(sentence) || (heading === '' && index === 0 && isOpening(sentence)))
    if (!isOrder && (isQuestion(sentence) || isAbove)) {
      under = `${heading ?? above} ${sentence}`.trim()
      continue
    }
    found.push({ ...placed, text: sentence, context: under, ...(isOrder && { isOrder }) })
  }
  return found
}

/** The candidates of several texts, those of the first texts first, until there are enough. */
function fromAll(texts: readonly (string | null)[], placeOf: (index: number) => Place, read?: Read): Candidate[][] {
  let left = maxSentences
  return texts.map((text, index) => {
    const found = left > 0 ? from(text, placeOf(index), left, read) : []
    left -= found.length
    return found
  })
}

const withoutDate = (memory: string) => memory.replaceAll(/^- \[\d{4}-\d{2}-\d{2}\] /gm, '')

/** The sentences that an answer can be made of. Orders to the agent and questions are none. */
export function candidatesOf(sources: Sources, { earlier, toolResults }: Conversation): Candidate[] {
  const { toolNames = {} } = sources
  const said = earlier.filter(({ role, text }) => role === 'user' && !text.trim().endsWith('?'))
  const given = [sources.instructions, ...sources.preamble, sources.description]
  const facts = fromAll(
    given,
    (index) => ({ source: `instructions ${index}`, quote: plain, weight: 1 }),
    promptSentences,
  )
  const newest = fromAll(said.map(({ text }) => text).reverse(), (index) => {
    return { source: `said ${said.length - 1 - index}`, quote: saidEarlier, weight: 0.95 }
  })
  const memory = sources.memory === null ? null : withoutDate(sources.memory)
  return [
    ...toolResults
      .filter(({ failed }) => !failed)
      .flatMap(({ tool, text }, index) => {
        const place = { source: `tool ${index}`, weight: 1.2 }
        return sources.onPhone
          ? from(spokenResult(text), { ...place, quote: plain })
          : from(text, { ...place, quote: cited(ownValue(toolNames, tool) ?? tool) })
      }),
    ...sources.passages.flatMap((passage, index) => {
      const { heading, score: found } = passage
      const quote = sources.onPhone ? plain : cited(citation(passage))
      const place = { source: `file ${index}`, quote, weight: 1, found }
      return from(passage.text, { ...place, heading: heading ?? '' })
    }),
    ...facts.flat().filter(({ isOrder }) => !isOrder),
    ...from(memory, { source: 'memory', quote: plain, weight: 1 }),
    ...newest.reverse().flat(),
  ]
}
