/** Numbers that a seed decides, so that a run can be repeated as far as its timing allows. */
export interface Random {
  /** From 0 to 1, 1 excluded. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  /** One of them, or undefined when there is none. */
  pick<T>(items: readonly T[]): T | undefined
  /** A key, by its weight; all weights of 0 give undefined. */
  weighted<Name extends string>(weights: Partial<Record<Name, number>>): Name | undefined
  /** Another sequence that this one's seed decides. */
  fork(): Random
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return undefined
    },
    fork: () => createRandom(Math.floor(next() * 4_294_967_296)),
  }
}
