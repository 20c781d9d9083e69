import type { Candidate } from './candidates.ts'
import { clear, type Evidence } from './ranker.ts'

/** `matches`: its words alone say that it is about the question. `isNamed`: it has the code that is asked for. */
export type Judged = Candidate & Evidence & { own: number; score: number; matches: boolean; isNamed: boolean }

export type Certainty = 'sure' | 'likely' | 'none'

interface Manner {
  /** It may be about what was said before it. */
  followsUp: boolean
  /** It names nothing itself: only what was quoted before, these sources, tells what it is about. */
  about?: ReadonlySet<string>
}

/**
 * From `sure` on a sentence is said as the answer, from `likely` on with a doubt; where it stands out, from less on.
 */
export const bounds = { sure: 0.5, likely: 0.3, outstanding: 0.2 }
const margin = 0.1

/** Without its words its passage has to stand out: how well another source may do beside it. */
const besideIt = 0.5

/**
 * What tells that a sentence of a file answers, fitted to questions that files answer and questions that they do not
 * (records 43 and 57).
 */
const fittedBase = -3.7
const fitted: Record<keyof ReturnType<typeof evidenceOf>, number> = {
  found: -2.54,
  foundLead: 2.9,
  meaning: 4.51,
  lead: 0.9,
  elsewhere: -2.24,
  unread: 3.99,
  words: -7.31,
  wordsSquared: 6.49,
  content: 0.24,
  lacks: -2.08,
  length: 0.55,
}

/**
 * What tells it of a sentence whose passage is all that the files have: nothing but how near it is, how much nearer
 * than all others, and its words (record 55).
 */
const fittedAlone = { base: -3.07, meaning: 4.2, lead: 2.7, words: 4.2, lacks: -0.55, content: -1.5 }
/** From which of these shares of right ones on a sentence is said as the answer, and with a doubt. */
const shares = { sure: 0.5, likely: 0.2 }
const sharesAlone = { sure: 0.7, likely: 0.55 }
/**
 * From which one with a doubt where it has no word of the question: nearness alone brings in more that is beside the
 * point.
 */
const likelyWithoutWords = 0.25

const greatest = (values: readonly number[]) => Math.max(0, ...values)
const nearest = (list: readonly Judged[]) => greatest(list.map(({ meaning }) => meaning ?? 0))
const logistic = (sum: number) => 1 / (1 + Math.exp(-sum))

/** More of what a question is about tells nothing more. */
const maxContent = 10

/** What there is to tell by that a sentence of a file answers. */
export function evidenceOf(best: Judged, judged: readonly Judged[]) {
  const within = judged.filter((other) => other !== best && other.source === best.source)
  const others = judged.filter(({ source }) => source !== best.source)
  const found = best.found ?? 0
  const meaning = best.meaning ?? 0
  return {
    /** How well its passage was found, and how much better than all others. */
    found,
    foundLead: found - greatest(others.map((other) => other.found ?? 0)),
    /** How near it is, how much nearer than what stands beside it, and how near anything in another passage. */
    meaning,
    lead: meaning - nearest(within),
    elsewhere: nearest(others),
    /** Whether nobody looked how near it is: words were enough, or others had more of them. */
    unread: best.meaning === undefined ? 1 : 0,
    /** Its share of the question's words, and what it has of what the question is about. */
    words: best.words,
    wordsSquared: best.words ** 2,
    content: Math.min(best.content, maxContent),
    /** Whether it lacks what the question wants to hear. */
    lacks: best.fits === false ? 1 : 0,
    /** Of a longer one some part is always near. */
    length: Math.log(1 + best.text.split(/\s+/).length),
  }
}

/** From which share of the question's words on a sentence has all of them. */
const allWords = 0.95

/** How likely a sentence of a file answers (0..1). One that says all that is asked, and what is to be heard, does. */
function likelihood(best: Judged, judged: readonly Judged[]): number {
  if (best.words >= allWords && best.fits !== false) return 1
  const evidence: Record<string, number> = evidenceOf(best, judged)
  return logistic(
    Object.entries(fitted).reduce((sum, [name, weight]) => sum + weight * (evidence[name] ?? 0), fittedBase),
  )
}

/** How likely a sentence answers whose passage has no others beside it (0..1). */
function likelihoodAlone(best: Judged, judged: readonly Judged[]): number {
  const near = best.meaning ?? 0
  const lead = near - nearest(judged.filter((other) => other !== best))
  const { words, lacks, content } = fittedAlone
  const byWords = words * best.words ** 2 + (best.fits === false ? lacks : 0) + (best.content > 0 ? content : 0)
  return logistic(fittedAlone.base + fittedAlone.meaning * near + fittedAlone.lead * lead + byWords)
}

/** Which share of the question's rare words is worth a doubt, however the passages compare. */
const halfOfIt = 0.5

/**
 * Without a word of the question, a sentence whose passage another was found before is said as the answer or not at
 * all.
 */
function sharesOf({ content, found = 0 }: Judged, others: readonly Judged[]): typeof shares {
  if (content > 0) return shares
  const isBehind = others.some((other) => (other.found ?? 0) > found)
  return { ...shares, likely: isBehind ? shares.sure : likelyWithoutWords }
}

/** Whether it was looked at how near a sentence is, or its words were enough. */
const isWeighed = ({ meaning, words }: Judged) => meaning !== undefined || words >= clear

/**
 * Whether a sentence answers, answers with a doubt, or not at all: that its passage is the nearest one says little,
 * since one always is.
 */
function certainty(best: Judged | undefined, judged: readonly Judged[], { followsUp, about }: Manner): Certainty {
  if (!best) return 'none'
  const others = judged.filter(({ source }) => source !== best.source)
  const next = greatest(others.map(({ score }) => score))
  const isAlone = others.every(({ found }) => found === undefined)
  const standsOut = isAlone ? best.score >= bounds.sure : next <= best.score * besideIt
  // What has the price that is asked for may be the price of something else.
  const isOfIt = best.fits === undefined || best.content > 0
  // And what has the code that is asked for may say something else of it.
  const isAsked = isOfIt && (!best.isNamed || best.words >= halfOfIt)
  const isShown = best.found === undefined || (isAsked && about?.has(best.source) !== false)
  // Where nobody could look how near anything is, few words would make as sure as all of them.
  const canTell = isAlone ? best.meaning !== undefined : judged.some(isWeighed)
  if (best.found !== undefined && !followsUp && !best.isNamed && canTell) {
    const share = best.score === 0 ? 0 : (isAlone ? likelihoodAlone : likelihood)(best, judged)
    const { sure, likely } = isAlone ? sharesAlone : sharesOf(best, others)
    if (share >= sure) return isShown ? 'sure' : 'likely'
    return share >= likely ? 'likely' : 'none'
  }
  if (!best.matches && !standsOut) return 'none'
  if (best.score >= bounds.sure) return isShown ? 'sure' : 'likely'
  if (best.score >= bounds.likely || (best.score >= bounds.outstanding && best.score - next >= margin)) return 'likely'
  return 'none'
}

/** How much less than the first one a sentence may be worth that takes its place. */
const nearlyFirst = 0.6
/** Sentences that are tried in its place: each is held against all others. */
const maxTried = 20

/** Whether a sentence of a file has half of what the question names, in a passage that was found for it. */
const hasHalf = ({ found, words, content, score }: Judged) =>
  found !== undefined && words >= halfOfIt && content > 0 && score >= bounds.likely

/**
 * The sentence that is worth most or, where that one does not answer, the first that has the question's words and does.
 * Where none answers, one that has half of them is said with a doubt.
 */
export function bestOf(judged: readonly Judged[], manner: Manner): { best: Judged | undefined; certain: Certainty } {
  const inOrder = judged.toSorted((a, b) => b.score - a.score || b.own - a.own)
  const [first] = inOrder
  const certain = certainty(first, judged, manner)
  if (certain !== 'none') return { best: first, certain }
  const least = nearlyFirst * (first?.score ?? 0)
  const nearly = inOrder.filter(({ matches, score }) => matches && score > 0 && score >= least)
  for (const best of nearly.slice(0, maxTried)) {
    const other = certainty(best, judged, manner)
    if (other !== 'none') return { best, certain: other }
  }
  const named = inOrder.slice(0, maxTried).find(hasHalf)
  return named ? { best: named, certain: 'likely' } : { best: first, certain }
}
