import { isNothing, type Leaf, valueAt } from '../mirror/agreement/leaves.ts'
import type { DriftLeaf } from './findings.ts'

const field = (name: string, value: unknown) => (isNothing(value) ? {} : { [name]: value })

/** The leaves of an outside change beside what our record says. */
export const driftLeaves = (changes: readonly Leaf[], ours: object): DriftLeaf[] =>
  changes.map(({ path, from, to }) => ({
    path: path.join('.'),
    ...field('base', from),
    ...field('ours', valueAt(ours, path)),
    ...field('theirs', to),
  }))
