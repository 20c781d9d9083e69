import { readEnv } from '../../src/app/env.ts'
import { type RunningServer, startServer } from '../../src/app/server.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient, type PlatformClient } from '../../src/voice-platform/client.ts'
import { databaseUrl } from './parent.ts'
import { createLive } from './platform-stub.ts'

/** This server as it is compared with others: without limits, and with a live platform that is a stub. */
export function startOwnServer(): Promise<RunningServer> {
  const env = readEnv({
    DATABASE_URL: databaseUrl(),
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    TURN_RATE_LIMIT_PER_MINUTE: '0',
  })
  const client = createPlatformClient({
    baseUrl: 'http://platform.invalid',
    apiKey: 'none',
    fetch: () => Promise.reject(new Error('The benchmark has no live platform')),
    clock: systemClock,
  })
  const create = createLive as unknown as PlatformClient['assistants']['create']
  const platform: PlatformClient = { ...client, assistants: { ...client.assistants, create } }
  return startServer(env, { platform })
}
