import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type Feature, features, type Role, type TokenScope, type WorkspaceRole } from '../../src/accounts/account.ts'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { createApp } from '../../src/app/app.ts'
import { maxConcurrent } from '../../src/app/concurrency.ts'
import { createContainer } from '../../src/app/container.ts'
import type { Dependencies } from '../../src/app/dependencies.ts'
import type { Externals } from '../../src/app/externals.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { embeddedEmbedder } from '../../src/knowledge/embedded-embedder.ts'
import { createGuardedFetch } from '../../src/outgoing/guarded-fetch.ts'
import { allowedPlaces } from '../../src/outgoing/places.ts'
import { askThrough } from '../../src/resources/calls/ask.ts'
import { ownersOfLive } from '../../src/resources/calls/owners.ts'
import { workspacesOfLive } from '../../src/resources/calls/workspaces.ts'
import { resellers } from '../../src/resources/resellers/table.ts'
import { hashToken, newToken, tokenPrefix } from '../../src/resources/tokens/secret.ts'
import { tokens } from '../../src/resources/tokens/table.ts'
import { users } from '../../src/resources/users/table.ts'
import { grantedCredentials } from '../../src/resources/workspaces/credentials.ts'
import { workspaces } from '../../src/resources/workspaces/table.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { createVault } from '../../src/secrets/vault.ts'
import { folderFiles } from '../../src/storage/folder.ts'
import { createPlatformClient } from '../../src/voice-platform/client.ts'
import { createCallStore } from '../../src/voice-platform/embedded/calls/store.ts'
import {
  createEmbeddedPlatform,
  type EmbeddedPlatform,
  type EmbeddedPlatformOptions,
  embeddedFetch,
} from '../../src/voice-platform/embedded/platform.ts'
import { createDatabaseStore } from '../../src/voice-platform/embedded/store/store.ts'
import { webhookOutbox } from '../../src/webhooks/outbox.ts'
import { testDatabase } from './database.ts'
import { requireDocumented } from './documented.ts'

/** Time that tests can set; it stands still unless moved. */
export interface TestClock extends Clock {
  advance(ms: number): void
}

export function testClock(start = new Date('2026-03-01T12:00:00.000Z')): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms
    },
  }
}

export interface TestApp {
  database: DatabaseHandle
  services: Dependencies
  platform: EmbeddedPlatform
  /** Sends a real `Request` as it is. */
  handle(request: Request): Promise<Response>
  /**
   * Sends a real `Request`; `path` may hold a query. A plain object goes as JSON. Throws for a refusal that the
   * description of its operation does not have.
   */
  send(method: string, path: string, options?: SendOptions): Promise<Response>
}

export interface SendOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

const filesFolder = join(tmpdir(), `switchboard-test-files-${process.pid}`)
process.on('exit', () => rmSync(filesFolder, { recursive: true, force: true }))

/** Loaded at its first use, and then for every app of this worker. */
export const embedder = embeddedEmbedder()

/** The application on this worker's database and an embedded platform of its own; no rate limits unless given. */
export async function testApp(
  overrides: Partial<Externals> & { database?: DatabaseHandle } = {},
  platformOptions: Partial<EmbeddedPlatformOptions> = {},
): Promise<TestApp> {
  const database = overrides.database ?? (await testDatabase())
  const clock = overrides.clock ?? systemClock
  const apiKey = 'sk_test_platform'
  const vault = overrides.vault ?? createVault({ current: new Uint8Array(32).fill(7) })
  const platform = createEmbeddedPlatform({
    apiKey,
    store: createDatabaseStore(database.db),
    calls: createCallStore(database.db, webhookOutbox(vault, workspacesOfLive)),
    ask: askThrough({
      db: database.db,
      log: pino({ level: 'silent' }),
      vault,
      clock,
      outgoing:
        overrides.outgoing ?? createGuardedFetch({ allowed: allowedPlaces(overrides.allowPrivateNetwork ?? []) }),
      credentials: overrides.webhookCredentials ?? new Map(),
      isGranted: grantedCredentials(database.db),
      slots: createSlots({ total: maxConcurrent.questions }),
    }),
    ownerOf: ownersOfLive(database.db),
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    record: true,
    ...platformOptions,
  })
  const client = createPlatformClient({
    baseUrl: 'http://platform.test',
    apiKey,
    fetch: embeddedFetch(platform),
    clock: systemClock,
    backoffMs: 1,
    simulated: true,
  })
  const services = createContainer({
    database,
    clock,
    log: pino({ level: 'silent' }),
    platform: client,
    embeddedPlatform: true,
    vault,
    files: folderFiles(filesFolder),
    settings: {
      publicUrl: 'http://localhost',
      backgroundSoundBaseUrl: undefined,
      versionHistoryLimit: 200,
      conversationDays: 0,
    },
    rateLimits: { perMinute: 0, turnsPerMinute: 0 },
    driftRequestsMs: 0,
    embedder,
    ...overrides,
  })
  const app = createApp(services)
  return {
    database,
    services,
    platform,
    handle: async (request) => app.handle(request),
    async send(method, path, { token, body, headers = {} } = {}) {
      const plain = body === undefined || typeof body === 'string' || body instanceof FormData || body instanceof Blob
      const response = await app.handle(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(!plain && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: plain ? (body as BodyInit) : JSON.stringify(body) }),
        }),
      )
      await requireDocumented(method, path, response)
      return response
    },
  }
}

export interface TestUser {
  token: string
  userId: number
  workspaceId: number
  resellerId: number
}

export interface UserOptions {
  role?: Role
  workspaceRole?: WorkspaceRole
  workspaceId?: number
  resellerId?: number
  features?: Feature[]
  assistantQuota?: number | null
  emailVerified?: boolean
}

let made = 0

/** A new reseller. */
export async function newReseller({ db }: DatabaseHandle): Promise<number> {
  const [row] = await db.insert(resellers).values({ name: 'Test reseller' }).returning({ id: resellers.id })
  if (!row) throw new Error('no reseller')
  return row.id
}

/** A user with a token, in a workspace of its own unless one is given. */
export async function newUser(database: DatabaseHandle, options: UserOptions = {}): Promise<TestUser> {
  const { db } = database
  const resellerId = options.resellerId ?? (await newReseller(database))
  let { workspaceId } = options
  if (workspaceId === undefined) {
    const values = { uuid: crypto.randomUUID(), resellerId, name: 'Test workspace' }
    const [row] = await db.insert(workspaces).values(values).returning({ id: workspaces.id })
    if (!row) throw new Error('no workspace')
    workspaceId = row.id
  }
  const [user] = await db
    .insert(users)
    .values({
      name: `User ${++made}`,
      email: `user-${made}-${crypto.randomUUID()}@example.com`,
      role: options.role ?? 'user',
      workspaceId,
      workspaceRole: options.workspaceRole ?? 'owner',
      resellerId,
      features: options.features ?? [...features],
      assistantQuota: options.assistantQuota ?? null,
      emailVerifiedAt: options.emailVerified === false ? null : new Date(),
    })
    .returning({ id: users.id })
  if (!user) throw new Error('no user')
  const token = newToken()
  await db.insert(tokens).values({ userId: user.id, name: 'test', prefix: tokenPrefix(token), hash: hashToken(token) })
  return { token, userId: user.id, workspaceId, resellerId }
}

/** Another token of the same user; without scopes it may do whatever its user may. */
export async function newTokenFor(
  { db }: DatabaseHandle,
  userId: number,
  expiresAt?: Date,
  scopes?: TokenScope[],
): Promise<string> {
  const token = newToken()
  await db
    .insert(tokens)
    .values({ userId, name: 'test', prefix: tokenPrefix(token), hash: hashToken(token), expiresAt, scopes })
  return token
}
