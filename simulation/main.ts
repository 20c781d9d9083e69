import { openDatabase } from '../src/db/client.ts'
import { migrate } from '../src/db/migrate.ts'
import { createEngine } from './database/engine.ts'
import { runEpisode } from './episode.ts'
import { rules } from './judge/violation.ts'
import { planOf } from './operations.ts'
import { episodeSize, type Options, readOptions, usage } from './options.ts'
import { type Failure, simulate } from './run.ts'

/** `bun run simulate`: exits with 1 when an invariant breaks. */

function optionsOrEnd(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error(usage)
    process.exit(2)
  }
}

function tell({ seed, operations, report }: Failure): void {
  console.error(`\nseed ${seed} breaks, with ${operations.length} operations:`)
  for (const { at, kind } of operations) console.error(`  ${String(at).padStart(8)} ms  ${kind}`)
  for (const { rule, what } of report.violations) console.error(`  ${rule} (${rules[rule]}):\n    ${what}`)
  console.error('the end of what happened:')
  for (const line of report.trace.slice(-30)) console.error(`  ${line.slice(0, 160)}`)
}

const options = optionsOrEnd()
const handle = await openDatabase({})
await migrate(handle)
const engine = await createEngine(handle)
const startedAt = performance.now()
if (options.trace) {
  const operations = planOf(options.seed, Math.min(options.ops, episodeSize))
  const report = await runEpisode(engine, { ...options, operations, keep: true })
  await Bun.write(options.trace, `${report.trace.join('\n')}\n`)
  console.log(
    `seed ${options.seed}: ${report.violations.map(({ rule, what }) => `${rule}: ${what}`).join('\n') || 'held'}`,
  )
} else {
  const summary = await simulate(engine, options, ({ seed, digest, steps, lastedMs }) => {
    console.log(`seed ${seed} held: ${steps} steps, ${(lastedMs / 1000).toFixed(0)} simulated seconds, trace ${digest}`)
  })
  const seconds = (performance.now() - startedAt) / 1000
  const { operations, steps, statements, failure } = summary
  const figures = `${operations} operations, ${steps} steps, ${statements} statements in ${seconds.toFixed(1)} s`
  console.log(`${figures} (${(operations / seconds).toFixed(1)} operations a second)`)
  if (failure) {
    tell(failure)
    console.error(
      `\nAgain: bun run simulate --seed ${failure.seed} --ops ${episodeSize} --instances ${options.instances} --trace FILE`,
    )
    process.exitCode = 1
  }
}
await engine.close()
