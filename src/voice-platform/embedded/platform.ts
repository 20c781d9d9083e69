import { Elysia } from 'elysia'
import type { AskReceiver } from '../../webhooks/message.ts'
import type { Converse } from '../converse.ts'
import { OwnFault } from '../errors.ts'
import type { PlatformFetch } from '../transport.ts'
import { assistants } from './assistants.ts'
import type { OwnerOf } from './calls/answering.ts'
import { callRoutes } from './calls/calls.ts'
import { createMemoryCallStore } from './calls/memory-store.ts'
import { simulationRoutes } from './calls/simulation.ts'
import { createSimulator } from './calls/simulator.ts'
import type { CallStore } from './calls/store.ts'
import { chatRoutes } from './chat.ts'
import { replyFromPrompt } from './conversation/reply.ts'
import { createFaults, type Fault, type Faults, withFault } from './faults.ts'
import { phoneNumbers } from './phone-numbers.ts'
import { type EmbeddedContext, resourceRoutes } from './resource.ts'
import { notFound, PlatformResponse, responseOf, unauthorized } from './responses.ts'
import { squads } from './squads.ts'
import { tools } from './tools.ts'

/**
 * What the embedded platform needs. `publicKey` is the one that the widget may use; no path served so far accepts it.
 */
export interface EmbeddedPlatformOptions extends Omit<EmbeddedContext, 'orgId'> {
  apiKey: string
  publicKey?: string
  orgId?: string
  /** Where calls are kept; in memory unless given. */
  calls?: CallStore
  /** Replies to simulated callers and written messages; with sentences of the prompt unless given. */
  converse?: Converse
  /** Whether `converse` can play a caller who is described in words, and say how a call went; not unless given. */
  plays?: boolean
  /** Asks the servers of tools, and of numbers that nobody is set for; none responds unless given. */
  ask?: AskReceiver
  /** Whose an assistant, a squad or a number is; everything is one owner's unless given. */
  ownerOf?: OwnerOf
  /** Hears why a simulated call ends as one whose worker died. */
  callFailed?: (error: unknown, callId: string) => void
  faults?: Fault[]
  /** Keeps every request in `requests`, for tests. */
  record?: boolean
}

/** A request that reached the embedded platform. `body` is the parsed JSON, or undefined. */
export interface RecordedRequest {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
}

/** The voice platform's API in this process. */
export interface EmbeddedPlatform {
  /** Responds like the real platform; rejects only for faults that break the connection. */
  fetch(request: Request): Promise<Response>
  /** What failed in this process when it responded to a request with 500; undefined of any other response. */
  failureOf(request: Request): unknown
  readonly faults: Faults
  readonly requests: RecordedRequest[]
  readonly publicKey: string | undefined
  /** Keeps running calls this process's for some seconds more. */
  holdCalls(): Promise<void>
  /**
   * Ends the calls that killed processes left, as far as they can be; how many. `all`: no other process can run one.
   */
  endAbandonedCalls(all: boolean): Promise<number>
  /** Resolves when no simulated call is running; for the stop. */
  idle(): Promise<void>
}

const nobodyResponds: AskReceiver = async () => ({ error: 'This platform asks no servers.' })

async function recorded(request: Request): Promise<RecordedRequest> {
  const { pathname, searchParams } = new URL(request.url)
  const body = await request
    .clone()
    .json()
    .catch(() => undefined)
  return { method: request.method, path: pathname, query: Object.fromEntries(searchParams), body }
}

/** Makes the embedded platform: each resource is a definition of its own. */
export function createEmbeddedPlatform(options: EmbeddedPlatformOptions): EmbeddedPlatform {
  const { apiKey, publicKey, orgId = '00000000-0000-4000-8000-000000000000' } = options
  const context: EmbeddedContext = { ...options, orgId }
  const faults = createFaults(options.faults)
  const requests: RecordedRequest[] = []
  const failures = new WeakMap<Request, unknown>()
  const { calls = createMemoryCallStore(), converse = replyFromPrompt } = options
  const {
    ask = nobodyResponds,
    ownerOf = async () => undefined,
    plays = false,
    callFailed: failed = () => {},
  } = options
  const simulator = createSimulator({ ...context, calls, converse, plays, ask, ownerOf, failed })

  const app = new Elysia()
    .onError(({ error, code, request }) => {
      if (!(error instanceof PlatformResponse) && code !== 'NOT_FOUND') failures.set(request, error)
      if (code !== 'NOT_FOUND') return responseOf(error)
      return responseOf(notFound(`Cannot ${request.method} ${new URL(request.url).pathname}`))
    })
    .onRequest(({ request }) => {
      if (request.headers.get('authorization') !== `Bearer ${apiKey}`) return responseOf(unauthorized())
    })
    .use(resourceRoutes(assistants, context))
    .use(resourceRoutes(squads, context))
    .use(resourceRoutes(phoneNumbers, context))
    .use(resourceRoutes(tools, context))
    .use(callRoutes(context, calls, simulator))
    .use(chatRoutes(context, converse))
    .use(simulationRoutes(context, { calls, simulator, plays }))

  return {
    failureOf: (request) => failures.get(request),
    faults,
    requests,
    publicKey,
    holdCalls: () => simulator.hold(),
    endAbandonedCalls: (all) => simulator.endAbandoned(all),
    idle: () => simulator.idle(),
    async fetch(request) {
      if (options.record) requests.push(await recorded(request))
      const fault = faults.take(request.method, new URL(request.url).pathname)
      return withFault(fault, request.signal, async () => app.handle(request))
    },
  }
}

/**
 * The embedded platform as a `fetch`, for the client: whatever the address, the request never leaves the process.
 * Rejects with an {@link OwnFault} in place of a 500, so that a fault of our database stays known as one.
 */
export function embeddedFetch(platform: EmbeddedPlatform): PlatformFetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const response = await platform.fetch(request)
    const failure = platform.failureOf(request)
    if (failure !== undefined) throw new OwnFault(failure)
    return response
  }
}
