import { askedWords } from '../../knowledge/words.ts'
import { expectedBy } from './expected.ts'
import { type ReadText, readWords } from './read-words.ts'

/** A question, and what was said before it. */
export interface Asked {
  question: string
  context: string
}

/** A text that may answer, with what it stands under. */
export interface Ranked {
  text: string
  context: string
}

/** Why a text may answer a question. */
export interface Evidence {
  /** The share of the question's words, rare ones counting more, that it or its context has (0..1). */
  words: number
  /** How near the meanings are: 0 is nothing in common, 1 is the same; undefined where that was not looked at. */
  meaning: number | undefined
  /** What texts are ordered by: the words of what was said before count a little as well. */
  order: number
  /** Whether it has what the question wants to hear, such as a price; undefined where the question does not tell. */
  fits: boolean | undefined
  /** What it has of the question's words and of those before it, without what the question wants to hear. */
  content: number
  /** What it was judged by. */
  read: ReadText
}

const unread: ReadText = { said: new Set(), under: new Set() }
/** Of a text that nobody judged. */
export const noEvidence: Evidence = {
  words: 0,
  meaning: undefined,
  order: 0,
  fits: undefined,
  content: 0,
  read: unread,
}

/**
 * From this share of the question's words on, words decide alone: meanings would only bring in what is like the answer.
 */
export const clear = 0.75

/** Judges how well texts answer a question. */
export interface Ranker {
  judge(asked: Asked, texts: readonly Ranked[], by: { workspaceId: number; signal?: AbortSignal }): Promise<Evidence[]>
}

const contextShare = 0.7
const earlierWeight = 0.3

/** By words alone, `read` being those of the texts. */
export function judgeByWords(
  { question, context }: Asked,
  texts: readonly Ranked[],
  read: readonly ReadText[],
): Evidence[] {
  const expected = expectedBy(question)
  const fits = texts.map(({ text }) => expected?.isIn(text))
  const named = askedWords(expected ? question.replaceAll(expected.asking, ' ') : question)
  const before = askedWords(context)
  const own = named.length === 0 ? before : named
  const wanted = [
    ...own.map((word) => ({ ...word, own: true })),
    ...(named.length === 0 ? [] : before).map((word) => ({ ...word, weight: word.weight * earlierWeight, own: false })),
  ]
  const shares = wanted.map(({ terms }) =>
    read.map(({ said, under }) => {
      let best = 0
      for (const [term, part] of terms) {
        const share = said.has(term) ? part : under.has(term) ? part * contextShare : 0
        if (share > best) best = share
      }
      return best
    }),
  )
  const weights = wanted.map(({ weight }, index) => {
    const frequency = shares[index]?.filter((share) => share > 0).length ?? 0
    return weight * Math.log(1 + (texts.length + 1) / (frequency + 1))
  })
  if (expected) {
    wanted.push({ terms: new Map(), weight: 0, own: true })
    shares.push(fits.map((has) => (has ? 1 : 0)))
    weights.push(Math.log(1 + (texts.length + 1) / (fits.filter(Boolean).length + 1)))
  }
  const ownTotal = weights.reduce((sum, weight, index) => sum + (wanted[index]?.own ? weight : 0), 0)
  return texts.map((_, at) => {
    let words = 0
    let order = 0
    let content = 0
    for (const [index, weight] of weights.entries()) {
      const share = weight * (shares[index]?.[at] ?? 0)
      order += share
      if ((wanted[index]?.terms.size ?? 0) > 0) content += share
      if (wanted[index]?.own) words += share
    }
    const share = ownTotal === 0 ? 0 : words / ownTotal
    return { words: share, meaning: undefined, order, fits: fits[at], content, read: read[at] ?? unread }
  })
}

export const lexicalRanker: Ranker = {
  judge: async (asked, texts) => judgeByWords(asked, texts, await readWords(texts)),
}
