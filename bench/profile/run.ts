import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from '../child.ts'
import { type Cluster, createDatabase, databaseName } from '../cluster.ts'
import { bareName, restName, rpcName, script } from '../contenders.ts'
import { measure, type Pace } from '../measure.ts'
import { type Call, createCalls, getCalls, listCalls } from '../requests.ts'
import { sampleBody } from '../sample.ts'
import { removeCreated, seed } from '../seed.ts'
import { number } from '../table.ts'
import { sharesOf } from './read.ts'
import { stepNames } from './steps.ts'

const servers = [
  { name: bareName, face: 'rest', file: 'bare' },
  { name: restName, face: 'rest', file: 'switchboard' },
  { name: rpcName, face: 'rpc', file: 'switchboard' },
] as const

/** Threads beside the main one, of which a profile tells nothing. */
const otherThreads = 'other threads: compiling, collecting garbage'

interface Surroundings {
  cluster: Cluster
  generator: Child
  /** A folder for the profiles. */
  scratch: string
  pace: Pace
  say(text: string): void
}

/** Microseconds of processor time for one call, step by step. */
async function profile(
  { generator, scratch, pace }: Surroundings,
  url: string,
  [face, file]: readonly ['rest' | 'rpc', string],
  calls: Call[],
  afterEach?: () => Promise<void>,
): Promise<Map<string, number>> {
  const folder = join(scratch, `profile-${crypto.randomUUID()}`)
  await mkdir(folder)
  const flags = ['--cpu-prof', '--cpu-prof-dir', folder]
  const server = await startChild(process.execPath, script(file), [url], 0, flags)
  // A profile has no pauses in which what was created is removed: it is one measurement, after a warm-up of its own.
  const contender = { name: file, face, server }
  await measure(generator, [contender], calls, { ...pace, rounds: 1, seconds: 0.1 }, afterEach)
  const [figures] = await measure(generator, [contender], calls, { ...pace, rounds: 1, warmUpCalls: 0 })
  await server.leave()
  const [profiled] = await readdir(folder)
  if (!figures || profiled === undefined) throw new Error(`${file} left no profile`)
  const { cpu, mainShare } = figures
  const shares = sharesOf(await Bun.file(join(folder, profiled)).json(), pace.seconds)
  const steps = [...shares].map(([step, share]) => [step, share * mainShare * cpu] as const)
  return new Map([...steps, [otherThreads, (1 - mainShare) * cpu]])
}

/** Where the processor time of a call goes, step by step, on the hand-written server and on both faces of this one. */
export async function profileSteps(surroundings: Surroundings): Promise<string> {
  const url = await createDatabase(surroundings.cluster, databaseName('profile'))
  const tenants = await seed(url)
  const operations: [title: string, calls: Call[], afterEach?: () => Promise<void>][] = [
    ['GET one', getCalls(tenants)],
    ['list of 15 with total', listCalls(tenants)],
    ['POST create', createCalls(tenants, sampleBody), () => removeCreated(url)],
  ]
  const sections: string[] = []
  for (const [title, calls, afterEach] of operations) {
    surroundings.say(`Profiling: ${title}`)
    const columns: Map<string, number>[] = []
    for (const { face, file } of servers) {
      columns.push(await profile(surroundings, url, [face, file], calls, afterEach))
      await afterEach?.()
    }
    const row = (name: string, values: (number | undefined)[]) =>
      `| ${[name, ...values.map((value) => (value === undefined ? '' : number(value)))].join(' | ')} |`
    const all = columns.map((column) => [...column.values()].reduce((sum, value) => sum + value, 0))
    const names = [...stepNames, otherThreads].filter((name) => columns.some((column) => column.has(name)))
    const rows = names.map((name) =>
      row(
        name,
        columns.map((column) => column.get(name)),
      ),
    )
    const head = [`| ${[title, ...servers.map(({ name }) => name)].join(' | ')} |`, '|---|---|---|---|']
    sections.push([...head, ...rows, row('**all**', all)].join('\n'))
  }
  sections.push(
    'Cells: microseconds of processor time for one call while a profiler looks on, by the code that is on top.',
  )
  return sections.join('\n\n')
}
