import pino from 'pino'
import { readEnv } from '../../../src/app/env.ts'
import { type RunningServer, startServer } from '../../../src/app/server.ts'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createPlatformClient } from '../../../src/voice-platform/client.ts'
import { answered, type ChildConfig } from './messages.ts'

/**
 * A server that calls `step` with what it is about to do: before each SQL statement, before and after each call to the
 * platform, and once the response is computed.
 */
export function startSteppingServer(
  config: ChildConfig,
  step: (kind: string) => void,
  database?: DatabaseHandle,
): Promise<RunningServer> {
  return startServer(readEnv(config.env), {
    ...(database && { database }),
    mirrorTimes: config.times,
    onQuery: step,
    log: pino({ level: 'info', base: null }, { write: (line) => line.includes('"msg":"request"') && step(answered) }),
    platform: createPlatformClient({
      baseUrl: config.platformUrl,
      apiKey: config.platformKey,
      clock: systemClock,
      backoffMs: 10,
      async fetch(input, init) {
        const method = init?.method ?? 'GET'
        step(`${method} is sent`)
        const response = await fetch(input, init)
        step(`${method} is done`)
        return response
      },
    }),
  })
}
