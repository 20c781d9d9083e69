import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, usageError } from './error.ts'
import { readProfiles } from './profiles.ts'

export interface Connection {
  /** Without a slash at its end. */
  url: string
  key: string
}

type Env = Record<string, string | undefined>

const localUrl = 'http://127.0.0.1:3000'
const isLocal = (url: string) => /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(url)

/** The first admin's token of the server that was started in this folder. */
function localKey(env: Env): string | undefined {
  try {
    return readFileSync(join(env.DATA_DIR?.trim() || '.data', 'admin-api-key'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/**
 * The server to talk to and the token to send: from the options, else SWITCHBOARD_URL and SWITCHBOARD_KEY, else the
 * profile (`--profile`, SWITCHBOARD_PROFILE or `default`), else the server on this machine with the key in its data
 * folder. Throws CommandError naming what is missing.
 */
export function connectionFrom(options: { url?: string; key?: string; profile?: string }, env: Env): Connection {
  const named = options.profile ?? env.SWITCHBOARD_PROFILE?.trim()
  const profile = readProfiles(env)[named || 'default']
  if (named && !profile) throw usageError(`There is no profile ${named}: make it with "switchboard login".`)
  // A profile that is asked for wins over the environment; the default one does not.
  const kept = named ? profile : undefined
  const url = (
    options.url ??
    kept?.url ??
    (env.SWITCHBOARD_URL?.trim() || undefined) ??
    profile?.url ??
    localUrl
  ).replace(/\/+$/, '')
  if (!URL.canParse(url)) throw usageError(`--url must be a URL, such as ${localUrl}`)
  const profileKey = profile?.url === url ? profile.key : undefined
  const key =
    options.key ??
    kept?.key ??
    (env.SWITCHBOARD_KEY?.trim() || undefined) ??
    profileKey ??
    (isLocal(url) ? localKey(env) : undefined)
  if (!key) {
    throw new CommandError(
      'No token: give one with --key or SWITCHBOARD_KEY, or keep one with "switchboard login". The server prints the ' +
        "first admin's at its first start, and keeps it in DATA_DIR/admin-api-key.",
    )
  }
  return { url, key }
}
