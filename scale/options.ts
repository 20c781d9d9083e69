import { parseArgs } from 'node:util'

export const usage = `Usage: bun run scale [--only growth,vectors,rolling,instances] [--size N]

Starts servers of its own (PostgreSQL, haproxy, Redis, instances) in temporary folders, measures, and prints Markdown tables.

  --only   growth (what requests cost as the data grows), vectors (what searches of 50,000 passages cost and take), rolling (what a
           client loses that never retries while three instances are restarted one after the other behind a balancer), instances
           (how soon another instance knows of a change, over the database and over Redis, and takes over what a killed one was at)
  --size   assistants of the small database, in thousands; the large one has a hundred times as many (default 1)
  --help   shows this text`

const parts = ['growth', 'vectors', 'rolling', 'instances'] as const
export type Part = (typeof parts)[number]

export interface Options {
  help: boolean
  only: ReadonlySet<Part>
  size: number
}

/** Reads the command line. Throws an error that says what is wrong with it. */
export function readOptions(args?: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: parts.join(',') },
      size: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const only = new Set<Part>()
  for (const name of values.only.split(',')) {
    const part = parts.find((known) => known === name.trim())
    if (!part) throw new Error(`--only takes ${parts.join(', ')}, not "${name}"`)
    only.add(part)
  }
  const size = Number(values.size)
  if (!Number.isInteger(size) || size < 1 || size > 100) throw new Error('--size takes a number from 1 to 100')
  return { help: values.help, only, size }
}
