import { parseArgs } from 'node:util'

/** What a run is asked for. */
export interface Options {
  seed: number
  rounds: number
  /** Of the whole run; each round has its share. */
  faults: number
  postgres: boolean
  instances: number
  clients: number
}

export const usage = `Usage: bun run torture [--seed N] [--rounds R] [--faults F] [--postgres] [--instances I] [--clients C]

Runs real servers under load, breaks what they stand on, and compares what is left with what was answered.

  --seed       decides clients and faults (default: the time)
  --rounds     after each one everything comes to rest and is judged (default: 3)
  --faults     of the whole run (default: 150)
  --postgres   on a PostgreSQL server of its own instead of the embedded database
  --instances  1 to 3 servers on that database (default: 1)
  --clients    8 to 16 (default: 12)
  --help       shows this text`

/** Something about the command line is wrong; the message is for whoever wrote it. */
export class OptionError extends Error {}

function whole(name: string, text: string | undefined, fallback: number, [min, max]: [number, number]): number {
  const value = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}.`)
  }
  return value
}

/** Reads the command line; undefined when it asks for help. */
export function readOptions(args: string[] = process.argv.slice(2)): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string' },
      faults: { type: 'string' },
      postgres: { type: 'boolean' },
      instances: { type: 'string' },
      clients: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const options = {
    seed: whole('seed', values.seed, Date.now() % 1_000_000, [0, 4_294_967_295]),
    rounds: whole('rounds', values.rounds, 3, [1, 1000]),
    faults: whole('faults', values.faults, 150, [1, 1_000_000]),
    postgres: values.postgres ?? false,
    instances: whole('instances', values.instances, 1, [1, 3]),
    clients: whole('clients', values.clients, 12, [8, 16]),
  }
  if (options.instances > 1 && !options.postgres) {
    throw new OptionError('Several instances need a database that they share: add --postgres.')
  }
  return options
}
