import { parseArgs } from 'node:util'

export const usage = `Usage: bun run bench [--quick] [--only get,list,...] [--url postgres://...]

Measures this server against hand-written ones on a PostgreSQL server and prints a Markdown table.

  --quick  fewer and shorter rounds: a few minutes, and noisier
  --only   which parts to run: get, unread (records that the server has not kept), list, post
           (each against all contenders), operations (a chat turn, messages, a search
           among 1,000 passages, statistics, each against its own statements), procedures (a read among 10 procedures
           and among 300, with dummies), scale (a list page among 10,000 and
           among 1,000,000 assistants), start (to the first answer, on an empty folder, on an embedded
           database that was used before and on a PostgreSQL server, and memory eight seconds later), retrieval (how well the
           search of knowledge files finds answers), answers (how well the built-in model replies to customers of seventy
           businesses), indexing (how fast reads are answered while a file is indexed), memory (what a server takes under
           mixed load), stalls (how long the thread is held under mixed load), drift (whether the sweep finds 10,000 changes made outside, and
           nothing at 1,000 resources in a hundred sweeps, a tenth of each with --quick), profile (where the processor
           time of a read, a list and a create goes, step by step). The last seven run only when they are asked for
  --seconds  of each measurement (default: 0.4, with --quick 0.5)
  --rounds  paired rounds of measurements (default: 9, with --quick 3)
  --minutes  how long the load of memory lasts on each database (default: 10)
  --url    a PostgreSQL server to use, as a superuser: databases named switchboard_bench_* are made and dropped there
           (default: a temporary server of its own, from the binaries of an installed PostgreSQL)
  --help   shows this text`

/** The parts that are shown in the table of the comparison with hand-written servers. */
export const comparisons = ['get', 'unread', 'list', 'post', 'procedures', 'scale', 'start'] as const
const onlyWhenAsked = ['retrieval', 'answers', 'indexing', 'memory', 'stalls', 'drift', 'profile'] as const
const usual = [...comparisons, 'operations'] as const
/** What `--only` takes. */
export const parts = [...usual, ...onlyWhenAsked] as const
export type Part = (typeof parts)[number]

export interface Options {
  help: boolean
  quick: boolean
  only: ReadonlySet<Part>
  url: string | undefined
  /** Of the load of `memory` on each database. */
  minutes: number
  /** Paired rounds, seconds of each measurement, and how each warm-up ends. */
  rounds: number
  seconds: number
  warmUpCalls: number
  warmUpSeconds: number
}

/** Reads the command line. Throws an error that says what is wrong with it. */
export function readOptions(args?: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: usual.join(',') },
      url: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { quick, help, url } = values
  const minutes = Number(values.minutes)
  if (!Number.isInteger(minutes) || minutes < 1) throw new Error('--minutes must be a whole number from 1')
  const only = new Set<Part>()
  for (const name of values.only.split(',')) {
    const part = parts.find((known) => known === name.trim())
    if (!part) throw new Error(`--only takes ${parts.join(', ')}, not "${name}"`)
    only.add(part)
  }
  const pace = quick
    ? { rounds: 3, seconds: 0.5, warmUpCalls: 1_000, warmUpSeconds: 2.5 }
    : { rounds: 9, seconds: 0.4, warmUpCalls: 10_000, warmUpSeconds: 30 }
  const rounds = Number(values.rounds ?? pace.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1')
  const seconds = Number(values.seconds ?? pace.seconds)
  if (!(seconds > 0)) throw new Error('--seconds must be a number above 0')
  return { help, quick, only, url, minutes, ...pace, rounds, seconds }
}
