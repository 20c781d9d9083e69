import type { Report } from './episode.ts'
import type { Operation } from './operations.ts'

/**
 * Leaves out operations, in halves and then in ever smaller parts, as long as the same invariant breaks; `maxRuns` runs
 * at most. Returns the fewest that were found, with their report.
 */
export async function shrink(
  failing: { operations: readonly Operation[]; report: Report },
  run: (operations: readonly Operation[]) => Promise<Report>,
  maxRuns = 60,
): Promise<{ operations: readonly Operation[]; report: Report }> {
  const rule = failing.report.violations[0]?.rule
  let best = failing
  let runs = 0
  for (let parts = 2; runs < maxRuns; ) {
    const size = Math.ceil(best.operations.length / parts)
    let smaller: typeof best | undefined
    for (let from = 0; from < best.operations.length && !smaller && runs < maxRuns; from += size) {
      const operations = best.operations.filter((_, index) => index < from || index >= from + size)
      if (operations.length === 0) continue
      runs += 1
      const report = await run(operations)
      if (report.violations.some((one) => one.rule === rule)) smaller = { operations, report }
    }
    if (smaller) {
      best = smaller
      parts = Math.max(2, parts - 1)
    } else if (size <= 1) return best
    else parts = Math.min(best.operations.length, parts * 2)
  }
  return best
}
