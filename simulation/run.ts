import type { Engine } from './database/engine.ts'
import { profileOf } from './directed-profiles.ts'
import { type Report, runEpisode } from './episode.ts'
import { type Operation, planOf } from './operations.ts'
import { episodeSize, type Options } from './options.ts'
import { shrink } from './shrink.ts'

export interface Failure {
  seed: number
  /** What of its operations is enough to break it. */
  operations: readonly Operation[]
  report: Report
}

/** A run in a form that another program reads. */
export interface Found {
  operations: number
  /** The invariant that broke first, and the seed of it; undefined when all held. */
  rule?: string
  what?: string
  seed?: number
}

export interface Summary {
  operations: number
  episodes: number
  steps: number
  statements: number
  failure: Failure | undefined
}

/**
 * Runs one seed after the other until all operations are done, or an invariant breaks. `told` hears of each seed that
 * held.
 */
export async function simulate(
  engine: Engine,
  {
    seed: first,
    ops,
    instances,
    profile,
    shrink: smaller,
  }: Pick<Options, 'seed' | 'ops' | 'instances' | 'shrink'> & Partial<Pick<Options, 'profile'>>,
  told: (report: Report) => void = () => {},
): Promise<Summary> {
  const summary: Summary = { operations: 0, episodes: 0, steps: 0, statements: 0, failure: undefined }
  for (let seed = first; summary.operations < ops; seed += 1) {
    if (profile !== undefined && profileOf(seed, profile).name !== profile) continue
    const operations = planOf(seed, Math.min(episodeSize, ops - summary.operations), profile)
    const run = (some: readonly Operation[]) => runEpisode(engine, { seed, operations: some, instances, profile })
    const report = await run(operations)
    summary.operations += operations.length
    summary.episodes += 1
    summary.steps += report.steps
    summary.statements += report.statements
    if (report.violations.length > 0) {
      const failing = { operations, report }
      summary.failure = { seed, ...(smaller ? await shrink(failing, run) : failing) }
      return summary
    }
    told(report)
  }
  return summary
}
