import type { SharedEmbedder } from '../../knowledge/embedder.ts'
import type { MeaningRanking } from './by-meaning.ts'
import type { WordRanking } from './by-words.ts'

/** What words count at least and at most, the rest going to meaning. */
const minWords = 0.03
const maxWords = 0.95

/** What they count at least in a language that the embedder does not read, where any of them are found. */
const foreignWords = 0.6

/** How steeply nearness falls: a passage that is a little less near than the best one says much less. */
const steepness = 4

/** Where an embedder does not say which cosines mean something, the best ones of a search tell. */
const spread = 0.3

/**
 * Merges both rankings by their scores. The words weigh the more, the more of the question's rare words the best
 * passage has: an identifier or the text's own words decide alone, a question in other words is left to its meaning.
 * A passage with fewer of them than the best one counts less by as much, however often it says the one it has.
 */
export function fuse(
  words: WordRanking,
  meaning: MeaningRanking | undefined,
  related: SharedEmbedder['related'],
  foreign = false,
): { id: number; score: number }[] {
  // One that has only words of what was said before the question has its score from those.
  const share = (covered: number) => (covered > 0 ? Math.min(1, covered / words.coverage) : 1)
  const byWords = new Map(words.hits.map(({ id, score, covered }) => [id, score * share(covered)]))
  if (!meaning) return words.hits.map(({ id, score }) => ({ id, score: score * words.coverage }))
  const top = meaning.hits[0]?.cosine ?? 0
  const most = related ? Math.max(top, related.least + 0.01) : top
  const least = related?.least ?? top - spread
  const cosines = meaning.of(new Set(byWords.keys()))
  for (const { id, cosine } of meaning.hits) cosines.set(id, cosine)
  const byCoverage = minWords + (maxWords - minWords) * words.coverage ** 2
  const weight = foreign && words.coverage > 0 ? Math.max(foreignWords, byCoverage) : byCoverage
  const strength = related
    ? Math.min(1, Math.max(0, (meaning.nearest - related.least) / (related.most - related.least)))
    : 1
  const sure = Math.max(words.coverage, strength)
  return [...new Set([...byWords.keys(), ...cosines.keys()])]
    .map((id) => {
      const near = Math.min(1, Math.max(0, ((cosines.get(id) ?? least) - least) / (most - least || 1)))
      return { id, score: sure * (weight * (byWords.get(id) ?? 0) + (1 - weight) * near ** steepness) }
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
}
