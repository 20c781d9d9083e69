import { type ValuesOf, valuesOf } from './settings/setting.ts'
import { missing, settings, Variables } from './settings/variables.ts'

/** The settings of the server (contract: server 1). */
export type Env = ReturnType<typeof completed>

/**
 * Lists every variable that is missing or wrong, or the key file that is, and what it should be; never a value, as it
 * may be a secret.
 */
export class EnvError extends Error {
  override readonly name = 'EnvError'

  constructor(readonly problems: string[]) {
    super(['The environment is not valid:', ...problems.map((problem) => `- ${problem}`)].join('\n'))
  }
}

/**
 * Reads and checks the environment. Values are trimmed and empty ones count as unset.
 * @throws EnvError that names every variable that is missing or wrong.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const set = trimmed(source)
  const parsed = Variables.safeParse(set)
  const problems = missing(set)
  for (const issue of parsed.error?.issues ?? []) problems.set(String(issue.path[0]), issue.message)
  if (!parsed.success || problems.size > 0) throw new EnvError([...problems].map((problem) => problem.join(' ')))
  return completed(valuesOf(settings, parsed.data))
}

/** TEST_DATABASE_URL: the server for the tests, when they are not to run on the embedded database. */
export function readTestDatabaseUrl(source: Record<string, string | undefined> = process.env): string | undefined {
  return trimmed(source).TEST_DATABASE_URL
}

function trimmed(source: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []))
  return Object.fromEntries(entries)
}

const leastWrongTokens = 600

/**
 * How many wrong tokens an address may send in a minute: what one token may, and none are counted where that has no
 * limit. Never so few that the 401s of an ordinary client, or of many behind one address, become 429s.
 */
const wrongTokensBeside = (perMinute: number) => (perMinute === 0 ? 0 : Math.max(leastWrongTokens, perMinute))

type Complete<Group, Name extends keyof Group> = Group & { [Each in Name]: NonNullable<Group[Each]> }

/** Whether a group is in use: what it needs is set. */
const has = <Group, Name extends keyof Group>(group: Group, ...names: Name[]): group is Complete<Group, Name> =>
  names.every((name) => group[name] !== undefined)

/** What the settings say together. */
function completed({ databaseDeadlines, databasePooler, databasePrepared, ...read }: ValuesOf<typeof settings>) {
  const { voicePlatform, languageModel, carrier, objectStore, telemetry, rateLimits } = read
  return {
    ...read,
    /** The connections to a PostgreSQL server. */
    databaseConnections: {
      deadlines: databaseDeadlines,
      pooler: databasePooler,
      prepare: databasePrepared === undefined ? databasePooler !== 'transaction' : databasePrepared === 'on',
    },
    /** Unset: no traces are sent. */
    telemetry: has(telemetry, 'endpoint') ? telemetry : undefined,
    /** Unset: the embedded platform. */
    voicePlatform: has(voicePlatform, 'url', 'apiKey') ? voicePlatform : undefined,
    /** Unset: `local-extractive`. */
    languageModel: has(languageModel, 'baseUrl', 'models') ? languageModel : undefined,
    carrier:
      carrier.kind === 'twilio' && has(carrier, 'accountSid', 'authToken')
        ? { ...carrier, kind: carrier.kind }
        : { kind: 'embedded' as const },
    /** Unset: files under `dataDir`. */
    objectStore: has(objectStore, 'endpoint', 'bucket', 'accessKeyId', 'secretAccessKey') ? objectStore : undefined,
    rateLimits: {
      ...rateLimits,
      wrongTokensPerMinute: rateLimits.wrongTokensPerMinute ?? wrongTokensBeside(rateLimits.perMinute),
    },
  }
}
