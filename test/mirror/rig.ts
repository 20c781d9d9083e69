import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { Externals } from '../../src/app/externals.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient } from '../../src/voice-platform/client.ts'
import { createEmbeddedPlatform, type EmbeddedPlatform } from '../../src/voice-platform/embedded/platform.ts'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import { liveWrites, nobody } from '../../src/voice-platform/mirror/journal/table.ts'
import type { PlatformFetch, TransportOptions } from '../../src/voice-platform/transport.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { apart, localState } from '../support/crash/state.ts'
import { freshDatabase } from '../support/database.ts'

const apiKey = 'sk_mirror_test'

export const times = { leaseMs: 15_000, waitMs: 30_000, graceMs: 60_000, pauseMs: 50 }

/** A request that has not reached the platform, while its sender waits for the answer. */
export interface HeldRequest {
  /** It is on its way. */
  sent: Promise<void>
  /** Lets the platform do the work; the sender is answered if it still waits and `answer` is not false. */
  arrive(options?: { answer?: boolean }): Promise<void>
  /** Lets the sender have the response of work that arrived without one. */
  answer(): void
}

/** A platform in memory that several instances share, and requests to it that can be held back. */
export interface Network {
  platform: EmbeddedPlatform
  fetch: PlatformFetch
  /** Holds back the next request of this method; its sender loses the connection at once when `lost`. */
  hold(method: string, options?: { lost: boolean }): HeldRequest
}

export function createNetwork(): Network {
  const platform = createEmbeddedPlatform({
    apiKey,
    store: createMemoryStore(),
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    record: true,
  })
  const holds = new Map<string, (request: Request) => Promise<Response>>()
  return {
    platform,
    async fetch(input, init) {
      const request = new Request(input, init)
      const held = holds.get(request.method)
      holds.delete(request.method)
      return held ? held(request) : platform.fetch(request)
    },
    hold(method, { lost } = { lost: false }) {
      const sent = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<Response>()
      let work = async () => new Response()
      let response: Response | undefined
      holds.set(method, async (request) => {
        const copy = new Request(request.url, {
          method,
          headers: request.headers,
          body: (await request.text()) || null,
        })
        work = () => platform.fetch(copy.clone())
        sent.resolve()
        if (lost) throw Object.assign(new Error('The socket was closed'), { code: 'ECONNRESET' })
        request.signal.addEventListener('abort', () => answered.reject(request.signal.reason), { once: true })
        return answered.promise
      })
      return {
        sent: sent.promise,
        async arrive({ answer = true } = {}) {
          await sent.promise
          response = await work()
          if (answer) answered.resolve(response)
        },
        answer() {
          if (response) answered.resolve(response)
        },
      }
    },
  }
}

export interface MirrorRig {
  app: TestApp
  network: Network
  token: string
  database: DatabaseHandle
  send: (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>
  /** Makes an assistant; answers its path and public id. */
  create(name: string): Promise<{ path: string; ref: string }>
  state: () => ReturnType<typeof localState>
  /** Lets time pass and sweeps until the journal is empty, then says where the sides are apart. */
  settle(): Promise<string[]>
  /** The same when a process died or lost its database, so that its rows run out first. */
  settleHeld(): Promise<string[]>
  stop(): Promise<void>
}

interface RigOptions {
  network?: Network
  database?: DatabaseHandle
  mirrorTimes?: Externals['mirrorTimes']
  transport?: Partial<TransportOptions>
  timers?: Externals['timers']
}

/** The application on a database of its own, with short times and a platform that can misbehave. */
export async function createMirrorRig(options: RigOptions = {}): Promise<MirrorRig> {
  const { network = createNetwork(), mirrorTimes = times } = options
  const database = options.database ?? (await freshDatabase())
  const clientOptions = { baseUrl: 'http://platform.test', apiKey, clock: systemClock, fetch: network.fetch }
  const breaker = { threshold: 1_000, pauseMs: 15_000, maxPauseMs: 15_000 }
  const platform = createPlatformClient({
    ...clientOptions,
    backoffMs: 1,
    timeoutMs: 400,
    breaker,
    ...options.transport,
  })
  const app = await testApp({ database, platform, mirrorTimes, timers: options.timers })
  const { token } = await newUser(database)
  const inspector = createPlatformClient({
    ...clientOptions,
    fetch: (...call) => network.platform.fetch(new Request(...call)),
  })
  const send: MirrorRig['send'] = async (method, path, body) => {
    const answer = await app.send(method, path, { token, body })
    return { status: answer.status, body: await answer.json() }
  }
  const state = () => localState(database.db)
  const settle: MirrorRig['settle'] = async () => {
    for (const deadline = performance.now() + 60_000; ; await Bun.sleep(20)) {
      await timePasses(database)
      await app.services.mirror.work.run()
      const found = await state()
      if (found.journal.length === 0) return apart(found, inspector)
      if (performance.now() > deadline) throw new Error(`The journal keeps ${JSON.stringify(found.journal)}`)
    }
  }
  return {
    app,
    network,
    token,
    database,
    send,
    state,
    async create(name) {
      const answer = await app.send('POST', '/assistants', { token, body: { name } })
      if (answer.status !== 201) throw new Error(`Nothing was created: ${answer.status}`)
      const { data } = await answer.json()
      return { path: `/assistants/${data.assistant_id}`, ref: data.assistant_id }
    },
    async settleHeld() {
      await database.db.update(liveWrites).set({ dueAt: sql`now() - interval '1 hour'` })
      return settle()
    },
    settle,
    async stop() {
      await app.services.mirror.stop()
      if (!options.database) await database.close()
    },
  }
}

/** Moves every row that nobody holds an hour into the past: beyond all pauses, and beyond the time of late writes. */
async function timePasses({ db }: DatabaseHandle): Promise<void> {
  const hour = sql`interval '1 hour'`
  await db
    .update(liveWrites)
    .set({ lateUntil: sql`${liveWrites.lateUntil} - ${hour}`, dueAt: sql`now() - ${hour}` })
    .where(eq(liveWrites.owner, nobody))
}

/** The same database as another process would see it: without this one's queues. */
export function asAnotherProcess(database: DatabaseHandle): DatabaseHandle {
  return { ...database, db: drizzle(database.sql) }
}
