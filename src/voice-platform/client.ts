import type { Vapi } from '@vapi-ai/server-sdk'
import { isObject } from '../json/object.ts'
import { boundedCache } from '../runtime/bounded-cache.ts'
import { uuidPattern } from '../runtime/uuid.ts'
import type { Breaker } from './breaker.ts'
import { type CallHistory, pagedHistory } from './calls/history.ts'
import { type ChatOptions, type ChatReply, type ChatRequest, chatOver } from './chat.ts'
import { PlatformError } from './errors.ts'
import { hasExternalRef } from './external-ref.ts'
import { type ListFilter, pagesOf, type Stored, walk } from './pages.ts'
import { createSimulation, type Simulation } from './simulation.ts'
import { type CallOptions, createTransport, type Transport, type TransportOptions } from './transport.ts'

/** A body in which null clears a field. A create leaves such fields out: a new object has nothing to clear. */
export type Clearable<T> = { [K in keyof T]: T[K] | null }

/** What is done with one kind of object. Every function throws {@link PlatformError}. */
export interface PlatformResource<Create, Update, Found> {
  /** POST; sent again only when it was certainly not done. */
  create(body: Clearable<Create>, options?: CallOptions): Promise<Found>
  get(id: string, options?: CallOptions): Promise<Found>
  /** PATCH, shallow: a field left out stays as it is, null clears it. */
  update(id: string, body: Clearable<Update>, options?: CallOptions): Promise<Found>
  /** `not_found` when it was gone already. */
  delete(id: string, options?: CallOptions): Promise<void>
  list(filter?: ListFilter, options?: CallOptions): Promise<Found[]>
  /** All that match, newest first, a page after the other. */
  pages(filter?: ListFilter, options?: CallOptions): AsyncIterable<Found[]>
}

/**
 * Finds the remote object of a local record among the objects created since: the one whose `metadata.external_ref` is
 * `ref`, by itself or with the mark of a create. A squad has no metadata of its own; its reference is in
 * `membersOverrides.metadata`.
 */
export interface ExternalRefLookup<Found> {
  findByExternalRef(ref: string, since: Date, options?: CallOptions): Promise<Found | null>
  /** All of them, as a create may have been done twice. */
  listByExternalRef(ref: string, since: Date, options?: CallOptions): Promise<Found[]>
}

type SquadUpdate = Omit<Vapi.UpdateSquadDto, 'id'>
type PhoneNumber = Vapi.ListPhoneNumbersResponseItem

/** The live platform's API, as far as it is used here. */
export interface PlatformClient {
  assistants: PlatformResource<Vapi.CreateAssistantDto, Vapi.CreateAssistantDto, Vapi.Assistant> &
    ExternalRefLookup<Vapi.Assistant>
  squads: PlatformResource<Vapi.CreateSquadDto, SquadUpdate, Vapi.Squad> & ExternalRefLookup<Vapi.Squad>
  phoneNumbers: PlatformResource<Vapi.CreatePhoneNumbersRequest, Vapi.UpdatePhoneNumbersRequestBody, PhoneNumber> & {
    /** The object that holds this E.164 number, or null. */
    findByNumber(number: string, options?: CallOptions): Promise<PhoneNumber | null>
  }
  calls: Pick<PlatformResource<Vapi.CreateCallDto, never, Vapi.Call>, 'create' | 'get'> & {
    list(filter?: Vapi.ListCallsRequest, options?: CallOptions): Promise<Vapi.Call[]>
  }
  /** Lists the whole organisation: scope the response locally. */
  tools: PlatformResource<object, object, Vapi.ListToolsResponseItem>
  /** The calls of one assistant, added up or paged. */
  history: CallHistory
  /** What only the embedded platform can do; undefined on a real one. */
  simulation: Simulation | undefined
  /** Written conversations. */
  chat: { create(body: ChatRequest, options?: ChatOptions): Promise<ChatReply> }
  readonly breaker: Breaker
  /** The same client with the workspace's share of the calls at once; absent where they have no bound. */
  readonly forWorkspace?: (workspaceId: number) => PlatformClient
}

const unreadable = () => new PlatformError('unknown', 'The voice platform gave an unreadable answer.')

function withoutNulls(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

const isAnyId = () => true
const isUuid = (id: string) => uuidPattern.test(id)

/**
 * The responses are trusted to have the platform's documented shape beyond the `id` that is checked here: an object by
 * itself has one that `isId` knows. A list may have others, which hide no other object and can be deleted.
 */
function resource<Create extends object, Update extends object, Found extends Stored>(
  transport: Transport,
  path: string,
  isId: (id: string) => boolean = isAnyId,
) {
  const listed = (response: unknown): Found => {
    if (!isObject(response) || typeof response.id !== 'string') throw unreadable()
    return response as unknown as Found
  }
  const one = (response: unknown): Found => {
    const found = listed(response)
    if (!isId(found.id)) throw unreadable()
    return found
  }
  const at = (id: string) => `${path}/${encodeURIComponent(id)}`
  const list = async (filter?: ListFilter | Vapi.ListCallsRequest, options?: CallOptions) => {
    const response = await transport.send({ method: 'GET', path, query: { ...filter }, ...options })
    if (!Array.isArray(response)) throw unreadable()
    return response.map(listed)
  }
  return {
    create: async (body: Clearable<Create>, options?: CallOptions) =>
      one(await transport.send({ method: 'POST', path, body: withoutNulls(body), ...options })),
    get: async (id: string, options?: CallOptions) =>
      one(await transport.send({ method: 'GET', path: at(id), ...options })),
    update: async (id: string, body: Clearable<Update>, options?: CallOptions) =>
      one(await transport.send({ method: 'PATCH', path: at(id), body, ...options })),
    delete: async (id: string, options?: CallOptions) => {
      await transport.send({ method: 'DELETE', path: at(id), ...options })
    },
    list,
    pages: (filter: ListFilter = {}, options: CallOptions = {}) => pagesOf((bounds) => list(bounds, options), filter),
  }
}

/** Makes the client; `fetch` leads to a real platform, or to the embedded one, which is `simulated`. */
export function createPlatformClient(options: TransportOptions & { simulated?: boolean }): PlatformClient {
  const { simulated = false } = options
  const transport = createTransport(options)
  /**
   * With a breaker of its own: a model that fails in conversations must not stop the writes of everybody. In this
   * process there is nobody to spare, and one caller's failures would stop the conversations of all.
   */
  const breaker = simulated ? neverOpen : options.breaker
  const conversations = createTransport({ ...options, queue: undefined, ...(breaker && { breaker }) })
  const client = clientOver({ transport, conversations, simulated })
  if (!options.queue) return client
  const clients = boundedCache<number, PlatformClient>(cachedClientsBytes, () => clientBytes)
  const forWorkspace = (workspaceId: number) => {
    const known = clients.get(workspaceId)
    if (known) return known
    const own = clientOver({ transport: transport.forWorkspace(workspaceId), conversations, simulated })
    clients.set(workspaceId, own)
    return own
  }
  return { ...client, forWorkspace }
}

const neverOpen = { threshold: Number.POSITIVE_INFINITY, pauseMs: 0, maxPauseMs: 0 }

const cachedClientsBytes = 10_000_000
const clientBytes = 10_000

interface Transports {
  transport: Transport
  conversations: Transport
  simulated: boolean
}

function clientOver({ transport, conversations, simulated }: Transports): PlatformClient {
  const assistants = resource<Vapi.CreateAssistantDto, Vapi.CreateAssistantDto, Vapi.Assistant>(
    transport,
    '/assistant',
    isUuid,
  )
  const squads = resource<Vapi.CreateSquadDto, SquadUpdate, Vapi.Squad>(transport, '/squad')
  const phoneNumbers = resource<Vapi.CreatePhoneNumbersRequest, Vapi.UpdatePhoneNumbersRequestBody, PhoneNumber>(
    transport,
    '/phone-number',
    isUuid,
  )
  const calls = resource<Vapi.CreateCallDto, never, Vapi.Call>(transport, '/call')
  const simulation = simulated ? createSimulation(conversations) : undefined
  const tools = resource<object, object, Vapi.ListToolsResponseItem>(transport, '/tool', isUuid)

  const byExternalRef = <Found extends Stored>(
    list: (filter: ListFilter, options: CallOptions) => Promise<Found[]>,
  ): ExternalRefLookup<Found> => {
    const find = async (ref: string, since: Date, enough: number, callOptions?: CallOptions) => {
      const found: Found[] = []
      const visit = (page: Found[]) => {
        found.push(...page.filter((candidate) => hasExternalRef(candidate, ref)))
        return found.length >= enough
      }
      await walk(transport, list, visit, { createdAtGe: since.toISOString() }, callOptions)
      return found
    }
    return {
      findByExternalRef: async (ref, since, callOptions) => (await find(ref, since, 1, callOptions))[0] ?? null,
      listByExternalRef: (ref, since, callOptions) => find(ref, since, Number.POSITIVE_INFINITY, callOptions),
    }
  }

  return {
    assistants: { ...assistants, ...byExternalRef(assistants.list) },
    squads: { ...squads, ...byExternalRef(squads.list) },
    phoneNumbers: {
      ...phoneNumbers,
      async findByNumber(number, callOptions) {
        let found: PhoneNumber | undefined
        const visit = (page: PhoneNumber[]) => {
          found = page.find((candidate) => 'number' in candidate && candidate.number === number)
          return found !== undefined
        }
        await walk(transport, phoneNumbers.list, visit, {}, callOptions)
        return found ?? null
      },
    },
    calls: { create: calls.create, get: calls.get, list: calls.list },
    tools,
    history: simulation ?? pagedHistory(calls.list),
    simulation,
    chat: { create: chatOver(conversations) },
    breaker: transport.breaker,
  }
}
