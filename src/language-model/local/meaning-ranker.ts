import type { Logger } from 'pino'
import { cosine, type SharedEmbedder } from '../../knowledge/embedder.ts'
import { lexicalRanker, type Ranker } from './ranker.ts'

/** From then on the words decide alone: meanings would only bring in what is like the answer. */
const clear = 0.5
/** What the words of a text add to its meaning; alone they count in full. */
const wordShare = 0.5
/** Texts that are looked at; a turn waits for them. */
const mostTexts = 14

/**
 * Judges by words, and where those say little, by meaning as well: a question in other words than its answer. Where the
 * embedder cannot say which texts belong together, or is out of reach, it is the words alone.
 */
export function meaningRanker(embedder: SharedEmbedder, log: Logger): Ranker {
  const { related } = embedder
  if (!related) return lexicalRanker
  const { least, most } = related
  return {
    async score(query, texts, by) {
      const byWords = await lexicalRanker.score(query, texts)
      if (texts.length === 0 || !by || Math.max(...byWords) >= clear) return byWords
      try {
        const looked = texts.map((_, index) => index).sort((a, b) => (byWords[b] ?? 0) - (byWords[a] ?? 0))
        const chosen = looked.slice(0, mostTexts)
        const [question, ...vectors] = await embedder.embed([query, ...chosen.map((at) => texts[at] ?? '')], {
          ...{ ...by, kind: 'question' as const },
        })
        const vectorOf = new Map(chosen.map((at, place) => [at, vectors[place]]))
        return byWords.map((score, index) => {
          const vector = vectorOf.get(index)
          if (!question || !vector) return score
          const nearness = (cosine(question, vector) - least) / (most - least)
          return Math.max(score, Math.min(1, Math.max(0, nearness) + wordShare * score))
        })
      } catch (error) {
        by.signal?.throwIfAborted()
        log.warn({ err: error }, 'answering by meaning failed')
        return byWords
      }
    },
  }
}
