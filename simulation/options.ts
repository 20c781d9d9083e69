import { parseArgs } from 'node:util'
import { profileNames } from './directed-profiles.ts'

export interface Options {
  seed: number
  /** Operations of the whole run. */
  ops: number
  instances: number
  /** Does the seeds of this profile alone. */
  profile: string | undefined
  /** Makes a failing seed smaller before it is told. */
  shrink: boolean
  /** Writes the whole trace of the first episode here. */
  trace: string | undefined
  /** A PostgreSQL database that may be emptied; embedded unless given, which is slower. */
  database: string | undefined
  /** Prints nothing but what was found, as JSON. */
  json: boolean
  /** Runs the planted bugs instead; a text names those with it in their name. */
  planted: string | true | undefined
  /** A file of a run over hours, which goes on where it ended: what was done, a line for each part. */
  long: string | undefined
  /** How long that run lasts. */
  minutes: number
}

/** A seed and its operations; each starts from nothing, so that it can be done again by itself. */
export const episodeSize = 120

export const usage = `Usage: bun run simulate [--seed N] [--ops M] [--instances I] [--profile NAME] [--no-shrink] [--trace FILE] [--json]
         [--database URL]
       bun run simulate --planted [--only TEXT] [--ops M] [--database URL]
       bun run simulate --long FILE [--minutes M] [--seed N] [--instances I] [--database URL[,URL]]

Does M operations (default 600), ${episodeSize} to a seed, from N (default 1) on, on I (default 2) simulated instances. URL names a PostgreSQL
database that is emptied; no two runs may share one. --long goes on for M minutes (default 60) after the last seed in FILE, a process for each
URL, notes every seed that breaks, and prints the sum of FILE.`

const whole = (name: string, text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1 on.`)
  return value
}

function known(profile: string | undefined): string | undefined {
  if (profile === undefined || profileNames.includes(profile)) return profile
  throw new Error(`--profile must be one of: ${profileNames.join(', ')}.`)
}

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      ops: { type: 'string', default: '600' },
      instances: { type: 'string', default: '2' },
      profile: { type: 'string' },
      'no-shrink': { type: 'boolean', default: false },
      trace: { type: 'string' },
      database: { type: 'string' },
      json: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      only: { type: 'string' },
      long: { type: 'string' },
      minutes: { type: 'string', default: '60' },
    },
  })
  return {
    seed: whole('seed', values.seed),
    ops: whole('ops', values.ops),
    instances: whole('instances', values.instances),
    profile: known(values.profile),
    shrink: !values['no-shrink'],
    trace: values.trace,
    database: values.database,
    json: values.json,
    planted: values.planted ? (values.only ?? true) : undefined,
    long: values.long,
    minutes: whole('minutes', values.minutes),
  }
}
