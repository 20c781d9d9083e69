import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openEmbedded } from '../../../src/db/embedded.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createPlatformClient, type PlatformClient } from '../../../src/voice-platform/client.ts'
import { createEmbeddedPlatform } from '../../../src/voice-platform/embedded/platform.ts'
import { servePlatform } from '../../../src/voice-platform/embedded/serve.ts'
import { createMemoryStore } from '../../../src/voice-platform/embedded/store/memory-store.ts'
import { createTestDatabase, embeddedTemplate, layOutDatabase, onServer } from '../database.ts'
import { startInProcess } from './in-process.ts'
import type { ChildConfig } from './messages.ts'
import { startProcess } from './process.ts'
import { apart, type LocalState } from './state.ts'

const token = 'admin-key-of-the-crash-test-01234567'
const platformKey = 'sk_crash_test'
const settleMs = 60_000

/** A server that dies at a chosen step. */
export interface Child {
  /** The response, or undefined when the server died before it responded. */
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response | undefined>
  /** Until the next response steps are noted, and the server dies at this one. */
  arm(killAt?: string): Promise<void>
  /** The steps of that request. */
  steps(): Promise<string[]>
  /** The local side once the journal is empty. Throws when it does not empty, or when the sides are apart then. */
  settled(): Promise<LocalState>
  /** The step at which the server died, once nothing of it is left. */
  killedAt(): Promise<string>
  kill(): Promise<void>
}

/** What a rig needs of a server, wherever it runs. */
export interface StartedServer extends Pick<Child, 'arm' | 'steps' | 'kill'> {
  url: string
  /** The local side as it is now. */
  state(): Promise<LocalState>
  /** The step at which it died, or undefined when it was ended otherwise. */
  died: Promise<string | undefined>
}

export interface CrashRig {
  /** Starts the server on what the last one left. */
  start(): Promise<Child>
  platform: PlatformClient
  close(): Promise<void>
}

/**
 * A live platform in this process, and a folder and database of their own for the servers that die: each a process that
 * is killed, or, where that is already shown and only the place of death differs, one in this process.
 */
export async function createCrashRig(where: 'own process' | 'this process'): Promise<CrashRig> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-crash-'))
  const inProcess = where === 'this process'
  const embedded = inProcess && !onServer() ? await openEmbedded({ template: embeddedTemplate() }) : undefined
  if (!inProcess && !onServer()) layOutDatabase(dataDir)
  const store = createMemoryStore()
  const embeddedPlatform = createEmbeddedPlatform({
    apiKey: platformKey,
    store,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
  })
  const served = servePlatform(embeddedPlatform)
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
      const server = await (inProcess ? startInProcess(config, embedded) : startProcess(config))
      const child = childOf(server, platform)
      children.add(child)
      return child
    },
    async close() {
      for (const child of children) await child.kill()
      await served.stop()
      await embedded?.close()
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

function childOf(server: StartedServer, platform: PlatformClient): Child {
  const { url, arm, steps, state, died, kill } = server
  return {
    arm,
    steps,
    kill,
    async send(method, path, body, headers = {}) {
      const response = fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: body && JSON.stringify(body),
      }).catch(() => undefined)
      return Promise.race([died.then(() => undefined), response])
    },
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
      const step = await died
      await kill()
      if (step === undefined) throw new Error('The server ended by itself')
      return step
    },
  }
}
