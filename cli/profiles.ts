import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { CommandError } from './error.ts'

/** A server and a token under a name, so that a command need not repeat them. */
const Profiles = z.record(z.string(), z.object({ url: z.string(), key: z.string() }))
export type Profiles = z.output<typeof Profiles>

type Env = Record<string, string | undefined>

/** Where profiles are kept, by the rules of the desktop: XDG_CONFIG_HOME, or ~/.config. */
const fileIn = (env: Env) =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'switchboard/profiles.json')

/** The kept profiles; none when there is no file. Throws for a file that holds something else. */
export function readProfiles(env: Env): Profiles {
  const file = fileIn(env)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  try {
    return Profiles.parse(JSON.parse(text))
  } catch {
    throw new CommandError(`${file} is not a list of profiles: mend or remove it.`)
  }
}

/** Keeps a profile, readable by its owner alone. Returns the file's path. */
export function keepProfile(env: Env, name: string, profile: { url: string; key: string }): string {
  const file = fileIn(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const profiles = { ...readProfiles(env), [name]: profile }
  writeFileSync(file, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
  return file
}
