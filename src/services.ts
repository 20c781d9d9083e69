import type { Logger } from 'pino'
import { inProcessLimiter } from './api/rate-limit/in-process.ts'
import type { RateLimiter } from './api/rate-limit/limiter.ts'
import type { Clock } from './clock.ts'
import type { DatabaseHandle } from './db/client.ts'
import { migrationsPending } from './db/migrate.ts'
import type { Dependencies, Settings } from './dependencies.ts'
import { assistantTwin } from './resources/assistants/twin.ts'
import { authenticator } from './resources/tokens/authenticate.ts'
import type { Vault } from './secrets/vault.ts'
import type { Files } from './storage/files.ts'
import type { PlatformClient } from './voice-platform/client.ts'
import { createMirror } from './voice-platform/mirror.ts'

/** What the outside gives: everything else is made from it. */
export interface Outside {
  database: DatabaseHandle
  clock: Clock
  log: Logger
  platform: PlatformClient
  embeddedPlatform: boolean
  vault: Vault
  files: Files
  settings: Settings
  rateLimits: Dependencies['rateLimits']
  limiter?: RateLimiter
  /** Waiting times of the mirror, in milliseconds; see `createMirror`. */
  mirrorTimes?: { leaseMs?: number; waitMs?: number; graceMs?: number; everyMs?: number }
}

/** Puts the application's dependencies together from what the outside gives. */
export function createServices(outside: Outside): Dependencies {
  const { database, clock, log, platform } = outside
  const { db } = database
  const accounts = authenticator(db, clock)
  return {
    db,
    clock,
    log,
    platform,
    vault: outside.vault,
    files: outside.files,
    settings: outside.settings,
    limiter: outside.limiter ?? inProcessLimiter(clock),
    rateLimits: outside.rateLimits,
    mirror: createMirror({ db, log, twins: [assistantTwin(platform)], ...outside.mirrorTimes }),
    authenticate: (token) => accounts.authenticate(token),
    forgetAccounts: () => accounts.forget(),
    health: {
      database: database.embedded ? 'embedded' : 'postgresql',
      voicePlatform: outside.embeddedPlatform ? 'embedded (simulated)' : 'live',
      async notReady() {
        try {
          await database.ping()
          return (await migrationsPending(database)) ? 'migrations are pending' : undefined
        } catch {
          return 'the database is out of reach'
        }
      },
    },
  }
}
