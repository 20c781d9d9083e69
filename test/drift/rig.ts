import type { Externals } from '../../src/app/externals.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient, type PlatformClient } from '../../src/voice-platform/client.ts'
import type { EmbeddedPlatform } from '../../src/voice-platform/embedded/platform.ts'
import { createEmbeddedPlatform, embeddedFetch } from '../../src/voice-platform/embedded/platform.ts'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'

export type Body = Record<string, unknown>

export interface DriftRig {
  app: TestApp
  user: TestUser
  platform: EmbeddedPlatform
  /** The platform as somebody on its own dashboard has it. */
  outside: PlatformClient
  /** Sends a request as the user, or with another token; the body of the response with its status. */
  send(method: string, path: string, body?: object, token?: string): Promise<{ status: number; body: Body }>
  /** The same, and `data` of a success. */
  data<T = Body>(method: string, path: string, body?: object, token?: string): Promise<T>
  /** A token of an operator. */
  operator(): Promise<string>
  /** Waits until it is so. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>
  /** Lets time pass and has recovery run until the journal is empty. */
  settle(): Promise<void>
  /** Another instance on the same database, which sweeps every so many minutes; 5 unless given. */
  another(minutes?: number): Promise<TestApp>
  /** Sweeps everything, and what is open then. */
  sweep(): Promise<Body[]>
  stop(): Promise<void>
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await isSo()); await Bun.sleep(5)) {
    if (performance.now() > deadline) throw new Error('It never was so')
  }
}

/**
 * The application on a database of its own, unless one is given, with a platform in memory that others change too.
 * @param through what the application reaches the platform through
 */
export async function createDriftRig(
  overrides: Partial<Externals> = {},
  through = (client: PlatformClient): PlatformClient => client,
): Promise<DriftRig> {
  const { database = await freshDatabase() } = overrides
  const apiKey = 'sk_drift_test'
  const platform = createEmbeddedPlatform({
    apiKey,
    store: createMemoryStore(),
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    record: true,
  })
  const client = () =>
    createPlatformClient({
      baseUrl: 'http://platform.test',
      apiKey,
      clock: systemClock,
      fetch: embeddedFetch(platform),
      backoffMs: 1,
      simulated: true,
      breaker: { threshold: 1_000, pauseMs: 15_000, maxPauseMs: 15_000 },
    })
  const app = await testApp({ database, platform: through(client()), ...overrides })
  const user = await newUser(database)
  const send: DriftRig['send'] = async (method, path, body, token = user.token) => {
    const response = await app.send(method, path, { token, body })
    return { status: response.status, body: (await response.json()) as Body }
  }
  const data = async <T>(...request: Parameters<DriftRig['send']>): Promise<T> => {
    const { status, body } = await send(...request)
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`)
    return body.data as T
  }
  return {
    app,
    user,
    platform,
    outside: client(),
    send,
    data,
    operator: async () => (await newUser(database, { role: 'admin' })).token,
    until,
    settle: () =>
      until(async () => {
        await database.sql`update live_writes set late_until = now() - interval '1 second', due_at = now() - interval '1 second'`
        await app.services.mirror.work.run()
        return (await database.sql`select 1 from live_writes`).length === 0
      }),
    another: (minutes = 5) => testApp({ database, platform: client(), driftSweepMinutes: minutes }),
    async sweep() {
      await app.services.drift.request()
      await app.services.drift.sweepNow()
      return data<Body[]>('GET', '/drift?per_page=100')
    },
    async stop() {
      await app.services.mirror.stop()
      await database.close()
    },
  }
}
