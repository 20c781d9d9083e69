/** The state of one limit after a request was counted. */
export interface RateState {
  limit: number
  remaining: number
  /** Seconds until the window ends. */
  reset: number
  allowed: boolean
}

/** Counts requests per key in windows of a minute. */
export interface RateLimiter {
  /** Counts one request under `key` against `limit` per minute. */
  take(key: string, limit: number): RateState | Promise<RateState>
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
