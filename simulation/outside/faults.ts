import type { Profile, Rates } from '../profiles.ts'
import type { World } from '../world/world.ts'

/** How things break at the moment. */
export interface Weather {
  /** At rest nothing breaks. */
  bad: boolean
  /** Until when the voice platform is out of reach, in simulated milliseconds. */
  outUntil: number
  rates: Rates
}

/** How things break in a world of this profile, until they do no more. */
export const weatherOf = ({ rates }: Profile): Weather => ({ bad: true, outUntil: 0, rates })

/** How the way to the platform and the carrier breaks. */
export type RequestFault =
  /** The connection is not made: nothing was sent. */
  | 'refused'
  /** Sent, and lost before the other side did anything. */
  | 'lost before'
  /** Done, and the response was lost. */
  | 'lost after'
  /** No response; done seconds later all the same. */
  | 'late'
  /** Done, and no response ever comes. */
  | 'hangs'
  /** Not done, and no response ever comes. */
  | 'swallowed'
  /** Done twice, one soon after the other. */
  | 'twice'
  /** Done, and the response takes seconds. */
  | 'slow'
  /** Done, and the response breaks off. */
  | 'truncated'
  | 'too many'
  | 'fails before'
  | 'fails after'

/** What becomes of a request; undefined for nothing bad. */
export function requestFault(world: World, { bad, rates }: Weather): RequestFault | undefined {
  const random = world.random()
  const total = Object.values(rates.requests).reduce((sum, weight) => sum + weight, 0)
  if (!bad || random.next() * 1000 >= total) return undefined
  return random.weighted(rates.requests)
}

/** What becomes of a request to a platform that is out of reach: most are lost on the way, a few are carried out. */
export function outageFault(world: World): RequestFault {
  const ways = { refused: 3, 'lost before': 5, 'lost after': 1, swallowed: 1 } as const
  return world.random().weighted<RequestFault>(ways) ?? 'refused'
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
      const { statements } = weather.rates
      const refused = isCommit ? statements.commitRefused : statements.refused
      const lost = isCommit ? statements.commitLost : statements.lost
      if (chance < refused) return 'refused' as const
      return chance < refused + lost ? ('lost' as const) : undefined
    },
    delay() {
      const random = world.random()
      const chance = random.next() * 1000
      if (weather.bad && weather.rates.statements.lost > 0 && chance < 1) return random.between(500, 8_000)
      return chance < 30 ? random.next() * 60 : random.next() * 3
    },
  }
}
