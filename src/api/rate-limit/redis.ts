import type { Logger } from 'pino'
import type { Clock } from '../../runtime/clock.ts'
import { inProcessLimiter } from './in-process.ts'
import { type RateLimiter, rateState, windowMs } from './limiter.ts'

/** Counts and sets the expiry in one step, so that a crash between the two cannot leave a counter without end. */
const script = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`

const timeoutMs = 250
const pauseMs = 5_000

/** Counters in Redis, shared by all instances; while Redis is away each instance counts for itself. */
export function redisLimiter(url: string, clock: Clock, log: Logger): RateLimiter {
  const client = new Bun.RedisClient(url, { connectionTimeout: timeoutMs, enableOfflineQueue: false })
  const fallback = inProcessLimiter(clock)
  let pausedUntil = 0

  const count = async (key: string): Promise<[number, number]> => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no response in time')), timeoutMs)
    })
    try {
      if (!client.connected) await Promise.race([client.connect(), late])
      const response = await Promise.race([client.send('EVAL', [script, '1', key, String(windowMs)]), late])
      const [value, ttl] = response as [number, number]
      return [Number(value), Number(ttl)]
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async take(key, limit) {
      const now = clock.now().getTime()
      if (now < pausedUntil) return fallback.take(key, limit)
      try {
        const [value, ttl] = await count(`rate:${key}`)
        return rateState(limit, value, ttl)
      } catch (error) {
        pausedUntil = now + pauseMs
        log.warn(
          { event: 'redis_away', reason: error instanceof Error ? error.message : String(error) },
          'redis is away: counting in process',
        )
        return fallback.take(key, limit)
      }
    },
    close: () => client.close(),
  }
}
