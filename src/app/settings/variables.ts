import { z } from 'zod'
import { modelEntry, modelEntryForm } from '../../language-model/model-entry.ts'
import { isTimeZone } from '../../runtime/time-zone.ts'
import { deadlineVariables } from '../deadlines.ts'
import { retentionVariables } from '../retention.ts'
import { backupVariables } from './backups.ts'
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
  secretsKey,
  text,
  token,
} from './forms.ts'
import { telemetryVariables } from './telemetry.ts'

/** Every variable that is read: its form, and what holds where it is not set. */
export const Variables = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: integer(65_535).default(3000),
  PUBLIC_URL: baseUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  DATABASE_START_SECONDS: integer(3600).default(30),
  DATABASE_POOL_SIZE: integer(1000, 1).default(10),
  DATABASE_STUCK_SECONDS: integer(3600).default(60),
  ...deadlineVariables,
  ...retentionVariables,
  ...backupVariables,
  ...telemetryVariables,
  DRAIN_SECONDS: integer(600).default(0),
  DATA_DIR: text.default('.data'),
  ADMIN_API_KEY: adminKey.optional(),
  SECRETS_KEY: list.pipe(z.array(secretsKey).min(1, SECRETS_KEY_FORM)).optional(),
  VOICE_PLATFORM_URL: baseUrl.optional(),
  VOICE_PLATFORM_API_KEY: token.optional(),
  VOICE_PLATFORM_PUBLIC_KEY: token.optional(),
  BACKGROUND_SOUND_BASE_URL: baseUrl.optional(),
  VERSION_HISTORY_LIMIT: integer(100_000).default(200),
  WIDGET_CONVERSATION_DAYS: integer(36_500).default(0),
  LIVE_WRITE_GRACE_SECONDS: integer(86_400).default(60),
  DRIFT_SWEEP_MINUTES: integer(10_080).default(5),
  LLM_BASE_URL: baseUrl.optional(),
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
  S3_ENDPOINT: baseUrl.optional(),
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
  TURN_CONCURRENCY: integer(10_000, 1).default(100),
  ALLOW_PRIVATE_NETWORK: list
    .refine(
      (places) => places.every((place) => NetworkPlace.safeParse(place).success),
      'must be a comma-separated list of host names, addresses or CIDR blocks',
    )
    .default([]),
  WEBHOOK_CREDENTIALS: credentials.default(new Map()),
  LOG_LEVEL: LogLevel.default('info'),
})

/** The values of all variables. */
export type Values = z.infer<typeof Variables>

type Name = keyof Values

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
