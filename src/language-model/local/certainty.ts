import type { Candidate } from './candidates.ts'
import type { Evidence } from './ranker.ts'

/** `matches`: its words alone say that it is about the question. */
export type Judged = Candidate & Evidence & { own: number; score: number; matches: boolean }

export type Certainty = 'sure' | 'likely' | 'none'

interface Manner {
  /** It may be about what was said before it. */
  followsUp: boolean
  /** It names nothing itself: only what was quoted before, these sources, tells what it is about. */
  about?: ReadonlySet<string>
}

/** From `sure` on a sentence is said as the answer, from `likely` on with a doubt; where it stands out, from less on. */
export const bounds = { sure: 0.5, likely: 0.3, outstanding: 0.2 }
const margin = 0.1

/** Without its words its passage has to stand out: how well another source may do beside it. */
const besideIt = 0.5

/**
 * What tells that a sentence of a file answers, fitted to questions that files answer and questions that they do not
 * (record 43): how well it was found, how far it leads, its share of the question's words, whether it lacks what the
 * question wants to hear, whether it has any word of what it is about, and how much nearer its passage is than all others.
 */
const fitted = { base: -2.7, score: 1.34, lead: 4.56, words: 4.24, lacks: -0.85, content: -1.86, nearness: 3.53 }
/**
 * The same of a sentence whose passage is all that the files have, so that nothing tells but the sentences themselves: how near
 * one is, and how much nearer than all others (record 55).
 */
const fittedAlone = { base: -3.07, meaning: 4.2, lead: 2.7, words: 4.2, lacks: -0.55, content: -1.5 }
/** From which of these shares of right ones on a sentence is said as the answer, and with a doubt. */
const shares = { sure: 0.55, likely: 0.2 }
const sharesAlone = { sure: 0.7, likely: 0.55 }

const greatest = (values: readonly number[]) => Math.max(0, ...values)
const nearest = (list: readonly Judged[]) => greatest(list.map(({ meaning }) => meaning ?? 0))
const logistic = (sum: number) => 1 / (1 + Math.exp(-sum))

/** What its words say of a sentence. */
const byWords = (weights: typeof fitted | typeof fittedAlone, { words, fits, content }: Judged) =>
  weights.words * words ** 2 + (fits === false ? weights.lacks : 0) + (content > 0 ? weights.content : 0)

/** How likely a sentence of a file answers (0..1). */
function likelihood(best: Judged, judged: readonly Judged[]): number {
  const within = judged.filter(({ source }) => source === best.source)
  const others = judged.filter(({ source }) => source !== best.source)
  return logistic(
    fitted.base +
      fitted.score * best.score +
      fitted.lead * (best.score - greatest(others.map(({ score }) => score))) +
      fitted.nearness * (nearest(within) - nearest(others)) +
      byWords(fitted, best),
  )
}

/** How likely a sentence answers whose passage has no others beside it (0..1). */
function likelihoodAlone(best: Judged, judged: readonly Judged[]): number {
  const near = best.meaning ?? 0
  const lead = near - nearest(judged.filter((other) => other !== best))
  return logistic(fittedAlone.base + fittedAlone.meaning * near + fittedAlone.lead * lead + byWords(fittedAlone, best))
}

/** Whether a sentence answers, answers with a doubt, or not at all: that its passage is the nearest one says little, since one always is. */
function certainty(best: Judged | undefined, judged: readonly Judged[], { followsUp, about }: Manner): Certainty {
  if (!best) return 'none'
  const others = judged.filter(({ source }) => source !== best.source)
  const next = greatest(others.map(({ score }) => score))
  const isAlone = others.every(({ found }) => found === undefined)
  const standsOut = isAlone ? best.score >= bounds.sure : next <= best.score * besideIt
  // What has the price that is asked for may be the price of something else.
  const isOfIt = best.fits === undefined || best.content > 0
  const isShown = best.found === undefined || (isOfIt && about?.has(best.source) !== false)
  if (best.found !== undefined && !followsUp && !(isAlone && best.meaning === undefined)) {
    const share = best.score === 0 ? 0 : (isAlone ? likelihoodAlone : likelihood)(best, judged)
    const { sure, likely } = isAlone ? sharesAlone : shares
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

/** Which share of the question's rare words is worth a doubt, however the passages compare. */
const halfOfIt = 0.5

/** Whether a sentence of a file has half of what the question names, in a passage that was found for it. */
const isNamed = ({ found, words, content, score }: Judged) =>
  found !== undefined && words >= halfOfIt && content > 0 && score >= bounds.likely

/**
 * The sentence that is worth most or, where that one does not answer, the first that has the question's words and does. Where none
 * answers, one that has half of them is said with a doubt.
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
  const named = inOrder.slice(0, maxTried).find(isNamed)
  return named ? { best: named, certain: 'likely' } : { best: first, certain }
}
