import { dns } from 'bun'
import { createDeadline, unlessAborted } from '../runtime/deadline.ts'
import { type Timers, unheldTimers } from '../runtime/timers.ts'
import { boundedResponse } from './bounded-body.ts'
import { type AllowedPlaces, isAddress, isPublicAddress, plainHost } from './places.ts'
import { literalRefusal, OutgoingError } from './refusal.ts'

/** What one request asks for. */
export interface OutgoingRequest {
  method?: string
  headers?: HeadersInit
  /** No stream, so that it can be sent to the next address of a host whose first one refuses connections. */
  body?: string | Uint8Array<ArrayBuffer> | null
  signal?: AbortSignal | null
}

export interface OutgoingBounds {
  httpAllowed?: boolean
  /** For everything together: the name, the connection, the response and its body. */
  timeoutMs: number
  /** Of the response's body. */
  maxBytes: number
}

/**
 * Sends a request to a host that a user named. Throws OutgoingError when it is refused or fails, the reason of
 * `signal` when the caller gave up; a body that is too large or late ends in an OutgoingError while it is read.
 */
export type GuardedFetch = (url: string | URL, request: OutgoingRequest, bounds: OutgoingBounds) => Promise<Response>

export interface OutgoingOutside {
  allowed: AllowedPlaces
  /** Every address of a host name. */
  resolve?: (host: string) => Promise<string[]>
  /** Further authorities to trust, in PEM. */
  ca?: string
  /** What the time of a request is kept by. */
  timers?: Pick<Timers, 'after'>
}

const redirects = new Set([301, 302, 303, 307, 308])
/** Headers that say where a request goes, where it ends and how a response may be packed: they are ours. */
const ownHeaders = [
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'],
  'accept-encoding',
]
const maxTries = 3

/**
 * Asks the name servers over sockets. The system's own look-up holds a thread for as long as they are silent, and there
 * are a few for the files and compressed responses of everybody.
 */
const resolveAll = async (host: string) =>
  (await dns.lookup(host, { backend: 'c-ares' }))
    .sort((one, other) => one.family - other.family)
    .map(({ address }) => address)

/**
 * The one way to a host that a user named (connectors, webhooks): the name is resolved once, every address is
 * checked, and the connection goes to a checked address, so that a name that changes its mind in between gains
 * nothing. No redirect is followed; a TLS certificate must be the name's.
 */
export function createGuardedFetch(outside: OutgoingOutside): GuardedFetch {
  // A body that nobody reads on keeps no process from its end.
  const { allowed, resolve = resolveAll, ca, timers = unheldTimers } = outside
  const addressesOf = async (host: string): Promise<string[]> => {
    if (isAddress(host)) return [host]
    const found = await resolve(host).catch((cause: unknown) => {
      throw new OutgoingError('unresolved', { cause })
    })
    if (found.length === 0) throw new OutgoingError('unresolved')
    const isOpen = allowed.hasName(host)
    for (const address of found) {
      if (!isOpen && !isPublicAddress(address) && !allowed.hasAddress(address)) {
        throw new OutgoingError('private_address')
      }
    }
    return found
  }

  const send = async (url: URL, address: string, request: OutgoingRequest, signal: AbortSignal) => {
    const place = new URL(url)
    place.hostname = address.includes(':') ? `[${address}]` : address
    const host = plainHost(url.hostname)
    return fetch(place, {
      method: request.method ?? 'GET',
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal,
      // Undone, a small body could fill the memory before a byte of it is counted.
      decompress: false,
      // A kept connection could serve another name at the same address.
      keepalive: false,
      tls: { ...(ca && { ca }), ...(!isAddress(host) && { serverName: host }) },
    })
  }

  const sendToAny = async (url: URL, request: OutgoingRequest, signal: AbortSignal): Promise<Response> => {
    const addresses = await unlessAborted(addressesOf(plainHost(url.hostname)), signal)
    let failure: unknown
    for (const address of addresses.slice(0, maxTries)) {
      try {
        return await send(url, address, request, signal)
      } catch (error) {
        failure = error
        if (signal.aborted || !wasNotSent(error)) break
      }
    }
    if (signal.aborted) throw signal.reason
    throw new OutgoingError('unreachable', { cause: failure })
  }

  return async (target, request, { httpAllowed, timeoutMs, maxBytes }) => {
    const refused = literalRefusal(target, { allowed, httpAllowed })
    if (refused) throw new OutgoingError(refused)
    const url = new URL(target)
    const headers = headersFor(url, request.headers)
    const reason = () => new OutgoingError('timeout')
    const { signal, end } = createDeadline(timeoutMs, { reason, caller: request.signal, timers })
    try {
      const response = await sendToAny(url, { ...request, headers }, signal)
      if (redirects.has(response.status)) {
        await response.body?.cancel()
        throw new OutgoingError('redirect')
      }
      return await boundedResponse(response, maxBytes, signal, end)
    } catch (error) {
      end()
      throw error
    }
  }
}

/** The headers of a request, ours in the place of those that are not the caller's to say. */
function headersFor(url: URL, given: HeadersInit | undefined): Headers {
  const headers = sendable(given)
  for (const name of ownHeaders) headers.delete(name)
  headers.set('host', url.host)
  headers.set('accept-encoding', 'identity')
  return headers
}

function sendable(given: HeadersInit | undefined): Headers {
  try {
    return new Headers(given)
  } catch (cause) {
    throw new OutgoingError('unsendable_headers', { cause })
  }
}

const unsent = new Set(['ECONNREFUSED', 'ConnectionRefused', 'FailedToOpenSocket', 'ENETUNREACH', 'EHOSTUNREACH'])

/** Whether an attempt ended before anything of the request was on its way. */
const wasNotSent = (error: unknown) => error instanceof Error && 'code' in error && unsent.has(String(error.code))
