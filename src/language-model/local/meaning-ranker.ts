import type { Logger } from 'pino'
import { cosine, type SharedEmbedder } from '../../knowledge/embedder.ts'
import { clear, judgeByWords, lexicalRanker, type Ranker } from './ranker.ts'
import { readWords } from './read-words.ts'

/** Texts that are looked at; a turn waits for them. */
const maxTexts = 12

/**
 * Judges by words, and where those leave doubt, by meaning as well: a question in other words than its answer. Where
 * the embedder cannot say which texts belong together, or is out of reach, it is the words alone.
 */
export function meaningRanker(embedder: SharedEmbedder, log: Logger): Ranker {
  const { related } = embedder
  if (!related) return lexicalRanker
  const { least, most } = related
  return {
    async judge(asked, texts, by) {
      const evidence = judgeByWords(asked, texts, await readWords(texts))
      if (texts.length === 0 || evidence.some(({ words }) => words >= clear)) return evidence
      try {
        const looked = texts.map((_, index) => index)
        looked.sort((a, b) => (evidence[b]?.order ?? 0) - (evidence[a]?.order ?? 0))
        const chosen = looked.slice(0, maxTexts)
        const read = chosen.map((at) => `${texts[at]?.context ?? ''} ${texts[at]?.text ?? ''}`.trim())
        const order = { ...by, kind: 'question', isOfTurn: true } as const
        const [question, ...vectors] = await embedder.embed([asked.question, ...read], order)
        const vectorOf = new Map(chosen.map((at, place) => [at, vectors[place]]))
        return evidence.map((found, index) => {
          const vector = vectorOf.get(index)
          if (!question || !vector) return found
          const meaning = Math.min(1, Math.max(0, (cosine(question, vector) - least) / (most - least)))
          return { ...found, meaning }
        })
      } catch (error) {
        by.signal?.throwIfAborted()
        log.warn({ event: 'meaning_failed', err: error }, 'answering by meaning failed')
        return evidence
      }
    },
  }
}
