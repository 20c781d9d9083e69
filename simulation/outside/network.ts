import type { PlatformFetch } from '../../src/voice-platform/transport.ts'
import { maxSendMs } from '../times.ts'
import type { Process } from '../world/process.ts'
import type { Owner, World } from '../world/world.ts'
import {
  lateMs,
  lostConnection,
  neverSent,
  outageFault,
  type RequestFault,
  requestFault,
  type Weather,
  wireMs,
} from './faults.ts'
import {
  type LiveKind,
  type LiveObjects,
  liveKinds,
  type PlatformRequest,
  type PlatformResponse,
} from './live-objects.ts'
import type { Sightings } from './sightings.ts'

const unsafe = new Set(['POST', 'PATCH', 'DELETE'])
const idempotent = new Set(['PATCH', 'DELETE'])

const isKind = (text: string | undefined): text is LiveKind => liveKinds.some((kind) => kind === text)

function requestOf(input: string | URL | Request, init: RequestInit): PlatformRequest {
  const url = new URL(String(input))
  const [, kind, id] = url.pathname.split('/')
  if (!isKind(kind)) throw new Error(`The simulated platform has no ${url.pathname}`)
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : {}
  return { method: init.method ?? 'GET', kind, id, query: url.searchParams, body }
}

/** A response without the machine's streams, which take a turn of their own. */
function responseOf({ status, body }: PlatformResponse, truncated = false): Response {
  const text = JSON.stringify(body)
  const sent = truncated ? text.slice(0, Math.floor(text.length / 2)) : text
  const headers = new Headers(status === 429 ? { 'retry-after': '1' } : {})
  const response = { status, ok: status < 300, headers, body: sent, text: async () => sent }
  // Of a response the transport reads these alone.
  return response as unknown as Response
}

/** Which faults a request can meet: a POST is sent twice by nobody. */
function fits(fault: RequestFault, method: string): boolean {
  if (fault === 'twice') return idempotent.has(method)
  return unsafe.has(method) || !['late', 'fails after', 'lost after'].includes(fault)
}

/** A process about to send: however long it stands still, what it decided on leaves in `maxSendMs`. */
function senderOf(world: World, process: Process): Owner {
  const leavesAt = world.now() + maxSendMs
  return {
    get alive() {
      return process.alive
    },
    get pausedUntil() {
      return Math.min(process.pausedUntil, leavesAt)
    },
    before: (what) => process.before?.(what),
  }
}

/** The way from a process to the platform, which loses, delays and repeats. */
export function createNetwork(world: World, weather: Weather, objects: LiveObjects, sightings: Sightings) {
  let late = 0

  const fetchOf =
    (process: Process): PlatformFetch =>
    (input, init = {}) =>
      new Promise<Response>((resolve, reject) => {
        const request = requestOf(input, init)
        const { method, kind, id } = request
        const label = `${method} ${kind} ${id?.slice(0, 8) ?? ''}`
        const isOut = weather.bad && world.now() < weather.outUntil
        const drawn = isOut ? outageFault(world) : requestFault(world, weather)
        const fault = drawn && fits(drawn, method) ? drawn : undefined
        let sent: ReturnType<Sightings['send']> = () => {}
        const perform = (times = 1): PlatformResponse => {
          const isStale = weather.bad && weather.rates.requests.slow
          const staleMs = isStale && method === 'GET' && !id && world.random().chance(0.3) ? lateMs(world) / 3 : 0
          const name = typeof request.body.name === 'string' ? ` ${request.body.name}` : ''
          world.note(`platform ${label}${name}${fault ? ` (${fault})` : ''}`)
          let response = objects.perform(request, staleMs)
          sent(response, fault === 'late')
          for (let again = 1; again < times; again += 1) {
            response = objects.perform(request)
            sent(response)
          }
          return response
        }
        const hear = (run: () => void, ms = wireMs(world)) =>
          world.schedule(`${process.name} hears of ${label}`, ms, run, process)
        const answer = (response: PlatformResponse, truncated = false) => resolve(responseOf(response, truncated))
        const arrive = (run: () => void, ms = wireMs(world)) => world.schedule(`arrives ${label}`, ms, run)
        const status = (code: number): PlatformResponse => ({ status: code, body: { message: 'Try again.' } })

        const go = () => {
          if (init.signal?.aborted) return
          sent = sightings.send(request)
          if (fault) return void ways[fault]()
          arrive(() => {
            const response = perform()
            hear(() => answer(response))
          })
        }
        init.signal?.addEventListener('abort', () => reject(lostConnection()), { once: true })
        const ways: Record<RequestFault, () => unknown> = {
          refused: () => hear(() => reject(neverSent())),
          'lost before': () => hear(() => reject(lostConnection())),
          'lost after': () =>
            arrive(() => {
              perform()
              hear(() => reject(lostConnection()))
            }),
          late() {
            late += 1
            arrive(() => {
              late -= 1
              perform()
            }, lateMs(world))
            if (world.random().chance(0.5)) hear(() => reject(lostConnection()))
          },
          hangs: () => arrive(() => perform()),
          swallowed: () => {},
          twice: () =>
            arrive(() => {
              const response = perform(2)
              hear(() => answer(response))
            }),
          slow: () =>
            arrive(() => {
              const response = perform()
              hear(() => answer(response), lateMs(world))
            }),
          truncated: () =>
            arrive(() => {
              const response = perform()
              hear(() => answer(response, true))
            }),
          'too many': () => arrive(() => hear(() => answer(status(429)))),
          'fails before': () => arrive(() => hear(() => answer(status(500)))),
          'fails after': () =>
            arrive(() => {
              perform()
              hear(() => answer(status(503)))
            }),
        }
        // Between deciding to send and sending an instance may stand still or end, too.
        world.schedule(`${process.name} sends ${label}`, 0, go, senderOf(world, process))
      })

  return {
    fetchOf,
    /** Requests that are still to arrive. */
    late: () => late,
  }
}

export type Network = ReturnType<typeof createNetwork>
