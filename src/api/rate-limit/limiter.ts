/** The state of one limit after a request was counted. */
export interface RateState {
  limit: number
  remaining: number
  /** Seconds until the window ends. */
  reset: number
  allowed: boolean
}

/** What a key may do in a minute. */
export type Limit = readonly [key: string, perMinute: number]

/** Requests per minute; 0 is no limit. */
export interface RateLimits {
  /** Of a token; of an address, where visitors of websites are concerned. */
  readonly perMinute: number
  /** Generating ones: of a token, and of a visitor to one widget. */
  readonly turnsPerMinute: number
  /** Of all visitors to one widget together. */
  readonly widgetPerMinute: number
  /** Wrong tokens of an address. */
  readonly wrongTokensPerMinute: number
}

/** Counts requests per key in windows of a minute. */
export interface RateLimiter {
  /**
   * Counts one request under each key, in order, up to the first that refuses it: nothing is taken from those after
   * it. Returns the state of each that was counted.
   */
  take(limits: readonly Limit[]): RateState[] | Promise<RateState[]>
  close?(): void
}

export const windowMs = 60_000

/** What a window's count means. */
export function rateState(limit: number, count: number, windowEndsInMs: number): RateState {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    reset: Math.max(1, Math.ceil(windowEndsInMs / 1000)),
    allowed: count <= limit,
  }
}
