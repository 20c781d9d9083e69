import type { World } from '../world/world.ts'

/** Whether anything breaks at the moment; at rest nothing does. */
export interface Weather {
  bad: boolean
}

/** How the way to the platform and the carrier breaks, with how often of a thousand requests each does. */
const requestFaults = {
  /** The connection is not made: nothing was sent. */
  refused: 15,
  /** Sent, and lost before the other side did anything. */
  'lost before': 15,
  /** Done, and the response was lost. */
  'lost after': 30,
  /** No response; done seconds later all the same. */
  late: 30,
  /** Done, and no response ever comes. */
  hangs: 6,
  /** Not done, and no response ever comes. */
  swallowed: 6,
  /** Done twice, one soon after the other. */
  twice: 10,
  /** Done, and the response takes seconds. */
  slow: 12,
  /** Done, and the response breaks off. */
  truncated: 8,
  'too many': 8,
  'fails before': 12,
  'fails after': 12,
} as const
export type RequestFault = keyof typeof requestFaults

const total = Object.values(requestFaults).reduce((sum, weight) => sum + weight, 0)

/** What becomes of a request; undefined for nothing bad. */
export function requestFault(world: World, { bad }: Weather): RequestFault | undefined {
  const random = world.random()
  if (!bad || random.next() * 1000 >= total) return undefined
  return random.weighted(requestFaults)
}

/** Milliseconds on the wire, one way. */
export const wireMs = (world: World): number => 2 + world.random().next() * 60

/** What a late request and a hanging one may take, in milliseconds: less than the mirror looks back. */
export const lateMs = (world: World): number => world.random().between(200, 9_000)

const connection = (code: string, message: string) => Object.assign(new Error(message), { code })
export const neverSent = (): Error => connection('ECONNREFUSED', 'Unable to connect')
export const lostConnection = (): Error => connection('ECONNRESET', 'The socket was closed')

/** How statements break. */
export function databaseFaults(world: World, weather: Weather) {
  return {
    next(isCommit: boolean) {
      const chance = world.random().next() * 1000
      if (!weather.bad) return undefined
      if (chance < 2) return 'refused' as const
      return chance < (isCommit ? 40 : 4) ? ('lost' as const) : undefined
    },
    delay() {
      const random = world.random()
      const chance = random.next() * 1000
      if (weather.bad && chance < 1) return random.between(500, 8_000)
      return chance < 30 ? random.next() * 60 : random.next() * 3
    },
  }
}
