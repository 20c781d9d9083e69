import { createFetch } from 'ofetch'
import { storableJson } from '../json/storable.ts'
import { retryAfter } from '../outgoing/retry-after.ts'
import type { Clock } from '../runtime/clock.ts'
import type { FairShare } from '../runtime/fair-share.ts'
import { sleep as realSleep, type Sleep } from '../runtime/sleep.ts'
import { type Breaker, type BreakerOptions, createBreaker } from './breaker.ts'
import { errorFromResponse, OwnFault, PlatformError, wasNeverSent } from './errors.ts'
import { isEventStream, readEvents } from './event-stream.ts'
import { errorOfOwnFault, isOfOwnDatabase } from './own-fault.ts'

/** The part of `fetch` that is used: the platform may be in this process, behind a function of this shape. */
export type PlatformFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** How to reach the live platform. */
export interface TransportOptions {
  baseUrl: string
  apiKey: string
  fetch: PlatformFetch
  clock: Clock
  sleep?: Sleep
  /** Milliseconds in which a whole call ends, retries included (contract: mirror 4). */
  timeoutMs?: number
  /** Attempts after the first. */
  retries?: number
  /** Milliseconds before the first retry, doubled for each further one; Retry-After wins. */
  backoffMs?: number
  /** The circuit breaker. */
  breaker?: Omit<BreakerOptions, 'clock' | 'sleep' | 'waitMs'> & Partial<Pick<BreakerOptions, 'waitMs'>>
  /** Bounds the calls at once, with a fair share for each workspace; no bound unless given. */
  queue?: FairShare
}

/** Options of one call; both limits only ever shorten it. */
export interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
  /**
   * Called when an attempt that may change something got no usable response: it may arrive later, whatever comes next.
   */
  onDoubt?(): void
  /**
   * Whether the circuit breaker counts a failure without a usable response, as it does unless said: false for the read
   * of an object that may fail by itself.
   */
  countsFailure?: boolean
}

/** One call to the platform's API. */
export interface PlatformRequest extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | undefined>
  body?: object
  /** Is given the data of each event, where the platform responds with a stream of them instead of JSON. */
  onEvent?(data: unknown): void
}

/**
 * Sends calls and returns the parsed JSON of their responses, null after a stream of events; throws {@link
 * PlatformError}.
 */
export interface Transport {
  send(request: PlatformRequest): Promise<unknown>
  /** The same transport, whose calls count as those of `workspaceId`; all others share one part. */
  forWorkspace(workspaceId: number): Transport
  readonly breaker: Breaker
  readonly clock: Clock
  readonly timeoutMs: number
}

/** How one attempt ended. `again` says who may retry: every method, the idempotent ones, or none. */
type Attempt =
  | { value: unknown }
  | { error: PlatformError; again: 'every' | 'idempotent' | 'none'; afterMs?: number; cancelled?: true }

const noResponse = (detail: string): Attempt => ({ error: new PlatformError('unknown', detail), again: 'none' })

/** Makes the transport: deadline, safe retries and circuit breaker around an injected fetch. */
export function createTransport(options: TransportOptions): Transport {
  const { clock, sleep = realSleep, timeoutMs = 20_000, retries = 2, backoffMs = 500 } = options
  const { waitMs = 1_000, ...pauses } = options.breaker ?? { threshold: 5, pauseMs: 250, maxPauseMs: 4_000 }
  const breaker = createBreaker({ clock, sleep, waitMs, ...pauses })
  const request = createFetch({
    fetch: Object.assign((...call: Parameters<PlatformFetch>) => options.fetch(...call), {
      preconnect: () => undefined,
    }),
    defaults: { baseURL: options.baseUrl, headers: { authorization: `Bearer ${options.apiKey}` } },
  })

  /** A redirect is not followed: the key goes to the configured address alone. */
  async function exchange(
    { method, path, query, body, onEvent }: PlatformRequest,
    signal: AbortSignal,
  ): Promise<Attempt> {
    try {
      const response = await request.raw(path, {
        method,
        query,
        body,
        signal,
        retry: false,
        redirect: 'manual',
        ignoreResponseError: true,
        responseType: onEvent ? 'stream' : 'text',
      })
      if (onEvent && isEventStream(response)) {
        await readEvents(response, onEvent)
        return { value: null }
      }
      const text = typeof response._data === 'string' ? response._data : await response.text()
      // A deletion has nothing to say: 204, or 200 without a body.
      if (response.ok && method === 'DELETE' && text === '') return { value: null }
      const value = storableJson(text ?? '')
      if (response.ok) {
        return value === undefined ? noResponse('The voice platform gave an unreadable answer.') : { value }
      }
      const error = errorFromResponse(response.status, value, body)
      const again = error.kind === 'unavailable' ? 'every' : error.kind === 'unknown' ? 'idempotent' : 'none'
      return { error, again, afterMs: retryAfter(response.headers.get('retry-after'), clock.now()) }
    } catch (failure) {
      const own = errorOfOwnFault(failure)
      if (own) return { error: own, again: own.kind === 'unknown' ? 'idempotent' : 'none' }
      return wasNeverSent(failure)
        ? { error: new PlatformError('unavailable', 'The voice platform cannot be reached.'), again: 'every' }
        : { error: new PlatformError('unknown', 'The connection to the voice platform was lost.'), again: 'idempotent' }
    }
  }

  async function attempt(call: PlatformRequest, remainingMs: number): Promise<Attempt> {
    const ended = new AbortController()
    const signal = call.signal ? AbortSignal.any([ended.signal, call.signal]) : ended.signal
    const timedOut = sleep(remainingMs, ended.signal).then(() =>
      noResponse('The voice platform did not answer in time.'),
    )
    const cancelled = new Promise<Attempt>((resolve) => {
      const cancel = () => resolve({ ...cancelledAttempt(), cancelled: true })
      call.signal?.addEventListener('abort', cancel, { once: true, signal: ended.signal })
    })
    try {
      return await Promise.race([cancelled, exchange(call, signal), timedOut])
    } finally {
      ended.abort()
    }
  }

  async function run(
    call: PlatformRequest,
    deadline: number,
  ): Promise<{ value: unknown } | { error: PlatformError; cancelled: boolean }> {
    let inDoubt = false
    for (let count = 0; ; count += 1) {
      const result = await attempt(call, deadline - clock.now().getTime())
      if ('value' in result) return result
      if (result.error.kind === 'unknown' && call.method !== 'GET') call.onDoubt?.()
      inDoubt ||= result.error.kind === 'unknown'
      const error = inDoubt && call.method !== 'GET' ? stillInDoubt(result.error) : result.error
      const failed = { error, cancelled: result.cancelled === true }
      const mayRetry = result.again === 'every' || (result.again === 'idempotent' && call.method !== 'POST')
      const waitMs = Math.max(result.afterMs ?? 0, backoffMs * 2 ** count)
      if (!mayRetry || count >= retries || clock.now().getTime() + waitMs >= deadline) return failed
      await sleep(waitMs, call.signal)
      if (call.signal?.aborted) return { ...failed, cancelled: true }
      // A process that stood still meanwhile may have lost its lease: what is over is not sent.
      if (clock.now().getTime() >= deadline) return failed
    }
  }

  /** A place in the queue, which is waited for as long as the call may take. */
  async function enter(call: PlatformRequest, key: string, waitMs: number): Promise<() => void> {
    if (!options.queue) return () => undefined
    const ended = new AbortController()
    const late = new AbortController()
    void sleep(waitMs, ended.signal).then(() => late.abort())
    try {
      const signal = call.signal ? AbortSignal.any([late.signal, call.signal]) : late.signal
      const leave = await options.queue.wait(key, signal)
      if (leave) return leave
      throw new PlatformError('unavailable', call.signal?.aborted ? cancelledDetail : tooManyDetail)
    } finally {
      ended.abort()
    }
  }

  async function sendNow(call: PlatformRequest, deadline: number): Promise<unknown> {
    const pass = await breaker.enter(deadline - clock.now().getTime(), call.signal)
    if (!pass) throw new PlatformError('unavailable', call.signal?.aborted ? cancelledDetail : awayDetail)
    const result = await run(call, deadline)
    if ('value' in result) {
      pass.report('responded')
      return result.value
    }
    const { error, cancelled } = result
    const failed = error.kind === 'unavailable' || error.kind === 'unknown'
    // In our own database there is nobody to spare.
    const isUncounted =
      cancelled || isOfOwnDatabase(error) || (error.kind === 'unknown' && call.countsFailure === false)
    pass.report(isUncounted ? 'none' : failed ? 'failed' : 'responded')
    throw error
  }

  const shareOf = (key: string): Transport => ({
    breaker,
    clock,
    timeoutMs,
    forWorkspace: (workspaceId) => shareOf(`workspace:${workspaceId}`),
    async send(call) {
      if (call.signal?.aborted) throw new PlatformError('unavailable', cancelledDetail)
      const limit = Math.min(timeoutMs, call.timeoutMs ?? timeoutMs)
      const deadline = clock.now().getTime() + limit
      const leave = await enter(call, key, limit)
      try {
        return await sendNow(call, deadline)
      } finally {
        leave()
      }
    },
  })
  return shareOf('background')
}

const awayDetail = 'The voice platform is not answering at the moment.'

const tooManyDetail = 'Too many calls to the voice platform are under way.'

const cancelledDetail = 'The request to the voice platform was cancelled.'
const cancelledAttempt = () => ({ error: new PlatformError('unknown', cancelledDetail), again: 'none' as const })

/**
 * After an attempt without a response, a later refusal does not say that the first one did nothing; a 404 does tell the
 * state.
 */
function stillInDoubt(error: PlatformError): PlatformError {
  if (error.kind === 'unknown' || error.kind === 'not_found') return error
  const { status, messages, cause } = error
  return new PlatformError('unknown', error.detail, { status, messages, ...(cause instanceof OwnFault && { cause }) })
}
