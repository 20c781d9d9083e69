/** A passage that was found for a question. */
export interface ScoredPassage {
  /** Its cosine with the question. */
  cosine: number
  /** Its cosines with all passages of the same list, itself included, in their order. */
  others: Float32Array
}

/** Nearest neighbours that a passage is compared with. */
const neighbourCount = 10
/** Mean cosine with them: from `min` on they have something in common, from `max` on nearly everything. */
const similarity = { min: 0.4, max: 0.8 }
/**
 * What counts of the nearness that all of them share, and of what one is nearer by, where they say nearly the same. The
 * order may overlook what they share, but that many passages are as near makes a search less sure (record 48).
 */
const forOrder = { shared: 0.3, own: 1.5 }
const forScore = { shared: 0.8, own: 1.2 }

/** What a passage has its place by, and what its score is reckoned from. */
export interface Corrected {
  order: number
  cosine: number
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/**
 * Corrects cosines with a question for hubness (record 0032); one for each passage, in their order. Passages that say
 * nearly the same, such as rows of a table, are all near to the same questions by what they share, and would take all
 * places before the one that answers. What the neighbours of a passage are near by counts less for it, and what it
 * alone is near by counts more. A passage that resembles no other keeps its cosine, and so do all of a list of ten or
 * fewer.
 */
export function correctedForHubness(passages: readonly ScoredPassage[]): Corrected[] {
  return passages.map(({ cosine, others }, self) => {
    const nearest = Array.from(others, (likeness, at) => ({ likeness, cosine: passages[at]?.cosine ?? 0 }))
      .toSpliced(self, 1)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, neighbourCount)
    if (nearest.length < neighbourCount) return { order: cosine, cosine }
    const likeness = mean(nearest.map((one) => one.likeness))
    const strength = Math.min(1, Math.max(0, (likeness - similarity.min) / (similarity.max - similarity.min)))
    const common = mean(nearest.map((one) => one.cosine))
    const by = ({ shared, own }: typeof forOrder) =>
      cosine + strength * ((own - 1) * (cosine - common) - (1 - shared) * common)
    return { order: by(forOrder), cosine: by(forScore) }
  })
}
