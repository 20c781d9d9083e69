import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerQuality } from './answers/run.ts'
import { startChild } from './child.ts'
import { atTheEnd, cleanUp } from './cleanups.ts'
import { givenCluster, serverVersion, temporaryCluster } from './cluster.ts'
import { compare } from './compare.ts'
import { driftCounts } from './drift/run.ts'
import { readsWhileIndexing } from './indexing/run.ts'
import { memoryUnderLoad } from './memory/run.ts'
import { compareOperations } from './operations/run.ts'
import { comparisons, type Options, readOptions, usage } from './options.ts'
import { profileSteps } from './profile/run.ts'
import { retrievalQuality } from './retrieval/run.ts'
import { stallsUnderLoad } from './stalls/run.ts'
import { measureStarts } from './start.ts'
import { render } from './table.ts'

/** Progress goes to standard error, so that standard output is the table alone. */
const say = (text: string) => console.error(text)

async function run(options: Options): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-bench-'))
  atTheEnd(() => rm(scratch, { recursive: true, force: true }))
  const sections: string[] = []
  if (options.only.has('retrieval')) {
    say('Measuring: how well searches find')
    sections.push(await retrievalQuality(say))
  }
  if (options.only.has('answers')) {
    say('Measuring: how well the built-in model replies')
    sections.push(await answerQuality(scratch, say))
  }
  if (options.only.has('indexing')) {
    say('Measuring: reads while a file is indexed')
    sections.push(await readsWhileIndexing(scratch))
  }
  if (options.only.has('memory')) {
    say(`Measuring: memory under mixed load, ${options.minutes} minutes on each database`)
    const cluster = options.url === undefined ? await temporaryCluster() : givenCluster(options.url)
    sections.push(await memoryUnderLoad(scratch, cluster, options.minutes))
  }
  if (options.only.has('stalls')) {
    say('Measuring: how long the thread is held under mixed load')
    const cluster = options.url === undefined ? await temporaryCluster() : givenCluster(options.url)
    sections.push(await stallsUnderLoad(scratch, cluster, options.quick ? 10 : 60))
  }
  if (options.only.has('drift')) {
    say('Counting: what the sweep finds of changes made outside')
    const [resources, sweeps, edits] = options.quick ? [100, 10, 1_000] : [1_000, 100, 10_000]
    sections.push(await driftCounts(scratch, { resources, sweeps, edits }))
  }
  const compares = comparisons.some((part) => options.only.has(part))
  if (!compares && !options.only.has('operations') && !options.only.has('profile')) return sections.join('\n\n')
  say('Preparing a PostgreSQL server')
  const cluster = options.url === undefined ? await temporaryCluster() : givenCluster(options.url)
  const generator = await startChild(process.execPath, join(import.meta.dirname, 'generator.ts'), [], 1)
  if (options.only.has('operations'))
    sections.unshift(await compareOperations(cluster, generator, scratch, options, say))
  if (options.only.has('profile')) {
    const pace = { ...options, seconds: options.quick ? 2 : 8 }
    sections.push(await profileSteps({ cluster, generator, scratch, pace, say }))
  }
  if (!compares) return sections.join('\n\n')
  const compared = await compare({ options, cluster, generator, scratch, say })
  if (options.only.has('start')) say('Measuring: starts, and memory at rest')
  const starts = options.only.has('start') ? await measureStarts(scratch, cluster, options.quick ? 3 : 7) : undefined
  sections.unshift(render({ ...compared, starts, postgresql: await serverVersion(cluster), pace: options }))
  return sections.join('\n\n')
}

let brokenOff = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    brokenOff = true
    void cleanUp().finally(() => process.exit(130))
  })
}
try {
  const options = readOptions()
  if (options.help) console.log(usage)
  else console.log(await run(options))
} catch (error) {
  if (!brokenOff) console.error(error instanceof Error ? error.message : 'The benchmark failed')
  process.exitCode = 1
} finally {
  await cleanUp()
}
