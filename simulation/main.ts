import { openDatabase } from '../src/db/client.ts'
import { migrate } from '../src/db/migrate.ts'
import { claimDatabase, createEngine, DatabaseInUseError } from './database/engine.ts'
import { runEpisode } from './episode.ts'
import { rules } from './judge/violation.ts'
import { runLong, summaryOf } from './long-run.ts'
import { planOf } from './operations.ts'
import { episodeSize, type Options, readOptions, usage } from './options.ts'
import { runPlanted } from './planted.ts'
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

function tell({ seed, operations, report }: Failure, { instances }: Options): void {
  console.error(`\nseed ${seed} breaks, with ${operations.length} operations:`)
  for (const { at, kind } of operations) console.error(`  ${String(at).padStart(8)} ms  ${kind}`)
  for (const { rule, what } of report.violations) console.error(`  ${rule} (${rules[rule]}):\n    ${what}`)
  console.error('the end of what happened:')
  for (const line of report.trace.slice(-30)) console.error(`  ${line.slice(0, 160)}`)
  console.error(`\nAgain: bun run simulate --seed ${seed} --ops ${episodeSize} --instances ${instances} --trace FILE`)
}

/** Plants each bug and says what caught it; returns whether all were caught. */
async function plantAll({ ops, instances, planted, database }: Options): Promise<boolean> {
  let all = true
  const args = [
    '--no-shrink',
    '--ops',
    String(ops),
    '--instances',
    String(instances),
    ...(database ? ['--database', database] : []),
  ]
  await runPlanted(args, planted === true ? undefined : planted, ({ name, found }) => {
    all &&= found.rule !== undefined
    console.log(`| ${name} | ${found.rule ?? 'not caught'} | ${found.operations} | ${found.seed ?? ''} |`)
  })
  return all
}

async function run(options: Options): Promise<boolean> {
  const handle = await openDatabase({ url: options.database, max: 1 })
  await claimDatabase(handle)
  await migrate(handle)
  const engine = await createEngine(handle)
  const say = (line: string) => options.json || console.log(line)
  try {
    if (options.trace) {
      const operations = planOf(options.seed, Math.min(options.ops, episodeSize), options.profile)
      const { trace, violations } = await runEpisode(engine, { ...options, operations, keep: true })
      await Bun.write(options.trace, `${trace.join('\n')}\n`)
      for (const { rule, what } of violations) say(`${rule}: ${what}`)
      return violations.length === 0
    }
    const startedAt = performance.now()
    const { operations, steps, statements, failure } = await simulate(engine, options, (report) => {
      const seconds = (report.lastedMs / 1000).toFixed(0)
      say(`seed ${report.seed} held: ${report.steps} steps, ${seconds} simulated seconds, trace ${report.digest}`)
    })
    const seconds = (performance.now() - startedAt) / 1000
    const figures = `${operations} operations, ${steps} steps, ${statements} statements in ${seconds.toFixed(1)} s`
    say(`${figures} (${(operations / seconds).toFixed(1)} operations a second)`)
    if (options.json) console.log(JSON.stringify({ operations, seed: failure?.seed, ...failure?.report.violations[0] }))
    else if (failure) tell(failure, options)
    return failure === undefined
  } finally {
    await engine.close()
  }
}

async function goOn(file: string, { database, ...options }: Options): Promise<boolean> {
  const parts = await runLong({ ...options, file, databases: database?.split(',') ?? [undefined] })
  const { text, held } = summaryOf(parts, options.instances)
  console.log(text)
  return held
}

const options = optionsOrEnd()
try {
  const held = await (options.long ? goOn(options.long, options) : options.planted ? plantAll(options) : run(options))
  process.exitCode = held ? 0 : 1
} catch (error) {
  if (!(error instanceof DatabaseInUseError)) throw error
  console.error(error.message)
  process.exit(2)
}
