/** A passage that is near to a question. */
export interface Near {
  cosine: number
  /** How near it is to each passage of the same list, itself included, in their order. */
  others: Float32Array
}

/** Passages that are looked at as a crowd: a page of forms, rows of a table, the same sentence about many things. */
const neighbours = 10
/** Cosines among neighbours: from the first on they have something in common, from the second on nearly everything. */
const alike = { least: 0.4, most: 0.8 }
/** How much what a crowd has in common with a question counts less, and what one of it has alone counts more. */
const share = 0.2

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/**
 * How near each passage is to a question, in its own right. Many passages that say nearly the same are near to the same
 * questions by what all of them have in common, and would take all places before the one that answers. What the
 * neighbours of a passage are near by counts less for it, and what it is nearer by than they are counts more. A passage
 * like no other keeps its cosine.
 */
export function inOwnRight(passages: readonly Near[]): number[] {
  return passages.map(({ cosine, others }, self) => {
    const nearest = Array.from(others, (likeness, at) => ({ likeness, cosine: passages[at]?.cosine ?? 0 }))
      .toSpliced(self, 1)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, neighbours)
    if (nearest.length < neighbours) return cosine
    const likeness = mean(nearest.map((one) => one.likeness))
    const crowded = Math.min(1, Math.max(0, (likeness - alike.least) / (alike.most - alike.least)))
    const common = mean(nearest.map((one) => one.cosine))
    return cosine - share * crowded * (common - (cosine - common))
  })
}
