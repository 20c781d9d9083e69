/** Choices that are the same at every run with the same seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** Nothing when there is nothing to choose from. */
  pickAny<Item>(items: readonly Item[]): Item | undefined
}

/** The generator mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const pickAny = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(next() * items.length)]
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => pickAny(items) ?? items[0],
    pickAny,
  }
}

/** The seed of one request: neither its neighbours' nor that of the same request of another run. */
export const seedOf = (seed: number, request: number): number =>
  Math.imul(seed ^ 0x9e3779b9, 2_654_435_761) ^ Math.imul(request + 1, 2_246_822_519)
