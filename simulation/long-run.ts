import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { episodeSize } from './options.ts'

/**
 * A part of a long run, as a line of its file: what was done from a seed on, and the seed that broke, which ended it.
 */
const Part = z.object({
  from: z.int(),
  operations: z.int(),
  seed: z.int().optional(),
  rule: z.string().optional(),
  what: z.string().optional(),
})
export type Part = z.infer<typeof Part>

/** Reads the lines of a long run so far. Throws when one is none of its. */
export const readParts = (text: string): Part[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Part.parse(JSON.parse(line)))

/** Where a long run goes on: after the last seed that was done. */
export const nextSeed = (parts: readonly Part[], first: number): number =>
  Math.max(first, ...parts.map(({ from, operations }) => from + Math.ceil(operations / episodeSize)))

/** What came of all parts: operations of seeds that held, and those that broke, with how each is done again. */
export function summaryOf(parts: readonly Part[], instances: number): { text: string; held: boolean } {
  const broken = parts.filter(({ seed }) => seed !== undefined)
  const operations = parts.reduce((sum, part) => sum + part.operations, 0) - broken.length * episodeSize
  const lines = [
    `${operations} operations held, of ${Math.ceil(operations / episodeSize)} seeds; ${broken.length} seeds broke`,
    ...broken.map(
      ({ seed, rule, what }) =>
        `  ${rule}: ${what}\n    bun run simulate --seed ${seed} --ops ${episodeSize} --instances ${instances}`,
    ),
  ]
  return { text: lines.join('\n'), held: broken.length === 0 }
}

interface LongRun {
  /** Where its parts are kept: it goes on after the last one. */
  file: string
  minutes: number
  seed: number
  instances: number
  /** One process for each: its own database, or an embedded one where there is none. */
  databases: readonly (string | undefined)[]
  /** What a process does before it ends, and the next one starts with fresh memory. */
  seedsAtOnce?: number
}

/**
 * Runs seeds until the time is over, in as many processes as there are databases. A seed that breaks is noted, and the
 * next one is done.
 */
export async function runLong({
  file,
  minutes,
  seed: first,
  instances,
  databases,
  seedsAtOnce = 10,
}: LongRun): Promise<Part[]> {
  const parts = readParts(
    await Bun.file(file)
      .text()
      .catch(() => ''),
  )
  let next = nextSeed(parts, first)
  const end = performance.now() + minutes * 60_000
  const worker = async (database: string | undefined) => {
    while (performance.now() < end) {
      const from = next
      next += seedsAtOnce
      for (let seed = from; seed < from + seedsAtOnce; ) {
        const part = await runPart(seed, from + seedsAtOnce - seed, instances, database)
        await appendFile(file, `${JSON.stringify(part)}\n`)
        parts.push(part)
        seed += Math.ceil(part.operations / episodeSize)
      }
    }
  }
  await Promise.all(databases.map(worker))
  return parts
}

async function runPart(from: number, seeds: number, instances: number, database: string | undefined): Promise<Part> {
  const args = ['--seed', from, '--ops', seeds * episodeSize, '--instances', instances].map(String)
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dirname, 'main.ts'),
      '--json',
      '--no-shrink',
      ...args,
      ...(database ? ['--database', database] : []),
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const [out, problems] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  await child.exited
  const read = Part.safeParse({ from, ...readObject(out) })
  if (!read.success) throw new Error(`A simulation from seed ${from} on did not run:\n${problems}`)
  return read.data
}

function readObject(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
