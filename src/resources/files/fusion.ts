import type { SharedEmbedder } from '../../knowledge/embedder.ts'
import type { MeaningRanking } from './by-meaning.ts'
import type { WordRanking } from './by-words.ts'

/** What words count at most, the rest going to meaning. */
const maxWords = 0.95

/** How steeply nearness falls: a passage that is a little less near than the best one says much less. */
const steepness = 4

/** Where an embedder does not say which cosines mean something, the best ones of a search tell. */
const spread = 0.3

/** Each place scores what the surest passage at it or after it does. */
function descending<Item extends { score: number }>(inOrder: readonly Item[]): Item[] {
  let surest = 0
  const fromLast = inOrder.toReversed().map((item) => {
    surest = Math.max(surest, item.score)
    return { ...item, score: surest }
  })
  return fromLast.toReversed()
}

/**
 * Merges both rankings by their scores. The words weigh the more, the more of the question's rare words the best
 * passage has: an identifier or the text's own words decide alone, a question in other words is left to its meaning.
 * A passage with fewer of them than the best one counts less by as much, however often it says the one it has.
 */
export function fuse(
  words: WordRanking,
  meaning: MeaningRanking | undefined,
  related: SharedEmbedder['related'],
): { id: number; score: number }[] {
  // One that has only words of what was said before the question has its score from those.
  const share = (covered: number) => (covered > 0 ? Math.min(1, covered / words.coverage) : 1)
  const byWords = new Map(words.hits.map(({ id, score, covered }) => [id, score * share(covered)]))
  if (!meaning) return words.hits.map(({ id, score }) => ({ id, score: score * words.coverage }))
  const measured = meaning.of(new Set(byWords.keys()))
  const weight = maxWords * words.coverage ** 2
  const strength = related
    ? Math.min(1, Math.max(0, (meaning.nearest - related.least) / (related.most - related.least)))
    : 1
  const sure = Math.max(words.coverage, strength)
  const fusedBy = (kind: 'order' | 'cosine') => {
    const corrected = meaning.hits.map((hit) => hit[kind])
    const top = Math.max(0, ...corrected)
    // What is less near than all of them was not corrected, and is not nearer for that.
    const last = Math.min(...corrected)
    const cosines = new Map([...measured].map(([id, cosine]) => [id, Math.min(cosine, last)]))
    for (const hit of meaning.hits) cosines.set(hit.id, hit[kind])
    const most = related ? Math.max(top, related.least + 0.01) : top
    const least = related?.least ?? top - spread
    return (id: number) => {
      const near = Math.min(1, Math.max(0, ((cosines.get(id) ?? least) - least) / (most - least || 1)))
      return sure * (weight * (byWords.get(id) ?? 0) + (1 - weight) * near ** steepness)
    }
  }
  const [orderOf, scoreOf] = [fusedBy('order'), fusedBy('cosine')]
  const inOrder = [...new Set([...byWords.keys(), ...meaning.hits.map(({ id }) => id)])]
    .map((id) => ({ id, order: orderOf(id), score: scoreOf(id) }))
    .sort((a, b) => b.order - a.order || a.id - b.id)
  return descending(inOrder).map(({ id, score }) => ({ id, score }))
}
