import { describe, expect, test } from 'vitest'
import { EnvError, readEnv, readTestDatabaseUrl } from '../src/app/env.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')
const KEY_FORM =
  'SECRETS_KEY must be 32 bytes in base64 (openssl rand -base64 32), or several of them with commas between'
const DATABASE = { DATABASE_URL: 'postgres://u:p@db/x', SECRETS_KEY: KEY }
const PLATFORM = { VOICE_PLATFORM_URL: 'https://platform.test', VOICE_PLATFORM_API_KEY: 'private' }
const MODEL = { LLM_BASE_URL: 'http://localhost:8000/v1', LLM_MODELS: 'small' }
const S3 = {
  S3_ENDPOINT: 'https://s3.test',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

const limits = { perMinute: 600, turnsPerMinute: 60, widgetPerMinute: 300, wrongTokensPerMinute: 600 }

test('an empty environment gives the defaults', () => {
  expect(readEnv({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    databaseUrl: undefined,
    databaseStartSeconds: 30,
    databaseStuckMs: 60_000,
    databasePoolSize: 10,
    databaseConnections: {
      deadlines: { statementMs: 15_000, lockMs: 10_000, connectionMs: 10_000 },
      pooler: 'session',
      prepare: true,
    },
    requestMs: 60_000,
    outsideTimes: { objectStoreMs: 20_000, carrierMs: 9_000, embeddingsMs: 30_000 },
    retention: { audit: 0, messages: 0, calls: 0, versions: 0, deliveries: 30, drift: 365 },
    databaseDirectUrl: undefined,
    databaseReplicaUrl: undefined,
    backups: { to: undefined, hours: 0, keep: 14 },
    telemetry: undefined,
    drainMs: 0,
    dataDir: '.data',
    adminApiKey: undefined,
    secretsKeys: undefined,
    voicePlatform: undefined,
    backgroundSoundBaseUrl: undefined,
    languageModel: undefined,
    embeddingsModel: undefined,
    carrier: { kind: 'embedded' },
    objectStore: undefined,
    redisUrl: undefined,
    rateLimits: limits,
    timeZone: 'UTC',
    trustedProxies: [],
    turnsAtOnce: 100,
    allowPrivateNetwork: [],
    webhookCredentials: new Map(),
    versionHistoryLimit: 200,
    conversationDays: 0,
    liveWriteGraceMs: 60_000,
    driftSweepMinutes: 5,
    logLevel: 'info',
  })
})

describe('good values', () => {
  test.each<[string, Record<string, string>, Partial<ReturnType<typeof readEnv>>]>([
    ['HOST', { HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    ['PORT 0', { PORT: '0' }, { port: 0 }],
    ['DRIFT_SWEEP_MINUTES', { DRIFT_SWEEP_MINUTES: '0' }, { driftSweepMinutes: 0 }],
    ['LIVE_WRITE_GRACE_SECONDS', { LIVE_WRITE_GRACE_SECONDS: '8' }, { liveWriteGraceMs: 8_000 }],
    ['PORT 65535', { PORT: '65535' }, { port: 65_535 }],
    ['PUBLIC_URL loses its last slash', { PUBLIC_URL: 'https://a.test/b/' }, { publicUrl: 'https://a.test/b' }],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'postgres://u:p@db/x', SECRETS_KEY: KEY },
      { databaseUrl: 'postgres://u:p@db/x', secretsKeys: [new Uint8Array(32).fill(7)] },
    ],
    [
      'SECRETS_KEY of several keys',
      { SECRETS_KEY: `${OTHER_KEY}, ${KEY}` },
      { secretsKeys: [new Uint8Array(32).fill(8), new Uint8Array(32).fill(7)] },
    ],
    ['DATABASE_START_SECONDS', { DATABASE_START_SECONDS: '0' }, { databaseStartSeconds: 0 }],
    ['DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '40' }, { databasePoolSize: 40 }],
    ['DATABASE_STUCK_SECONDS', { DATABASE_STUCK_SECONDS: '0' }, { databaseStuckMs: 0 }],
    [
      'DATABASE_*_SECONDS',
      { DATABASE_STATEMENT_SECONDS: '3', DATABASE_LOCK_SECONDS: '2', DATABASE_CONNECTION_SECONDS: '1' },
      {
        databaseConnections: {
          deadlines: { statementMs: 3_000, lockMs: 2_000, connectionMs: 1_000 },
          pooler: 'session',
          prepare: true,
        },
      },
    ],
    [
      'DATABASE_REPLICA_URL',
      {
        DATABASE_URL: 'postgres://u:p@db/x',
        DATABASE_REPLICA_URL: 'postgres://u:p@standby/x',
        SECRETS_KEY: KEY,
      },
      {
        databaseUrl: 'postgres://u:p@db/x',
        databaseReplicaUrl: 'postgres://u:p@standby/x',
        secretsKeys: [new Uint8Array(32).fill(7)],
      },
    ],
    [
      'DATABASE_DIRECT_URL',
      { ...DATABASE, DATABASE_DIRECT_URL: 'postgres://u:p@db/x' },
      { databaseDirectUrl: 'postgres://u:p@db/x' },
    ],
    [
      'RETENTION_*',
      {
        ...{ RETENTION_AUDIT_DAYS: '365', RETENTION_MESSAGES_DAYS: '90', RETENTION_CALLS_DAYS: '30' },
        ...{ RETENTION_VERSIONS_DAYS: '700', RETENTION_DELIVERIES_DAYS: '0', RETENTION_DRIFT_DAYS: '60' },
      },
      { retention: { audit: 365, messages: 90, calls: 30, versions: 700, deliveries: 0, drift: 60 } },
    ],
    [
      'seconds of what is outside',
      { S3_SECONDS: '5', CARRIER_SECONDS: '4', EMBEDDINGS_SECONDS: '3' },
      { outsideTimes: { objectStoreMs: 5_000, carrierMs: 4_000, embeddingsMs: 3_000 } },
    ],
    [
      'BACKUP_*',
      { ...S3, BACKUP_TO: 's3://archives/here', BACKUP_HOURS: '6', BACKUP_KEEP: '0' },
      { backups: { to: 's3://archives/here', hours: 6, keep: 0 } },
    ],
    [
      'OTEL_*',
      {
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', OTEL_TRACES_SAMPLER_ARG: '0.25' },
        ...{ OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b,x=1=2', OTEL_SERVICE_NAME: 'voice' },
      },
      {
        telemetry: {
          ...{ endpoint: 'http://collector:4318', serviceName: 'voice', ratio: 0.25 },
          headers: { 'api-key': 'a b', x: '1=2' },
        },
      },
    ],
    ['REQUEST_SECONDS', { REQUEST_SECONDS: '7' }, { requestMs: 7_000 }],
    [
      'DATABASE_POOLER, which prepares nothing unless told to',
      { ...DATABASE, DATABASE_POOLER: 'transaction' },
      { databaseConnections: { ...readEnv({}).databaseConnections, pooler: 'transaction', prepare: false } },
    ],
    [
      'DATABASE_PREPARED_STATEMENTS',
      { ...DATABASE, DATABASE_POOLER: 'transaction', DATABASE_PREPARED_STATEMENTS: 'on' },
      { databaseConnections: { ...readEnv({}).databaseConnections, pooler: 'transaction', prepare: true } },
    ],
    ['DRAIN_SECONDS', { DRAIN_SECONDS: '5' }, { drainMs: 5000 }],
    ['WIDGET_CONVERSATION_DAYS', { WIDGET_CONVERSATION_DAYS: '90' }, { conversationDays: 90 }],
    ['DATA_DIR', { DATA_DIR: '/var/lib/switchboard' }, { dataDir: '/var/lib/switchboard' }],
    ['ADMIN_API_KEY', { ADMIN_API_KEY: 'k'.repeat(32) }, { adminApiKey: 'k'.repeat(32) }],
    [
      'VOICE_PLATFORM_*',
      { ...PLATFORM, VOICE_PLATFORM_PUBLIC_KEY: 'public' },
      { voicePlatform: { url: 'https://platform.test', apiKey: 'private', publicKey: 'public' } },
    ],
    [
      'BACKGROUND_SOUND_BASE_URL',
      { BACKGROUND_SOUND_BASE_URL: 'https://s.test/' },
      { backgroundSoundBaseUrl: 'https://s.test' },
    ],
    [
      'LLM_*, a list with blanks',
      { ...MODEL, LLM_MODELS: ' small, ,large ,', LLM_API_KEY: 'k', EMBEDDINGS_MODEL: 'e' },
      {
        languageModel: { baseUrl: 'http://localhost:8000/v1', apiKey: 'k', models: ['small', 'large'] },
        embeddingsModel: 'e',
      },
    ],
    [
      'CARRIER twilio',
      { CARRIER: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't' },
      { carrier: { kind: 'twilio', accountSid: 'AC1', authToken: 't' } },
    ],
    [
      'TWILIO_* beside CARRIER embedded',
      { CARRIER: 'embedded', TWILIO_ACCOUNT_SID: 'AC1' },
      { carrier: { kind: 'embedded' } },
    ],
    [
      'S3_*',
      S3,
      { objectStore: { endpoint: 'https://s3.test', bucket: 'files', accessKeyId: 'id', secretAccessKey: 'secret' } },
    ],
    ['TIME_ZONE', { TIME_ZONE: 'Europe/Berlin' }, { timeZone: 'Europe/Berlin' }],
    ['REDIS_URL', { REDIS_URL: 'rediss://r.test:6380' }, { redisUrl: 'rediss://r.test:6380' }],
    [
      'WIDGET_RATE_LIMIT_PER_MINUTE',
      { WIDGET_RATE_LIMIT_PER_MINUTE: '9' },
      { rateLimits: { ...limits, widgetPerMinute: 9 } },
    ],
    [
      'WRONG_TOKEN_LIMIT_PER_MINUTE',
      { WRONG_TOKEN_LIMIT_PER_MINUTE: '0' },
      { rateLimits: { ...limits, wrongTokensPerMinute: 0 } },
    ],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.1, fd00::/8' }, { trustedProxies: ['10.0.0.1', 'fd00::/8'] }],
    ['TURN_CONCURRENCY', { TURN_CONCURRENCY: '7' }, { turnsAtOnce: 7 }],
    [
      'RATE_LIMIT_PER_MINUTE 0, for wrong tokens as well',
      { RATE_LIMIT_PER_MINUTE: '0' },
      { rateLimits: { ...limits, perMinute: 0, wrongTokensPerMinute: 0 } },
    ],
    [
      'a small RATE_LIMIT_PER_MINUTE, which wrong tokens keep theirs beside',
      { RATE_LIMIT_PER_MINUTE: '5' },
      { rateLimits: { ...limits, perMinute: 5 } },
    ],
    [
      'a large one, which is theirs too',
      { RATE_LIMIT_PER_MINUTE: '9000' },
      { rateLimits: { ...limits, perMinute: 9000, wrongTokensPerMinute: 9000 } },
    ],
    [
      'WRONG_TOKEN_LIMIT_PER_MINUTE without RATE_LIMIT_PER_MINUTE',
      { RATE_LIMIT_PER_MINUTE: '0', WRONG_TOKEN_LIMIT_PER_MINUTE: '7' },
      { rateLimits: { ...limits, perMinute: 0, wrongTokensPerMinute: 7 } },
    ],
    [
      'TURN_RATE_LIMIT_PER_MINUTE',
      { TURN_RATE_LIMIT_PER_MINUTE: '5' },
      { rateLimits: { ...limits, turnsPerMinute: 5 } },
    ],
    [
      'WEBHOOK_CREDENTIALS',
      { WEBHOOK_CREDENTIALS: 'crm:hmac:a:key, desk:bearer:token' },
      {
        webhookCredentials: new Map([
          ['crm', { kind: 'hmac', secret: 'a:key' }],
          ['desk', { kind: 'bearer', secret: 'token' }],
        ]),
      },
    ],
    [
      'ALLOW_PRIVATE_NETWORK',
      { ALLOW_PRIVATE_NETWORK: 'tools.internal, 10.0.0.0/8,::1,localhost' },
      { allowPrivateNetwork: ['tools.internal', '10.0.0.0/8', '::1', 'localhost'] },
    ],
    ['LOG_LEVEL', { LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    ['blank values are unset', { PORT: '', PUBLIC_URL: ' ', S3_BUCKET: '', LOG_LEVEL: '  ' }, readEnv({})],
    ['values are trimmed', { HOST: ' localhost ', PORT: '80\n' }, { host: 'localhost', port: 80 }],
  ])('%s', (_name, source, expected) => {
    expect(readEnv(source)).toMatchObject(expected)
  })
})

/** Addresses that paths cannot be appended to, by the variable. */
const noBases = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.test/?key=1',
  VOICE_PLATFORM_URL: 'https://p.test?key=1',
  BACKGROUND_SOUND_BASE_URL: 'https://s.test/#sounds',
  LLM_BASE_URL: 'http://m.test/v1?api-version=1',
  S3_ENDPOINT: 'https://s3.test/?region=eu',
}

describe('bad values', () => {
  test.each<[Record<string, string>, string[]]>([
    [{ PORT: '65536' }, ['PORT must be an integer from 0 to 65535']],
    [{ RETENTION_AUDIT_DAYS: '-1' }, ['RETENTION_AUDIT_DAYS must be an integer from 0 to 36500']],
    [{ REQUEST_SECONDS: '0' }, ['REQUEST_SECONDS must be an integer from 1 to 3600']],
    [{ DATABASE_STATEMENT_SECONDS: '1s' }, ['DATABASE_STATEMENT_SECONDS must be an integer from 1 to 3600']],
    [{ ...DATABASE, DATABASE_POOLER: 'statement' }, ['DATABASE_POOLER must be one of: session, transaction']],
    [{ DATABASE_PREPARED_STATEMENTS: 'no' }, ['DATABASE_PREPARED_STATEMENTS must be one of: on, off']],
    [{ PORT: '-1' }, ['PORT must be an integer from 0 to 65535']],
    [{ PORT: '3e3' }, ['PORT must be an integer from 0 to 65535']],
    [{ PUBLIC_URL: 'ftp://a.test' }, ['PUBLIC_URL must be an http or https URL']],
    [{ PUBLIC_URL: 'a.test' }, ['PUBLIC_URL must be an http or https URL']],
    [{ PUBLIC_URL: 'https://a.test/b?c=d' }, ['PUBLIC_URL must be an http or https URL without ? and #']],
    [{ PUBLIC_URL: 'https://a.test/#here' }, ['PUBLIC_URL must be an http or https URL without ? and #']],
    [
      { DATABASE_URL: 'postgres://u:100%@db/x', SECRETS_KEY: KEY },
      ['DATABASE_URL has a % that encodes nothing: write it as %25'],
    ],
    [
      { ...DATABASE, DATABASE_DIRECT_URL: 'postgres://u:p@db/x?target_session_attrs=any' },
      [
        'DATABASE_DIRECT_URL must have as target_session_attrs one of: read-write, read-only, primary, standby, prefer-standby',
      ],
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.test', OTEL_EXPORTER_OTLP_HEADERS: 'a=%ff' },
      ['OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list of name=value, with values encoded as in URLs'],
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.test', OTEL_EXPORTER_OTLP_HEADERS: 'auth=a%0d%0ab' },
      ['OTEL_EXPORTER_OTLP_HEADERS must have values that fit in a header'],
    ],
    ...Object.entries(noBases).map(([name, address]): [Record<string, string>, string[]] => [
      { ...PLATFORM, ...MODEL, ...S3, [name]: address },
      [`${name} must be an http or https URL without ? and #`],
    ]),
    [{ DATABASE_DIRECT_URL: 'postgres://db/x' }, ['DATABASE_URL must be set, as DATABASE_DIRECT_URL is']],
    [{ DATABASE_POOLER: 'transaction' }, ['DATABASE_URL must be set, as DATABASE_POOLER is']],
    [{ TWILIO_ACCOUNT_SID: 'AC1' }, ['CARRIER must be set, as TWILIO_ACCOUNT_SID is']],
    [{ TWILIO_AUTH_TOKEN: 't' }, ['CARRIER must be set, as TWILIO_AUTH_TOKEN is']],
    [{ WEBHOOK_CREDENTIALS: 'a:hmac:b, a:hmac:c' }, ['WEBHOOK_CREDENTIALS must name each id once']],
    [{ DATABASE_URL: 'mysql://db/x', SECRETS_KEY: KEY }, ['DATABASE_URL must be a postgres:// or postgresql:// URL']],
    [
      { DATABASE_URL: 'postgres://db/x' },
      [
        'SECRETS_KEY must be set, as DATABASE_URL is: every instance on that database must have the same (make one: openssl rand -base64 32)',
      ],
    ],
    [{ DATABASE_START_SECONDS: 'long' }, ['DATABASE_START_SECONDS must be an integer from 0 to 3600']],
    [{ SECRETS_KEY: 'c2hvcnQ=' }, [KEY_FORM]],
    [{ SECRETS_KEY: `${KEY},c2hvcnQ=` }, [KEY_FORM]],
    [{ SECRETS_KEY: ',' }, [KEY_FORM]],
    [{ ADMIN_API_KEY: `with space ${'k'.repeat(32)}` }, ['ADMIN_API_KEY must be printable ASCII without spaces']],
    [{ DATABASE_POOL_SIZE: '0' }, ['DATABASE_POOL_SIZE must be an integer from 1 to 1000']],
    [{ ADMIN_API_KEY: 'k'.repeat(31) }, ['ADMIN_API_KEY must be at least 32 characters']],
    [{ DATABASE_REPLICA_URL: 'postgres://standby/x' }, ['DATABASE_URL must be set, as DATABASE_REPLICA_URL is']],
    [{ VOICE_PLATFORM_URL: 'https://p.test' }, ['VOICE_PLATFORM_API_KEY must be set, as VOICE_PLATFORM_URL is']],
    [{ VOICE_PLATFORM_API_KEY: 'k' }, ['VOICE_PLATFORM_URL must be set, as VOICE_PLATFORM_API_KEY is']],
    [{ VOICE_PLATFORM_PUBLIC_KEY: 'k' }, ['VOICE_PLATFORM_URL must be set, as VOICE_PLATFORM_PUBLIC_KEY is']],
    [{ ...PLATFORM, VOICE_PLATFORM_URL: 'p' }, ['VOICE_PLATFORM_URL must be an http or https URL']],
    [{ BACKGROUND_SOUND_BASE_URL: 'sounds' }, ['BACKGROUND_SOUND_BASE_URL must be an http or https URL']],
    [{ ...MODEL, LLM_BASE_URL: 'x' }, ['LLM_BASE_URL must be an http or https URL']],
    [
      { ...MODEL, LLM_MODELS: 'small;context=many' },
      ['LLM_MODELS must list models as id or id;context=TOKENS;output=TOKENS;tools=no'],
    ],
    [{ TIME_ZONE: 'Mars/Olympus' }, ['TIME_ZONE must be a time zone such as Europe/Berlin']],
    [{ ...MODEL, LLM_MODELS: ',' }, ['LLM_MODELS must be a comma-separated list of model ids']],
    [{ LLM_BASE_URL: 'http://m.test' }, ['LLM_MODELS must be set, as LLM_BASE_URL is']],
    [{ LLM_MODELS: 'm' }, ['LLM_BASE_URL must be set, as LLM_MODELS is']],
    [{ LLM_API_KEY: 'k' }, ['LLM_BASE_URL must be set, as LLM_API_KEY is']],
    [{ EMBEDDINGS_MODEL: 'e' }, ['LLM_BASE_URL must be set, as EMBEDDINGS_MODEL is']],
    [{ CARRIER: 'pigeon' }, ['CARRIER must be one of: embedded, twilio']],
    [
      { CARRIER: 'twilio' },
      ['TWILIO_ACCOUNT_SID must be set, as CARRIER is twilio', 'TWILIO_AUTH_TOKEN must be set, as CARRIER is twilio'],
    ],
    [{ ...S3, S3_ENDPOINT: 's3' }, ['S3_ENDPOINT must be an http or https URL']],
    [{ ...S3, S3_BUCKET: '' }, ['S3_BUCKET must be set, as S3_SECRET_ACCESS_KEY is']],
    [
      { BACKUP_TO: 's3://archives/here', BACKUP_HOURS: '1' },
      Object.keys(S3).map(
        (name) =>
          `${name} must be set, as BACKUP_TO begins with s3://: uploaded files are kept there as well from then on, so copy DATA_DIR/files there first`,
      ),
    ],
    ...['s3:///here', 's3:here', 'https://s3.test/archives', 'file:///archives', 'S3://archives/here'].map(
      (to): [Record<string, string>, string[]] => [
        { ...S3, BACKUP_TO: to },
        ['BACKUP_TO must be a folder, or s3://bucket/prefix'],
      ],
    ),
    [{ REDIS_URL: 'http://r.test' }, ['REDIS_URL must be a redis:// or rediss:// URL']],
    [{ RATE_LIMIT_PER_MINUTE: '-5' }, ['RATE_LIMIT_PER_MINUTE must be an integer from 0 to 1000000']],
    [{ TRUSTED_PROXIES: 'proxy.test' }, ['TRUSTED_PROXIES must be a comma-separated list of addresses or CIDR blocks']],
    [{ TURN_CONCURRENCY: '0' }, ['TURN_CONCURRENCY must be an integer from 1 to 10000']],
    [{ TURN_RATE_LIMIT_PER_MINUTE: 'many' }, ['TURN_RATE_LIMIT_PER_MINUTE must be an integer from 0 to 1000000']],
    [
      { ALLOW_PRIVATE_NETWORK: '10.0.0.0/33' },
      ['ALLOW_PRIVATE_NETWORK must be a comma-separated list of host names, addresses or CIDR blocks'],
    ],
    [
      { WEBHOOK_CREDENTIALS: 'crm:basic:secret' },
      ['WEBHOOK_CREDENTIALS must be a comma-separated list of id:hmac:secret or id:bearer:token'],
    ],
    [{ LOG_LEVEL: 'loud' }, ['LOG_LEVEL must be one of: fatal, error, warn, info, debug, trace, silent']],
  ])('%j', (source, problems) => {
    expect(problemsOf(source)).toEqual(problems)
  })

  test('all are named at once, and no value is repeated', () => {
    const source = { PORT: 'hunter2', SECRETS_KEY: 'hunter2', DATABASE_URL: 'hunter2', S3_ENDPOINT: 'hunter2' }
    const problems = problemsOf(source)
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
      'DATABASE_URL',
      'PORT',
      'S3_ACCESS_KEY_ID',
      'S3_BUCKET',
      'S3_ENDPOINT',
      'S3_SECRET_ACCESS_KEY',
      'SECRETS_KEY',
    ])
    expect(problems.join()).not.toContain('hunter2')
  })
})

test('TEST_DATABASE_URL is read for the tests', () => {
  expect(readTestDatabaseUrl({ TEST_DATABASE_URL: ' postgres://localhost/x ' })).toBe('postgres://localhost/x')
  expect(readTestDatabaseUrl({ TEST_DATABASE_URL: '' })).toBeUndefined()
})

function problemsOf(source: Record<string, string>): string[] {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error.problems
  }
  throw new Error('The environment was accepted')
}
