import type { Logger } from 'pino'
import type { Clock } from '../../runtime/clock.ts'
import { createDeadline, unlessAborted } from '../../runtime/deadline.ts'
import { inProcessLimiter } from './in-process.ts'
import { type Limit, type RateLimiter, rateState, windowMs } from './limiter.ts'

/**
 * Counts under each key and sets the expiry in one step, so that a crash between the two cannot leave a counter without
 * end, and a slow Redis is waited for once. Ends with the first key that has counted more than its limit.
 */
const script = `
local told = {}
for at, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  if count == 1 then redis.call('PEXPIRE', key, ARGV[1]) end
  told[2 * at - 1] = count
  told[2 * at] = redis.call('PTTL', key)
  if count > tonumber(ARGV[at + 1]) then break end
end
return told`

const timeoutMs = 250
const pauseMs = 5_000

/** Counters in Redis, shared by all instances; while Redis is away each instance counts for itself. */
export function redisLimiter(url: string, clock: Clock, log: Logger): RateLimiter {
  const client = new Bun.RedisClient(url, { connectionTimeout: timeoutMs, enableOfflineQueue: false })
  const fallback = inProcessLimiter(clock)
  let pausedUntil = 0

  /** Of each key that was counted, the count and how long it lasts. */
  const count = async (limits: readonly Limit[]): Promise<number[]> => {
    const { signal, end } = createDeadline(timeoutMs, { reason: () => new Error('no response in time') })
    try {
      if (!client.connected) await unlessAborted(client.connect(), signal)
      const keys = limits.map(([key]) => `rate:${key}`)
      const values = [windowMs, ...limits.map(([, limit]) => limit)].map(String)
      const response = client.send('EVAL', [script, String(keys.length), ...keys, ...values])
      return ((await unlessAborted(response, signal)) as unknown[]).map(Number)
    } finally {
      end()
    }
  }

  return {
    async take(limits) {
      const now = clock.now().getTime()
      if (now < pausedUntil) return fallback.take(limits)
      try {
        const told = await count(limits)
        return limits
          .slice(0, told.length / 2)
          .map(([, limit], at) => rateState(limit, told[2 * at] ?? 0, told[2 * at + 1] ?? 0))
      } catch (error) {
        pausedUntil = now + pauseMs
        log.warn(
          { event: 'redis_away', reason: error instanceof Error ? error.message : String(error) },
          'redis is away: counting in process',
        )
        return fallback.take(limits)
      }
    },
    close: () => client.close(),
  }
}
