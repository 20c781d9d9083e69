/** How high the right passages stood in the answers. */
export interface Quality {
  /** Shares of the questions whose passage came first, or among the first five. */
  hit1: number
  hit5: number
  /** Mean of one divided by the place of the right passage, 0 where it is missing. */
  mrr: number
}

/** What the places say, each counted from 1, or undefined where the right passage is missing. */
export function qualityOf(places: readonly (number | undefined)[]): Quality {
  const share = (most: number) => places.filter((place) => place !== undefined && place <= most).length / places.length
  const reciprocals = places.map((place) => (place === undefined ? 0 : 1 / place))
  return { hit1: share(1), hit5: share(5), mrr: reciprocals.reduce((a, b) => a + b, 0) / places.length }
}
