import { askedWords } from '../../knowledge/words.ts'
import type { Sources } from '../prompt.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { bounds, type Judged } from './certainty.ts'
import type { Conversation } from './conversation.ts'
import { expectedBy } from './expected.ts'
import { type Asked, type Evidence, noEvidence, type Ranker } from './ranker.ts'

/** A question of no more content words may be about what was said before it. */
const shortQuestion = 2

/** The message before the question, where the question alone may not say what it is about. */
function contextOf({ question, earlier }: Conversation): string {
  const before = earlier.findLast(({ role }) => role === 'user')?.text ?? ''
  return askedWords(question).length <= shortQuestion ? before.slice(-500) : ''
}

/** What meaning adds to words. */
const meaningShare = 0.7

const ownScore = ({ words, meaning }: Evidence) => words + meaningShare * (meaning ?? 0)

/**
 * What tells which sentence of the files answers: how well its passage was found, how near it is, and its share of the
 * question's words. Fitted to questions with what answers them (record 58); the three make 1.
 */
const choice = { found: 0.21, meaning: 0.43, words: 0.36 }

/** What a sentence of a file is worth beside others (0..1): without its nearness where nobody looked at that of any. */
function worthOf({ words, meaning }: Evidence, found: number, isNearnessKnown: boolean): number {
  const known = isNearnessKnown ? 1 : 1 - choice.meaning
  return (choice.found * found + choice.meaning * (meaning ?? 0) + choice.words * words) / known
}

/** What a follow-up adds to the passage that was quoted before it. */
const continuedBonus = 0.5

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
  const isNearnessKnown = evidence.some(({ meaning }) => meaning !== undefined)
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
    const before = asked.context === '' ? 0 : Math.min(0.3, each.order * 0.1)
    const own = ownScore(each) + before
    const isNamed = wanted.some((term) => each.read.said.has(term) || each.read.under.has(term))
    return { ...candidate, ...each, own, before, matches, isNamed }
  })
  return found.map(({ before, ...candidate }): Judged => {
    const { own, weight, source, isNamed } = candidate
    const isOther = wanted.length > 0 && !isNamed
    if (isOther || (required && candidate.fits === false)) return { ...candidate, score: 0 }
    const continued = goesOn.has(source) && candidate.fits === true
    // Where a passage is all that there is, its place says nothing of its sentences.
    if (candidate.found === undefined || isAlone) return { ...candidate, score: own * weight }
    const named = wanted.length > 0 ? bounds.sure : 0
    const together = worthOf(candidate, candidate.found, isNearnessKnown) + before / 2
    return { ...candidate, score: Math.max(named, together) + (continued ? continuedBonus : 0) }
  })
}

/** What may answer with what it is worth, and what the question is asked in. */
interface JudgedCandidates {
  judged: Judged[]
  /** The message before the question, where the question alone may not say what it is about; else empty. */
  context: string
  /** The passages that a question which goes on may be about. */
  goesOn: ReadonlySet<string>
}

/** All sentences that an answer can be made of, judged. */
export async function judgedFor(
  sources: Sources,
  conversation: Conversation,
  ranker: Ranker,
  signal?: AbortSignal,
): Promise<JudgedCandidates> {
  const { question } = conversation
  const candidates = candidatesOf(sources, conversation)
  const context = contextOf(conversation)
  const asked = { question, context }
  const evidence = await ranker.judge(asked, candidates, { workspaceId: sources.workspaceId, signal })
  const goesOn = context === '' ? new Set<string>() : quotedBefore(candidates, conversation)
  return { judged: judge(candidates, evidence, asked, goesOn), context, goesOn }
}
