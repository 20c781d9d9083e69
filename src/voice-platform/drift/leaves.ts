import { isNothing, type Leaf, valueAt } from '../mirror/agreement/leaves.ts'
import type { DriftLeaf } from './findings.ts'

/** Bytes that the leaves of a finding may have as they are kept: sealed, a page holds two. */
const maxBytes = 2_500_000

const field = (name: string, value: unknown) => (isNothing(value) ? {} : { [name]: value })

/**
 * The leaves of an outside change beside what our record says. Together they have a bound: what is beyond it is told by
 * the field that it is in, without values (contract: drift 23).
 */
export function driftLeaves(changes: readonly Leaf[], ours: object): DriftLeaf[] {
  let left = maxBytes
  const fields = new Set<string>()
  const leaves = changes.flatMap(({ path, from, to }) => {
    if (left > 0) {
      const sides = { ...field('base', from), ...field('ours', valueAt(ours, path)), ...field('theirs', to) }
      const leaf: DriftLeaf = { path: path.join('.'), ...sides }
      left -= Buffer.byteLength(JSON.stringify(leaf))
      if (left > 0) return [leaf]
    }
    fields.add(path[0] ?? '')
    return []
  })
  return [...leaves, ...[...fields].map((path) => ({ path }))]
}
