import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openDatabase } from '../../../src/db/client.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createPlatformClient, type PlatformClient } from '../../../src/voice-platform/client.ts'
import { createEmbeddedPlatform } from '../../../src/voice-platform/embedded/platform.ts'
import { servePlatform } from '../../../src/voice-platform/embedded/serve.ts'
import { createMemoryStore } from '../../../src/voice-platform/embedded/store/memory-store.ts'
import { createTestDatabase, embeddedTemplate } from '../database.ts'
import type { ChildConfig, Question, Reply } from './messages.ts'
import { apart, type LocalState } from './state.ts'

const entry = join(import.meta.dirname, 'child.ts')
const token = 'admin-key-of-the-crash-test-01234567'
const platformKey = 'sk_crash_test'
const settleMs = 60_000

/** The server in a process of its own. */
export interface Child {
  /** The answer, or undefined when the process was killed before it answered. */
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response | undefined>
  /** Until the next answer steps are noted, and the process dies at this one. */
  arm(killAt?: string): Promise<void>
  /** The steps of that request. */
  steps(): Promise<string[]>
  /** The local side once the journal is empty. Throws when it does not empty, or when the sides are apart then. */
  settled(): Promise<LocalState>
  /** The step at which the process killed itself, once it has ended. */
  killedAt(): Promise<string>
  kill(): Promise<void>
}

export interface CrashRig {
  /** Starts the server on what the last one left. */
  start(): Promise<Child>
  platform: PlatformClient
  close(): Promise<void>
}

/** A live platform in this process, and a folder or database of their own for the servers that die. */
export async function createCrashRig(): Promise<CrashRig> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-crash-'))
  const template = embeddedTemplate()
  if (template) await (await openDatabase({ dataDir, template })).close()
  const store = createMemoryStore()
  const embedded = createEmbeddedPlatform({
    apiKey: platformKey,
    store,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
  })
  const served = servePlatform(embedded)
  const config: ChildConfig = {
    env: {
      ...(await serverDatabase()),
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_API_KEY: token,
      RATE_LIMIT_PER_MINUTE: '0',
    },
    platformUrl: served.url,
    platformKey,
    times: { leaseMs: 1_500, graceMs: 500, pauseMs: 100 },
  }
  const platform = createPlatformClient({ baseUrl: served.url, apiKey: platformKey, fetch, clock: systemClock })
  const children = new Set<Child>()
  return {
    platform,
    async start() {
      const child = await startChild(config, platform)
      children.add(child)
      return child
    },
    async close() {
      for (const child of children) await child.kill()
      await served.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** A database of its own on the test server, when the tests run on one. */
async function serverDatabase(): Promise<Record<string, string>> {
  const template = inject('databaseTemplate')
  if (template.engine === 'embedded') return {}
  const secrets = Buffer.alloc(32, 7).toString('base64')
  return { DATABASE_URL: await createTestDatabase(template.database), SECRETS_KEY: secrets }
}

async function startChild(config: ChildConfig, platform: PlatformClient): Promise<Child> {
  let answered = Promise.withResolvers<Reply>()
  const spawned = Bun.spawn([process.execPath, entry, JSON.stringify(config)], {
    stdout: 'pipe',
    stderr: 'inherit',
    ipc: (reply: Reply) => answered.resolve(reply),
    onExit: () => answered.reject(new Error('The child process has ended')),
  })
  answered.promise.catch(() => {})
  const lastWord = new Response(spawned.stdout).text()
  const ask = async (question: Question): Promise<Reply> => {
    answered = Promise.withResolvers()
    answered.promise.catch(() => {})
    spawned.send(question)
    return answered.promise
  }
  const { url } = await answered.promise
  const state = async () => (await ask({ ask: 'state' })).state ?? { assistants: [], journal: [] }
  return {
    async send(method, path, body, headers = {}) {
      try {
        return await fetch(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
          body: body && JSON.stringify(body),
        })
      } catch {
        return undefined
      }
    },
    async arm(killAt) {
      await ask({ ask: 'arm', killAt })
    },
    steps: async () => (await ask({ ask: 'steps' })).steps ?? [],
    async settled() {
      for (const deadline = performance.now() + settleMs; ; await Bun.sleep(50)) {
        const found = await state()
        if (found.journal.length > 0) {
          if (performance.now() > deadline) throw new Error(`The journal keeps ${JSON.stringify(found.journal)}`)
          continue
        }
        const problems = await apart(found, platform)
        if (problems.length > 0) throw new Error(`The sides are apart: ${problems.join('; ')}`)
        return found
      }
    },
    async killedAt() {
      await spawned.exited
      const step = await lastWord
      if (step === '') throw new Error('The child process ended by itself')
      return step
    },
    async kill() {
      spawned.kill('SIGKILL')
      await spawned.exited
    },
  }
}
