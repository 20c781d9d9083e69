import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { atTheEnd, cleanUp } from './cleanups.ts'
import { givenCluster, serverVersion, temporaryCluster } from './cluster.ts'
import { compare } from './compare.ts'
import { type Options, readOptions, usage } from './options.ts'
import { warmStart } from './start.ts'
import { render } from './table.ts'

/** Progress goes to standard error, so that standard output is the table alone. */
const say = (text: string) => console.error(text)

async function run(options: Options): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-bench-'))
  atTheEnd(() => rm(scratch, { recursive: true, force: true }))
  say('Preparing a PostgreSQL server')
  const cluster = options.url === undefined ? await temporaryCluster() : givenCluster(options.url)
  const generator = await startChild(process.execPath, join(import.meta.dirname, 'generator.ts'), [], 1)
  const compared = await compare({ options, cluster, generator, scratch, say })
  if (options.only.has('start')) say('Measuring: start to first answer')
  const startMs = options.only.has('start') ? await warmStart(join(scratch, 'data'), options.quick ? 3 : 7) : undefined
  return render({ ...compared, startMs, postgresql: await serverVersion(cluster), pace: options })
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
