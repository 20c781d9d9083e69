import { z } from 'zod'
import { modelEntry, modelEntryForm } from '../language-model/model-entry.ts'
import { isTimeZone } from '../runtime/time-zone.ts'
import type { Credential } from '../webhooks/credentials.ts'
import {
  type DatabaseConnections,
  databaseConnections,
  deadlineVariables,
  type OutsideTimes,
  outsideTimes,
} from './deadlines.ts'
import type { RateLimits } from './dependencies.ts'
import { type Retention, retentionOf, retentionVariables } from './retention.ts'

/** The settings of the server (contract: server 1). */
export type Env = {
  host: string
  /** 0 picks a free port. */
  port: number
  /** Without a slash at the end; unset: where the server listens. */
  publicUrl: string | undefined
  /** Unset: the embedded database under `dataDir`. */
  databaseUrl: string | undefined
  /** How long a start waits for a database that does not serve yet. */
  databaseStartSeconds: number
  /** Connections to a PostgreSQL server. */
  databasePoolSize: number
  databaseConnections: DatabaseConnections
  /** The same server past a pooler. */
  databaseDirectUrl: string | undefined
  retention: Retention
  outsideTimes: OutsideTimes
  /** How long a request may take that is no turn. */
  requestMs: number
  /** How long a server that is told to stop goes on serving, so that balancers see that it is not ready. */
  drainMs: number
  dataDir: string
  adminApiKey: string | undefined
  /** 32 bytes each: the first seals, all open. Always set with `databaseUrl`. */
  secretsKeys: Uint8Array[] | undefined
  /** Unset: the embedded platform. */
  voicePlatform: { url: string; apiKey: string; publicKey: string | undefined } | undefined
  /** Where named background sounds are found: `<base>/<name>`, hence without a slash at the end. */
  backgroundSoundBaseUrl: string | undefined
  /** Entries kept of an assistant's history. */
  versionHistoryLimit: number
  conversationDays: number
  /** How long after a live write that got no response it may still arrive. */
  liveWriteGraceMs: number
  /** Minutes between two sweeps for drift; 0: none but those that are asked for. */
  driftSweepMinutes: number
  /** Unset: `local-extractive`. The first of `models` is the default. */
  /** Where agents are told the time of. */
  timeZone: string
  languageModel: { baseUrl: string; apiKey: string | undefined; models: string[] } | undefined
  /** Unset: the embedded embedder. */
  embeddingsModel: string | undefined
  carrier: { kind: 'embedded' } | { kind: 'twilio'; accountSid: string; authToken: string }
  /** Unset: files under `dataDir`. */
  objectStore: { endpoint: string; bucket: string; accessKeyId: string; secretAccessKey: string } | undefined
  /** Unset: rate limits are counted in process. */
  redisUrl: string | undefined
  /** Requests per minute; 0 is no limit. */
  rateLimits: RateLimits
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is believed. */
  trustedProxies: string[]
  /** Turns that run at once in this process. */
  turnsAtOnce: number
  /** Host names, addresses and CIDR blocks. */
  allowPrivateNetwork: string[]
  /** What `server.credentialId` may name, by id. */
  webhookCredentials: ReadonlyMap<string, Credential>
  logLevel: z.infer<typeof LogLevel>
}

/** Lists every variable that is missing or wrong, and what it should be; never a value, as it may be a secret. */
export class EnvError extends Error {
  override readonly name = 'EnvError'

  constructor(readonly problems: string[]) {
    super(['The environment is not valid:', ...problems.map((problem) => `- ${problem}`)].join('\n'))
  }
}

const SECRETS_KEY_FORM = 'must be 32 bytes in base64 (openssl rand -base64 32), or several of them with commas between'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const integer = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from 0 to ${max}`)
    .transform(Number)
    .pipe(z.number().max(max, `must be an integer from 0 to ${max}`))
const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''))
const token = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
const text = z.string()
const list = text.transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
const secretsKey = text
  .regex(/^[A-Za-z0-9+/]{43}=$/, SECRETS_KEY_FORM)
  .transform((value) => new Uint8Array(Buffer.from(value, 'base64')))
const CREDENTIALS_FORM = 'must be a comma-separated list of id:hmac:secret or id:bearer:token'
const credentials = list
  .pipe(z.array(z.string().regex(/^[^:\s]+:(hmac|bearer):[\x21-\x7e]+$/, CREDENTIALS_FORM)))
  .transform(
    (entries) =>
      new Map(
        entries.map((entry): [string, Credential] => {
          const [id = '', kind, ...secret] = entry.split(':')
          return [id, { kind: kind === 'bearer' ? 'bearer' : 'hmac', secret: secret.join(':') }]
        }),
      ),
  )
const NetworkAddress = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
const NetworkPlace = z.union([z.hostname(), NetworkAddress])
const LogLevel = z.enum(LOG_LEVELS, `must be one of: ${LOG_LEVELS.join(', ')}`)

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// URL' })

const Variables = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: integer(65_535).default(3000),
  PUBLIC_URL: webUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_START_SECONDS: integer(3600).default(30),
  DATABASE_POOL_SIZE: integer(1000)
    .refine((size) => size > 0, 'must be an integer from 1 to 1000')
    .default(10),
  ...deadlineVariables,
  ...retentionVariables,
  DRAIN_SECONDS: integer(600).default(0),
  DATA_DIR: text.default('.data'),
  ADMIN_API_KEY: token.min(32, 'must be at least 32 characters').optional(),
  SECRETS_KEY: list.pipe(z.array(secretsKey).min(1, SECRETS_KEY_FORM)).optional(),
  VOICE_PLATFORM_URL: webUrl.optional(),
  VOICE_PLATFORM_API_KEY: token.optional(),
  VOICE_PLATFORM_PUBLIC_KEY: token.optional(),
  BACKGROUND_SOUND_BASE_URL: webUrl.optional(),
  VERSION_HISTORY_LIMIT: integer(100_000).default(200),
  WIDGET_CONVERSATION_DAYS: integer(36_500).default(0),
  LIVE_WRITE_GRACE_SECONDS: integer(86_400).default(60),
  DRIFT_SWEEP_MINUTES: integer(10_080).default(5),
  LLM_BASE_URL: webUrl.optional(),
  LLM_API_KEY: token.optional(),
  LLM_MODELS: list
    .pipe(
      z
        .array(text.refine((entry) => modelEntry(entry) !== undefined, `must list models as ${modelEntryForm}`))
        .min(1, 'must be a comma-separated list of model ids'),
    )
    .optional(),
  TIME_ZONE: text.refine(isTimeZone, 'must be a time zone such as Europe/Berlin').default('UTC'),
  EMBEDDINGS_MODEL: text.optional(),
  CARRIER: z.enum(['embedded', 'twilio'], 'must be one of: embedded, twilio').default('embedded'),
  TWILIO_ACCOUNT_SID: token.optional(),
  TWILIO_AUTH_TOKEN: token.optional(),
  S3_ENDPOINT: webUrl.optional(),
  S3_BUCKET: text.optional(),
  S3_ACCESS_KEY_ID: token.optional(),
  S3_SECRET_ACCESS_KEY: token.optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' }).optional(),
  RATE_LIMIT_PER_MINUTE: integer(1_000_000).default(600),
  TURN_RATE_LIMIT_PER_MINUTE: integer(1_000_000).default(60),
  WIDGET_RATE_LIMIT_PER_MINUTE: integer(1_000_000).default(300),
  WRONG_TOKEN_LIMIT_PER_MINUTE: integer(1_000_000).optional(),
  TRUSTED_PROXIES: list
    .refine(
      (places) => places.every((place) => NetworkAddress.safeParse(place).success),
      'must be a comma-separated list of addresses or CIDR blocks',
    )
    .default([]),
  TURN_CONCURRENCY: integer(10_000)
    .refine((turns) => turns > 0, 'must be an integer from 1 to 10000')
    .default(100),
  ALLOW_PRIVATE_NETWORK: list
    .refine(
      (places) => places.every((place) => NetworkPlace.safeParse(place).success),
      'must be a comma-separated list of host names, addresses or CIDR blocks',
    )
    .default([]),
  WEBHOOK_CREDENTIALS: credentials.default(new Map()),
  LOG_LEVEL: LogLevel.default('info'),
})

type Name = keyof z.infer<typeof Variables>

const S3: Name[] = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']

/** What has to be set when something else is. */
const NEEDS: { when: Name; is?: string; needs: Name[]; why?: string }[] = [
  { when: 'VOICE_PLATFORM_URL', needs: ['VOICE_PLATFORM_API_KEY'] },
  { when: 'VOICE_PLATFORM_API_KEY', needs: ['VOICE_PLATFORM_URL'] },
  { when: 'VOICE_PLATFORM_PUBLIC_KEY', needs: ['VOICE_PLATFORM_URL'] },
  { when: 'LLM_BASE_URL', needs: ['LLM_MODELS'] },
  { when: 'LLM_MODELS', needs: ['LLM_BASE_URL'] },
  { when: 'LLM_API_KEY', needs: ['LLM_BASE_URL'] },
  { when: 'EMBEDDINGS_MODEL', needs: ['LLM_BASE_URL'] },
  { when: 'CARRIER', is: 'twilio', needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] },
  ...S3.map((when) => ({ when, needs: S3.filter((name) => name !== when) })),
  {
    when: 'DATABASE_URL',
    needs: ['SECRETS_KEY'],
    why: 'every instance on that database must have the same (make one: openssl rand -base64 32)',
  },
]

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
  return grouped(parsed.data)
}

/** TEST_DATABASE_URL: the server for the tests, when they are not to run on the embedded database. */
export function readTestDatabaseUrl(source: Record<string, string | undefined> = process.env): string | undefined {
  return trimmed(source).TEST_DATABASE_URL
}

function trimmed(source: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []))
  return Object.fromEntries(entries)
}

function missing(set: Record<string, string>): Map<string, string> {
  const problems = new Map<string, string>()
  for (const { when, is, needs, why } of NEEDS) {
    if (set[when] === undefined || (is !== undefined && set[when] !== is)) continue
    for (const name of needs) {
      if (set[name] !== undefined) continue
      problems.set(name, `must be set, as ${when} is${is ? ` ${is}` : ''}${why ? `: ${why}` : ''}`)
    }
  }
  return problems
}

const leastWrongTokens = 600

/**
 * How many wrong tokens an address may send in a minute: what one token may, and none are counted where that has no
 * limit. Never so few that the 401s of an ordinary client, or of many behind one address, become 429s.
 */
const wrongTokensBeside = (perMinute: number) => (perMinute === 0 ? 0 : Math.max(leastWrongTokens, perMinute))

function grouped(v: z.infer<typeof Variables>): Env {
  return {
    host: v.HOST,
    port: v.PORT,
    publicUrl: v.PUBLIC_URL,
    databaseUrl: v.DATABASE_URL,
    databaseStartSeconds: v.DATABASE_START_SECONDS,
    databasePoolSize: v.DATABASE_POOL_SIZE,
    databaseConnections: databaseConnections(v),
    databaseDirectUrl: v.DATABASE_DIRECT_URL,
    retention: retentionOf(v),
    outsideTimes: outsideTimes(v),
    requestMs: v.REQUEST_SECONDS * 1000,
    drainMs: v.DRAIN_SECONDS * 1000,
    dataDir: v.DATA_DIR,
    adminApiKey: v.ADMIN_API_KEY,
    secretsKeys: v.SECRETS_KEY,
    voicePlatform:
      v.VOICE_PLATFORM_URL !== undefined && v.VOICE_PLATFORM_API_KEY !== undefined
        ? { url: v.VOICE_PLATFORM_URL, apiKey: v.VOICE_PLATFORM_API_KEY, publicKey: v.VOICE_PLATFORM_PUBLIC_KEY }
        : undefined,
    backgroundSoundBaseUrl: v.BACKGROUND_SOUND_BASE_URL,
    versionHistoryLimit: v.VERSION_HISTORY_LIMIT,
    conversationDays: v.WIDGET_CONVERSATION_DAYS,
    liveWriteGraceMs: v.LIVE_WRITE_GRACE_SECONDS * 1000,
    driftSweepMinutes: v.DRIFT_SWEEP_MINUTES,
    languageModel:
      v.LLM_BASE_URL !== undefined && v.LLM_MODELS !== undefined
        ? { baseUrl: v.LLM_BASE_URL, apiKey: v.LLM_API_KEY, models: v.LLM_MODELS }
        : undefined,
    embeddingsModel: v.EMBEDDINGS_MODEL,
    timeZone: v.TIME_ZONE,
    carrier:
      v.CARRIER === 'twilio' && v.TWILIO_ACCOUNT_SID !== undefined && v.TWILIO_AUTH_TOKEN !== undefined
        ? { kind: 'twilio', accountSid: v.TWILIO_ACCOUNT_SID, authToken: v.TWILIO_AUTH_TOKEN }
        : { kind: 'embedded' },
    objectStore:
      v.S3_ENDPOINT !== undefined &&
      v.S3_BUCKET !== undefined &&
      v.S3_ACCESS_KEY_ID !== undefined &&
      v.S3_SECRET_ACCESS_KEY !== undefined
        ? {
            endpoint: v.S3_ENDPOINT,
            bucket: v.S3_BUCKET,
            accessKeyId: v.S3_ACCESS_KEY_ID,
            secretAccessKey: v.S3_SECRET_ACCESS_KEY,
          }
        : undefined,
    redisUrl: v.REDIS_URL,
    rateLimits: {
      perMinute: v.RATE_LIMIT_PER_MINUTE,
      turnsPerMinute: v.TURN_RATE_LIMIT_PER_MINUTE,
      widgetPerMinute: v.WIDGET_RATE_LIMIT_PER_MINUTE,
      wrongTokensPerMinute: v.WRONG_TOKEN_LIMIT_PER_MINUTE ?? wrongTokensBeside(v.RATE_LIMIT_PER_MINUTE),
    },
    trustedProxies: v.TRUSTED_PROXIES,
    turnsAtOnce: v.TURN_CONCURRENCY,
    allowPrivateNetwork: v.ALLOW_PRIVATE_NETWORK,
    webhookCredentials: v.WEBHOOK_CREDENTIALS,
    logLevel: v.LOG_LEVEL,
  }
}
