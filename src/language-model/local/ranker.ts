import { termsOf } from './words.ts'

/** Judges how well texts answer a question, 0 to 1 each. An embedder can join the lexical one behind this. */
export interface Ranker {
  score(query: string, texts: readonly string[], by?: { workspaceId: number; signal?: AbortSignal }): Promise<number[]>
}

/** The share of the question's terms, rare ones counting more, that a text has. */
export const lexicalRanker: Ranker = {
  async score(query, texts) {
    const wanted = [...new Set(termsOf(query))]
    const found = texts.map((text) => new Set(termsOf(text)))
    const weights = wanted.map((term) => {
      const frequency = found.filter((terms) => terms.has(term)).length
      return [term, Math.log(1 + (texts.length + 1) / (frequency + 1))] as const
    })
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
    if (total === 0) return texts.map(() => 0)
    return found.map(
      (terms) => weights.reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0) / total,
    )
  },
}

/** Something that was scored. */
interface Scored {
  text: string
  score: number
}

const similarity = (a: ReadonlySet<string>, b: ReadonlySet<string>) => {
  const shared = [...a].filter((term) => b.has(term)).length
  return shared / Math.max(1, a.size + b.size - shared)
}

const diversity = 0.4

/** The best `count` of what was scored, those that repeat a better one left behind (maximal marginal relevance). */
export function pickDiverse<T extends Scored>(candidates: readonly T[], count: number): T[] {
  const left = candidates.map((candidate) => ({ candidate, terms: new Set(termsOf(candidate.text)) }))
  const picked: typeof left = []
  while (picked.length < count && left.length > 0) {
    const values = left.map(({ candidate, terms }) => {
      const nearest = Math.max(0, ...picked.map((other) => similarity(terms, other.terms)))
      return nearest > 0.9 ? Number.NEGATIVE_INFINITY : (1 - diversity) * candidate.score - diversity * nearest
    })
    const best = values.indexOf(Math.max(...values))
    const [chosen] = left.splice(best, 1)
    if (!chosen || values[best] === Number.NEGATIVE_INFINITY) break
    picked.push(chosen)
  }
  return picked.map(({ candidate }) => candidate)
}
