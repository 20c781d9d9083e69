import type { Clock } from '../../runtime/clock.ts'
import { ApiError } from '../errors/api-error.ts'
import type { RateLimiter } from '../rate-limit/limiter.ts'

/** Limits how many wrong tokens an address may send. */
export interface WrongTokens {
  /** Throws 429 for an address that has sent too many: its next one is not looked up. */
  refuse(address: string): void
  /** Counts one. Throws 429 when it is one too many. */
  count(address: string): Promise<void>
}

const maxKept = 10_000

const tooMany = (seconds: number) =>
  new ApiError('too_many_requests', { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } })

/** @param perMinute for each address; 0 switches the limit off */
export function limitWrongTokens(parts: { limiter: RateLimiter; clock: Clock; perMinute: number }): WrongTokens {
  const { limiter, clock, perMinute } = parts
  /** Until when an address is refused, in milliseconds. */
  const refused = new Map<string, number>()
  return {
    refuse(address) {
      const until = refused.get(address)
      if (until === undefined) return
      const left = until - clock.now().getTime()
      if (left > 0) throw tooMany(left / 1000)
      refused.delete(address)
    },
    async count(address) {
      if (perMinute === 0) return
      const [state] = await limiter.take([[`wrong:${address}`, perMinute]])
      if (!state || state.allowed) return
      if (refused.size >= maxKept) refused.clear()
      refused.set(address, clock.now().getTime() + state.reset * 1000)
      throw tooMany(state.reset)
    },
  }
}
