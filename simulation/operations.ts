import { createRandom } from '../torture/random.ts'

/** How often each operation comes up. */
const kinds = {
  'create assistant': 10,
  'update assistant': 34,
  'delete assistant': 4,
  'reconcile assistant': 4,
  'buy number': 6,
  'route number': 6,
  'release number': 3,
  'edit outside': 16,
  'delete outside': 3,
  'create outside': 2,
  kill: 9,
  pause: 8,
  sweep: 4,
} as const
export type OperationKind = keyof typeof kinds

/** Something that is done at a time; what is chosen meanwhile is chosen by its own seed. */
export interface Operation {
  at: number
  kind: OperationKind
  seed: number
}

const meanMs = 300

/** The operations that a seed stands for, one after the other, some close together. */
export function planOf(seed: number, count: number): Operation[] {
  const random = createRandom(seed)
  let at = 1_000
  return Array.from({ length: count }, () => {
    at += Math.round(-Math.log(1 - random.next()) * meanMs * (random.chance(0.2) ? 4 : 0.5))
    return { at, kind: random.weighted(kinds) ?? 'update assistant', seed: random.between(0, 2 ** 31) }
  })
}
