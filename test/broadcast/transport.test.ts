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

/** Two instances; what the second one received since the last call. */
async function pair(open: () => Promise<Broadcast>) {
  const [one, other] = [await open(), await open()]
  let received: string[] = []
  await one.subscribe(() => {})
  await other.subscribe((topic, about) => received.push(`${topic} ${about ?? 'all'}`))
  return {
    one,
    other,
    received() {
      const before = received
      received = []
      return before
    },
    async close() {
      await one.close()
      await other.close()
    },
  }
}

const everything = ['accounts all', 'statistics all', 'connector all', 'work all']

async function publishesAndReconnects(open: () => Promise<Broadcast>, lose: () => Promise<void>) {
  const { one, other, received, close } = await pair(open)
  try {
    await expect.poll(() => other.isListening(), waiting).toBe(true)
    expect(received()).toEqual(everything)
    await one.publish('connector', 'a uid')
    await one.publish('accounts')
    await expect.poll(received, waiting).toContain('connector a uid')
    await lose()
    await expect.poll(received, waiting).toEqual(expect.arrayContaining(everything))
    await expect
      .poll(async () => {
        await one.publish('statistics', 'live')
        return received()
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

  test('what one publishes the other receives, and after a lost connection it takes everything as changed', async () => {
    const url = cluster.url('postgres')
    const database = await openDatabase({ url, max: 2 })
    await publishesAndReconnects(
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

  test('without a direct connection it listens to nothing, and says so', async () => {
    const database = await openDatabase({ url: cluster.url('postgres'), max: 1 })
    const publisher = postgresBroadcast({ url: undefined, database, log })
    await publisher.subscribe(() => {})
    expect(publisher.isListening()).toBe(false)
    await publisher.publish('accounts')
    await publisher.close()
    await database.close()
  })
})

describe.skipIf(redisBinary === null)('over Redis', () => {
  test('what one publishes the other receives, and after a lost connection it takes everything as changed', async () => {
    const redis = await redisServer(redisBinary ?? '')
    try {
      await publishesAndReconnects(
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

  test('one that hangs holds nobody up for long, and what is published afterwards arrives', async () => {
    const redis = await redisServer(redisBinary ?? '')
    const { one, received, close } = await pair(async () => redisBroadcast({ url: redis.url, log }))
    try {
      await one.publish('accounts')
      await expect.poll(received, waiting).toContain('accounts all')
      redis.freeze()
      const from = performance.now()
      for (let times = 0; times < 2; times++) await Promise.all([one.publish('accounts'), one.publish('statistics')])
      expect(performance.now() - from).toBeLessThan(8_000)
      redis.goOn()
      received()
      await Promise.all([one.publish('connector', 'first'), one.publish('connector', 'second')])
      await expect.poll(received, waiting).toEqual(expect.arrayContaining(['connector first', 'connector second']))
    } finally {
      redis.goOn()
      await close()
      await redis.remove()
    }
  })
})
