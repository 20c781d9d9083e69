import { createRandom } from '../torture/random.ts'
import { profileOf } from './directed-profiles.ts'
import type { OperationKind } from './profiles.ts'

/** Something that is done at a time; what is chosen meanwhile is chosen by its own seed. */
export interface Operation {
  at: number
  kind: OperationKind
  seed: number
}

/** The operations that a seed stands for, one after the other, some close together; `profile` names a directed one. */
export function planOf(seed: number, count: number, profile?: string): Operation[] {
  const random = createRandom(seed)
  const { operations, meanMs } = profileOf(seed, profile)
  let at = 1_000
  return Array.from({ length: count }, () => {
    at += Math.round(-Math.log(1 - random.next()) * meanMs * (random.chance(0.2) ? 4 : 0.5))
    return { at, kind: random.weighted(operations) ?? 'update assistant', seed: random.between(0, 2 ** 31) }
  })
}
