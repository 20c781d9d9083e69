import type { RateLimits } from '../api/rate-limit/limiter.ts'
import type { Credential } from '../webhooks/credentials.ts'
import { type DatabaseConnections, databaseConnections, type OutsideTimes, outsideTimes } from './deadlines.ts'
import { type Retention, retentionOf } from './retention.ts'
import { type BackupSettings, backupSettings } from './settings/backups.ts'
import { type TelemetrySettings, telemetrySettings } from './settings/telemetry.ts'
import { missing, type Values, Variables } from './settings/variables.ts'

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
  /** How long the embedded database may hold the thread that serves before the process ends; 0: for ever. */
  databaseStuckMs: number
  databaseConnections: DatabaseConnections
  /** The database server itself, where `databaseUrl` leads to a pooler. */
  databaseDirectUrl: string | undefined
  /** A standby of the database server, which lists are read from. */
  databaseReplicaUrl: string | undefined
  retention: Retention
  backups: BackupSettings
  /** Unset: no traces are sent. */
  telemetry: TelemetrySettings | undefined
  outsideTimes: OutsideTimes
  /** How long a request may take that is no turn. */
  requestMs: number
  /** How long a server that is stopped goes on serving, so that balancers see that it is not ready. */
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
  /** Days that a conversation of a website's visitor is kept after its last message; 0: until it is deleted. */
  conversationDays: number
  /** How long after a live write that got no response it may still arrive. */
  liveWriteGraceMs: number
  /** Minutes between two sweeps for drift; 0: none but those that are asked for. */
  driftSweepMinutes: number
  /** Whose time agents are given. */
  timeZone: string
  /** Unset: `local-extractive`. The first of `models` is the default. */
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
  logLevel: Values['LOG_LEVEL']
}

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

const leastWrongTokens = 600

/**
 * How many wrong tokens an address may send in a minute: what one token may, and none are counted where that has no
 * limit. Never so few that the 401s of an ordinary client, or of many behind one address, become 429s.
 */
const wrongTokensBeside = (perMinute: number) => (perMinute === 0 ? 0 : Math.max(leastWrongTokens, perMinute))

function grouped(v: Values): Env {
  return {
    host: v.HOST,
    port: v.PORT,
    publicUrl: v.PUBLIC_URL,
    databaseUrl: v.DATABASE_URL,
    databaseStartSeconds: v.DATABASE_START_SECONDS,
    databasePoolSize: v.DATABASE_POOL_SIZE,
    databaseStuckMs: v.DATABASE_STUCK_SECONDS * 1000,
    databaseConnections: databaseConnections(v),
    databaseDirectUrl: v.DATABASE_DIRECT_URL,
    databaseReplicaUrl: v.DATABASE_REPLICA_URL,
    retention: retentionOf(v),
    backups: backupSettings(v),
    telemetry: telemetrySettings(v),
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
