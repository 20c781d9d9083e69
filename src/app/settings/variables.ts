import { z } from 'zod'
import { modelEntry, modelEntryForm } from '../../language-model/model-entry.ts'
import { isTimeZone } from '../../runtime/time-zone.ts'
import { retention } from '../retention.ts'
import { backups } from './backups.ts'
import {
  adminKey,
  baseUrl,
  credentials,
  integer,
  LogLevel,
  list,
  NetworkAddress,
  NetworkPlace,
  postgresUrl,
  SECRETS_KEY_FORM,
  secondsAsMs,
  secretsKey,
  text,
  token,
} from './forms.ts'
import { Setting, settingsIn, type VariableOf } from './setting.ts'
import { telemetry } from './telemetry.ts'

/** Every setting: how the server calls it, its variable, its form and what holds where it is not set. */
export const settings = {
  host: new Setting('HOST', text.default('127.0.0.1')),
  /** 0 picks a free port. */
  port: new Setting('PORT', integer(65_535).default(3000)),
  /** Without a slash at the end; unset: where the server listens. */
  publicUrl: new Setting('PUBLIC_URL', baseUrl.optional()),
  /** Unset: the embedded database under `dataDir`. */
  databaseUrl: new Setting('DATABASE_URL', postgresUrl.optional()),
  /** The database server itself, where `databaseUrl` leads to a pooler. */
  databaseDirectUrl: new Setting('DATABASE_DIRECT_URL', postgresUrl.optional()),
  /** A standby of the database server, which lists are read from. */
  databaseReplicaUrl: new Setting('DATABASE_REPLICA_URL', postgresUrl.optional()),
  /** How long a start waits for a database that does not serve yet. */
  databaseStartSeconds: new Setting('DATABASE_START_SECONDS', integer(3600).default(30)),
  /** Connections to a PostgreSQL server. */
  databasePoolSize: new Setting('DATABASE_POOL_SIZE', integer(1000, 1).default(10)),
  /** How long the embedded database may hold the thread that serves before the process ends; 0: for ever. */
  databaseStuckMs: new Setting('DATABASE_STUCK_SECONDS', secondsAsMs(60, { max: 3600 })),
  databaseDeadlines: {
    statementMs: new Setting('DATABASE_STATEMENT_SECONDS', secondsAsMs(15, { min: 1, max: 3600 })),
    lockMs: new Setting('DATABASE_LOCK_SECONDS', secondsAsMs(10, { min: 1, max: 3600 })),
    connectionMs: new Setting('DATABASE_CONNECTION_SECONDS', secondsAsMs(10, { min: 1, max: 600 })),
  },
  /** How long a request may take that is no turn. */
  requestMs: new Setting('REQUEST_SECONDS', secondsAsMs(60, { min: 1, max: 3600 })),
  /** How long calls to what is outside may take. */
  outsideTimes: {
    /** Of the object store, until it responds; a transfer gets three times as long, a download fifteen times. */
    objectStoreMs: new Setting('S3_SECONDS', secondsAsMs(20, { min: 1, max: 3600 })),
    carrierMs: new Setting('CARRIER_SECONDS', secondsAsMs(9, { min: 1, max: 600 })),
    embeddingsMs: new Setting('EMBEDDINGS_SECONDS', secondsAsMs(30, { min: 1, max: 600 })),
  },
  /** What a pooler before the server gives back to it: sessions, which are like connections, or transactions. */
  databasePooler: new Setting(
    'DATABASE_POOLER',
    z.enum(['session', 'transaction'], 'must be one of: session, transaction').default('session'),
  ),
  /** Whether statements are prepared by name; unset: unless a pooler gives back transactions. */
  databasePrepared: new Setting(
    'DATABASE_PREPARED_STATEMENTS',
    z.enum(['on', 'off'], 'must be one of: on, off').optional(),
  ),
  retention,
  backups,
  telemetry,
  /** How long a server that is stopped goes on serving, so that balancers see that it is not ready. */
  drainMs: new Setting('DRAIN_SECONDS', secondsAsMs(0, { max: 600 })),
  dataDir: new Setting('DATA_DIR', text.default('.data')),
  adminApiKey: new Setting('ADMIN_API_KEY', adminKey.optional()),
  /** 32 bytes each: the first seals, all open. Always set with `databaseUrl`. */
  secretsKeys: new Setting('SECRETS_KEY', list.pipe(z.array(secretsKey).min(1, SECRETS_KEY_FORM)).optional()),
  voicePlatform: {
    url: new Setting('VOICE_PLATFORM_URL', baseUrl.optional()),
    apiKey: new Setting('VOICE_PLATFORM_API_KEY', token.optional()),
    publicKey: new Setting('VOICE_PLATFORM_PUBLIC_KEY', token.optional()),
  },
  /** Where named background sounds are found: `<base>/<name>`, hence without a slash at the end. */
  backgroundSoundBaseUrl: new Setting('BACKGROUND_SOUND_BASE_URL', baseUrl.optional()),
  /** Entries kept of an assistant's history. */
  versionHistoryLimit: new Setting('VERSION_HISTORY_LIMIT', integer(100_000).default(200)),
  /** Days that a conversation of a website's visitor is kept after its last message; 0: until it is deleted. */
  conversationDays: new Setting('WIDGET_CONVERSATION_DAYS', integer(36_500).default(0)),
  /** How long after a live write that got no response it may still arrive. */
  liveWriteGraceMs: new Setting('LIVE_WRITE_GRACE_SECONDS', secondsAsMs(60, { max: 86_400 })),
  /** Minutes between two sweeps for drift; 0: none but those that are asked for. */
  driftSweepMinutes: new Setting('DRIFT_SWEEP_MINUTES', integer(10_080).default(5)),
  languageModel: {
    baseUrl: new Setting('LLM_BASE_URL', baseUrl.optional()),
    apiKey: new Setting('LLM_API_KEY', token.optional()),
    /** The first is the default. */
    models: new Setting(
      'LLM_MODELS',
      list
        .pipe(
          z
            .array(text.refine((entry) => modelEntry(entry) !== undefined, `must list models as ${modelEntryForm}`))
            .min(1, 'must be a comma-separated list of model ids'),
        )
        .optional(),
    ),
  },
  /** Whose time agents are given. */
  timeZone: new Setting(
    'TIME_ZONE',
    text.refine(isTimeZone, 'must be a time zone such as Europe/Berlin').default('UTC'),
  ),
  /** Unset: the embedded embedder. */
  embeddingsModel: new Setting('EMBEDDINGS_MODEL', text.optional()),
  carrier: {
    kind: new Setting(
      'CARRIER',
      z.enum(['embedded', 'twilio'], 'must be one of: embedded, twilio').default('embedded'),
    ),
    accountSid: new Setting('TWILIO_ACCOUNT_SID', token.optional()),
    authToken: new Setting('TWILIO_AUTH_TOKEN', token.optional()),
  },
  objectStore: {
    endpoint: new Setting('S3_ENDPOINT', baseUrl.optional()),
    bucket: new Setting('S3_BUCKET', text.optional()),
    accessKeyId: new Setting('S3_ACCESS_KEY_ID', token.optional()),
    secretAccessKey: new Setting('S3_SECRET_ACCESS_KEY', token.optional()),
  },
  /** Unset: rate limits are counted in process. */
  redisUrl: new Setting(
    'REDIS_URL',
    z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' }).optional(),
  ),
  /** Requests per minute; 0 is no limit. */
  rateLimits: {
    perMinute: new Setting('RATE_LIMIT_PER_MINUTE', integer(1_000_000).default(600)),
    turnsPerMinute: new Setting('TURN_RATE_LIMIT_PER_MINUTE', integer(1_000_000).default(60)),
    widgetPerMinute: new Setting('WIDGET_RATE_LIMIT_PER_MINUTE', integer(1_000_000).default(300)),
    wrongTokensPerMinute: new Setting('WRONG_TOKEN_LIMIT_PER_MINUTE', integer(1_000_000).optional()),
  },
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is believed. */
  trustedProxies: new Setting(
    'TRUSTED_PROXIES',
    list
      .refine(
        (places) => places.every((place) => NetworkAddress.safeParse(place).success),
        'must be a comma-separated list of addresses or CIDR blocks',
      )
      .default([]),
  ),
  /** Turns that run at once in this process. */
  turnsAtOnce: new Setting('TURN_CONCURRENCY', integer(10_000, 1).default(100)),
  /** Host names, addresses and CIDR blocks. */
  allowPrivateNetwork: new Setting(
    'ALLOW_PRIVATE_NETWORK',
    list
      .refine(
        (places) => places.every((place) => NetworkPlace.safeParse(place).success),
        'must be a comma-separated list of host names, addresses or CIDR blocks',
      )
      .default([]),
  ),
  /** What `server.credentialId` may name, by id. */
  webhookCredentials: new Setting('WEBHOOK_CREDENTIALS', credentials.default(new Map())),
  logLevel: new Setting('LOG_LEVEL', LogLevel.default('info')),
}

/** Every variable that is read. */
export const Variables = z.object(
  Object.fromEntries(settingsIn(settings).map(({ variable, form }) => [variable, form])),
)

type Name = VariableOf<typeof settings>

const S3: Name[] = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']

interface Need {
  when: Name
  is?: string
  begins?: string
  needs: Name[]
  why?: string
}

/** What has to be set when something else is. */
const NEEDS: Need[] = [
  ...(['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'DATABASE_POOLER'] as const).map(
    (when): Need => ({ when, needs: ['DATABASE_URL'] }),
  ),
  { when: 'VOICE_PLATFORM_URL', needs: ['VOICE_PLATFORM_API_KEY'] },
  { when: 'VOICE_PLATFORM_API_KEY', needs: ['VOICE_PLATFORM_URL'] },
  { when: 'VOICE_PLATFORM_PUBLIC_KEY', needs: ['VOICE_PLATFORM_URL'] },
  { when: 'LLM_BASE_URL', needs: ['LLM_MODELS'] },
  { when: 'LLM_MODELS', needs: ['LLM_BASE_URL'] },
  { when: 'LLM_API_KEY', needs: ['LLM_BASE_URL'] },
  { when: 'EMBEDDINGS_MODEL', needs: ['LLM_BASE_URL'] },
  { when: 'CARRIER', is: 'twilio', needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] },
  { when: 'TWILIO_ACCOUNT_SID', needs: ['CARRIER'] },
  { when: 'TWILIO_AUTH_TOKEN', needs: ['CARRIER'] },
  { when: 'BACKUP_HOURS', needs: ['BACKUP_TO'] },
  {
    when: 'BACKUP_TO',
    begins: 's3://',
    needs: S3,
    why: 'uploaded files are kept there as well from then on, so copy DATA_DIR/files there first',
  },
  { when: 'OTEL_EXPORTER_OTLP_HEADERS', needs: ['OTEL_EXPORTER_OTLP_ENDPOINT'] },
  ...S3.map((when) => ({ when, needs: S3.filter((name) => name !== when) })),
  {
    when: 'DATABASE_URL',
    needs: ['SECRETS_KEY'],
    why: 'every instance on that database must have the same (make one: openssl rand -base64 32)',
  },
]

/** What is not set although something else needs it: its name, and why. */
export function missing(set: Record<string, string>): Map<string, string> {
  const problems = new Map<string, string>()
  for (const { when, is, begins, needs, why } of NEEDS) {
    const value = set[when]
    if (value === undefined || (is !== undefined && value !== is) || !value.startsWith(begins ?? '')) continue
    const as = begins === undefined ? `is${is ? ` ${is}` : ''}` : `begins with ${begins}`
    for (const name of needs) {
      if (set[name] !== undefined) continue
      problems.set(name, `must be set, as ${when} ${as}${why ? `: ${why}` : ''}`)
    }
  }
  return problems
}
