import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Broadcast } from '../../src/broadcast/broadcast.ts'
import { postgresBroadcast } from '../../src/broadcast/postgres.ts'
import { redisBroadcast } from '../../src/broadcast/redis.ts'
import { openDatabase } from '../../src/db/client.ts'
import { type Cluster, postgresBinaries, startCluster } from '../../torture/outside/postgres.ts'
import { redisBinary, redisServer } from '../rate-limit/redis-server.ts'

const log = pino({ level: 'silent' })
const waiting = { timeout: 30_000 }

/** Two instances; what the second one heard since it was last asked. */
async function pair(open: () => Promise<Broadcast>) {
  const [one, other] = [await open(), await open()]
  let heard: string[] = []
  await one.start(() => {})
  await other.start((topic, about) => heard.push(`${topic} ${about ?? 'all'}`))
  return {
    one,
    other,
    heard() {
      const before = heard
      heard = []
      return before
    },
    async close() {
      await one.close()
      await other.close()
    },
  }
}

const everything = ['accounts all', 'statistics all', 'connector all', 'work all']

async function tellsAndHearsAgain(open: () => Promise<Broadcast>, lose: () => Promise<void>) {
  const { one, other, heard, close } = await pair(open)
  try {
    await expect.poll(() => other.hears(), waiting).toBe(true)
    expect(heard()).toEqual(everything)
    await one.tell('connector', 'a uid')
    await one.tell('accounts')
    await expect.poll(heard, waiting).toContain('connector a uid')
    await lose()
    await expect.poll(heard, waiting).toEqual(expect.arrayContaining(everything))
    await expect
      .poll(async () => {
        await one.tell('statistics', 'live')
        return heard()
      }, waiting)
      .toContain('statistics live')
  } finally {
    await close()
  }
}

describe.skipIf((await postgresBinaries()) === undefined)('over PostgreSQL', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.stop())

  test('what one tells the other hears, and once it heard nothing it takes everything as changed', async () => {
    const url = cluster.url('postgres')
    const database = await openDatabase({ url, max: 2 })
    await tellsAndHearsAgain(
      async () => postgresBroadcast({ url, database, log }),
      async () => {
        await cluster.query(
          'postgres',
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchboard listener'`,
        )
      },
    )
    await database.close()
  })

  test('without a direct connection nothing is heard, and it says so', async () => {
    const database = await openDatabase({ url: cluster.url('postgres'), max: 1 })
    const deaf = postgresBroadcast({ url: undefined, database, log })
    await deaf.start(() => {})
    expect(deaf.hears()).toBe(false)
    await deaf.tell('accounts')
    await deaf.close()
    await database.close()
  })
})

describe.skipIf(redisBinary === null)('over Redis', () => {
  test('what one tells the other hears, and once it heard nothing it takes everything as changed', async () => {
    const redis = await redisServer(redisBinary ?? '')
    try {
      await tellsAndHearsAgain(
        async () => redisBroadcast({ url: redis.url, log }),
        async () => {
          await redis.stop()
          await redis.start()
        },
      )
    } finally {
      await redis.remove()
    }
  })
})
