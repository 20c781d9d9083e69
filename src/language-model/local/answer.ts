import type { Language } from '../../knowledge/language.ts'
import { askedWords, detectLanguage } from '../../knowledge/words.ts'
import type { Sources } from '../prompt.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { bestOf, bounds, type Judged } from './certainty.ts'
import type { Conversation } from './conversation.ts'
import { expectedBy } from './expected.ts'
import { messageTaking } from './message-taking.ts'
import { phrasesIn } from './phrases.ts'
import { type Asked, type Evidence, noEvidence, type Ranker } from './ranker.ts'
import { smallTalk } from './small-talk.ts'
import { spokenResult } from './spoken-result.ts'

/** A question of no more content words may be about what was said before it. */
const shortQuestion = 2

/** The message before the question, where the question alone may not say what it is about. */
function contextOf({ question, earlier }: Conversation): string {
  const before = earlier.findLast(({ role }) => role === 'user')?.text ?? ''
  return askedWords(question).length <= shortQuestion ? before.slice(-500) : ''
}

/** "And what does that cost?" says what is wanted, not what about. */
const namesNothing = (question: string) =>
  askedWords(question.replaceAll(expectedBy(question)?.asking ?? /$^/g, ' ')).length === 0

/** What is said of a tool's result where no sentence of it stands out. */
const maxSpokenLength = 300

/** What meaning adds to words. */
const meaningShare = 0.7

const ownScore = ({ words, meaning }: Evidence) => words + meaningShare * (meaning ?? 0)

/** How much of a passage's score its sentences share out by what each says itself. */
const sentenceShare = 0.3
/** How much the words of a sentence count beside its passage: those of one passage may say more than a nearer passage. */
const wordsShare = 0.35
/** What a follow-up adds to the passage that was quoted before it. */
const continuedBonus = 0.3

/** Identifiers of a question, such as `E-417`: a text about another one is no answer. */
const identifiers = (question: string) =>
  askedWords(question)
    .flatMap(({ terms }) => [...terms.keys()])
    .filter((term) => /^(?=.*\p{L})(?=.*\d)/u.test(term) && !/^\d+(?:am|pm|h|th|st|nd|rd|km|kg|m|eur|uhr)$/.test(term))

/** Which share of the question's rare words tells that a sentence of a file is about it. */
const matchingWords = 0.4

/** The passages that the response before this question quoted. */
function quotedBefore(candidates: readonly Candidate[], { earlier }: Conversation): ReadonlySet<string> {
  const before = earlier.findLast(({ role }) => role === 'assistant')?.text ?? ''
  return new Set(
    candidates.filter(({ found, text }) => found !== undefined && before.includes(text)).map(({ source }) => source),
  )
}

/** The candidates with what they are worth: those of files by how well their passage was found. */
function judge(
  candidates: readonly Candidate[],
  evidence: readonly Evidence[],
  asked: Asked,
  goesOn: ReadonlySet<string>,
) {
  const wanted = identifiers(asked.question)
  const required = expectedBy(asked.question)?.required === true
  const ownOf = new Map<string, number>()
  const files = new Set(candidates.flatMap(({ found, source }) => (found === undefined ? [] : [source])))
  const isAlone = files.size === 1 && asked.context === ''
  const found = candidates.map((candidate, index) => {
    const each = evidence[index] ?? noEvidence
    const continued = goesOn.has(candidate.source) && each.fits === true
    const followed = continued || (asked.context !== '' && each.content > 0)
    const matches =
      candidate.found === undefined ||
      wanted.length > 0 ||
      (each.words >= matchingWords && each.content > 0) ||
      followed
    const own = ownScore(each) + (asked.context === '' ? 0 : Math.min(0.3, each.order * 0.1))
    ownOf.set(candidate.source, Math.max(own, ownOf.get(candidate.source) ?? 0))
    return { ...candidate, ...each, own, matches }
  })
  return found.map((candidate): Judged => {
    const { own, words, weight, source, read } = candidate
    const has = wanted.length === 0 || wanted.some((term) => read.said.has(term) || read.under.has(term))
    if (!has || (required && candidate.fits === false)) return { ...candidate, score: 0 }
    const continued = goesOn.has(source) && candidate.fits === true
    // Where a passage is all that there is, its place says nothing of its sentences.
    if (candidate.found === undefined || isAlone) return { ...candidate, score: own * weight }
    const named = wanted.length > 0 ? bounds.sure : 0
    const relative = own / (ownOf.get(source) || 1)
    const byPassage = candidate.found * (1 - sentenceShare + sentenceShare * relative)
    const together = (1 - wordsShare) * byPassage + wordsShare * words
    return { ...candidate, score: Math.max(named, together) + (continued ? continuedBonus : 0) }
  })
}

const yesOrNo = /^(?:yes|no|ja|nein|doch|sí|oui|non|si)(?!\p{L})/iu

/**
 * The sentence that says yes or no to the question that the best one stands under, or the one after the best one, or before
 * it, of the same source, when it says as much about the question.
 */
function companion(best: Judged, judged: readonly Judged[]): Judged | undefined {
  const beginning = judged.find(({ source, context }) => source === best.source && context === best.context)
  if (beginning && best.context.endsWith('?') && yesOrNo.test(beginning.text) && !yesOrNo.test(best.text))
    return beginning
  const at = judged.indexOf(best)
  const near = [judged[at + 1], judged[at - 1]].filter((other) => other?.source === best.source)
  return near.find((other) => other !== undefined && other.own >= best.own * 0.6 && other.words > 0)
}

/** Sentences as they are quoted; the source of two that belong together is named once. */
function quoted(chosen: readonly Judged[]): string {
  const [first] = chosen
  if (!first) return ''
  return first.quote(chosen.map(({ text }) => text).join(' '))
}

/** The language of a question; of one that is too short to tell, that of the files that it is asked about. */
function languageOf(question: string, candidates: readonly Candidate[]): Language | undefined {
  const files = candidates.filter(({ found }) => found !== undefined)
  return detectLanguage(question) ?? detectLanguage(files.map(({ text }) => text).join(' '))
}

/**
 * The local model's answer: one or two whole sentences of what it can draw on, with the file or tool they come from, or
 * plainly that it does not know. It makes nothing up.
 */
export async function extractResponse(
  sources: Sources,
  conversation: Conversation,
  ranker: Ranker,
  signal?: AbortSignal,
): Promise<string> {
  const { question, toolResults } = conversation
  const phone = sources.onPhone === true
  const talk =
    toolResults.length === 0
      ? ((phone ? messageTaking(conversation) : undefined) ?? smallTalk(sources, conversation))
      : undefined
  if (talk !== undefined) return talk
  const candidates = candidatesOf(sources, conversation)
  const language = languageOf(question, candidates)
  const context = contextOf(conversation)
  const evidence = await ranker.judge({ question, context }, candidates, {
    workspaceId: sources.workspaceId,
    signal,
  })
  const goesOn = context === '' ? new Set<string>() : quotedBefore(candidates, conversation)
  const judged = judge(candidates, evidence, { question, context }, goesOn)
  const about = context !== '' && namesNothing(question) ? goesOn : undefined
  const { best, certain } = bestOf(judged, { followsUp: context !== '', about })
  if (best && certain !== 'none') {
    const second = companion(best, judged)
    const chosen = second === undefined ? [best] : judged.filter((one) => one === best || one === second)
    return [...(certain === 'sure' ? [] : [phrasesIn(language).closest]), quoted(chosen)].join(' ')
  }
  const [answered] = toolResults.filter(({ failed }) => !failed)
  const said = answered && phone ? spokenResult(answered.text).slice(0, maxSpokenLength) : undefined
  if (said) return said
  if (answered && !phone) return `${answered.tool} answered: ${answered.text.slice(0, 1000)}`
  return phone ? phrasesIn(language).offer : phrasesIn(language).unknown
}
