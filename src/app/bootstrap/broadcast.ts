import type { Logger } from 'pino'
import { type Broadcast, noBroadcast } from '../../broadcast/broadcast.ts'
import { postgresBroadcast } from '../../broadcast/postgres.ts'
import { redisBroadcast } from '../../broadcast/redis.ts'
import type { DatabaseHandle } from '../../db/client.ts'
import type { Env } from '../env.ts'

/**
 * The broadcast between the instances on one database: over Redis where there is one, else over the database. Behind a
 * pooler of transactions that needs a direct connection, DATABASE_DIRECT_URL; without one they publish and receive
 * nothing.
 */
export function broadcastFor(
  { redisUrl, databaseUrl, databaseDirectUrl, databaseConnections }: Env,
  database: DatabaseHandle,
  log: Logger,
): Broadcast {
  if (database.embedded || databaseUrl === undefined) return noBroadcast
  const named = (setting: string) => log.child({ setting })
  if (redisUrl !== undefined) return redisBroadcast({ url: redisUrl, log: named('REDIS_URL') })
  const direct = databaseConnections.pooler === 'session' ? databaseUrl : undefined
  const setting = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  return postgresBroadcast({ url: databaseDirectUrl ?? direct, database, log: named(setting) })
}
