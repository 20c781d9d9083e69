import type { Account } from '../accounts/account.ts'
import type { Replica } from '../db/replica.ts'
import type { AllowedPlaces } from '../outgoing/places.ts'
import type { ServiceDependencies } from '../resources/dependencies.ts'
import type { Histogram } from '../runtime/metrics.ts'
import type { Tracing } from '../runtime/tracing.ts'
import type { WrongTokens } from './auth/wrong-tokens.ts'
import type { BodyTimes } from './http/body.ts'
import type { RateLimiter, RateLimits } from './rate-limit/limiter.ts'
import type { Unread } from './rate-limit/unread.ts'

/** What the API layer serves requests with: what it hands to services, and what is its own. */
export interface ApiDependencies extends ServiceDependencies {
  /** Where lists are read, when the database has a standby. */
  readonly replica?: Replica
  /** Traces requests and jobs; off unless given. */
  readonly tracing?: Tracing
  readonly limiter: RateLimiter
  readonly rateLimits: RateLimits
  readonly wrongTokens: WrongTokens
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: AllowedPlaces
  /** How long request bodies may take to arrive. */
  readonly bodyTimes: BodyTimes
  /** How long an operation may take that is no turn, in milliseconds; 0 is without a limit. */
  readonly requestMs: number
  /** Long responses that wait for their readers. */
  readonly unread: Unread
  /** How long requests took. */
  readonly requestTimes: Histogram
  /**
   * The caller behind a bearer token, or undefined; `refuseUnknown` is called first for one that was never right here.
   */
  authenticate(token: string, refuseUnknown?: () => void): Promise<Account | undefined>
  /** Something is being changed: should this process die, the others look for what it left. */
  noteWork(): void
}
