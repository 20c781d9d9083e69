/** Reciprocal rank fusion: how little a place far down a list counts. */
const k = 60

/** Merges ranked lists of ids, best first: what stands high in any of them comes first. Scores are 0..1. */
export function fuse(lists: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>()
  for (const list of lists) {
    list.forEach((id, rank) => {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (k + rank + 1))
    })
  }
  const best = lists.length / (k + 1)
  return [...scores]
    .map(([id, score]) => ({ id, score: score / best }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
}
