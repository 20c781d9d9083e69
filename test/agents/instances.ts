import { drizzle } from 'drizzle-orm/postgres-js'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { type TestApp, type TestUser, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/listening.ts'
import { chargesOf, credit, dropPrice, newPayer, setPrice } from '../support/payer.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

/** Two instances on one database, whose replies a fake server makes at a price. */
export interface Instances {
  fake: FakeModelServer
  /** The one that stands still. */
  stalled: TestApp
  other: TestApp
  /** A user whose workspace pays. */
  payer(): Promise<TestUser>
  /** How often the user's workspace was charged. */
  charges(user: TestUser): Promise<number>
  /** Sends a request whose model waits until it may go on. */
  stall<Sent>(
    send: () => Promise<Sent>,
    written?: { reply: string } | { pieces: string[] },
  ): Promise<{ sent: Promise<Sent>; goOn: () => void }>
  /** What an instance loses that stands still for too long. */
  loseLeases(): Promise<unknown>
  /** Forgets what the fake server was told and was sent. */
  reset(): void
  stop(): Promise<void>
}

export async function createInstances(): Promise<Instances> {
  const fake = fakeModelServer()
  const settings = { models: fake.models, remember: false, summarise: false }
  const database = await testDatabase()
  const instance = (db: TestApp['database']['db']) => {
    const models = createModels(localModel(), fake.models)
    const converse = converseThrough({ db, models, slots: createSlots({ total: 10 }) })
    return testApp({ ...settings, database: { ...database, db } }, { converse, plays: true })
  }
  const stalled = await instance(database.db)
  const other = await instance(drizzle(database.sql))
  await setPrice(stalled, 'fake-1', 1, 1)
  return {
    fake,
    stalled,
    other,
    async payer() {
      const payer = await newPayer(stalled, 'tokens')
      await credit(stalled, payer, 'tokens', 1_000_000)
      return payer
    },
    charges: async ({ workspaceId }) =>
      (await chargesOf(database, workspaceId)).filter(({ kind }) => kind === 'charge').length,
    async stall(send, written = { reply: 'Late' }) {
      const gate = Promise.withResolvers<void>()
      fake.script.push({ ...written, until: gate.promise })
      const before = fake.received.length
      const sent = send()
      await until(() => fake.received.length > before)
      return { sent, goOn: gate.resolve }
    },
    loseLeases: () => database.sql`delete from leases`,
    reset() {
      fake.script.length = 0
      fake.received.length = 0
    },
    async stop() {
      await dropPrice(stalled, 'fake-1')
      await fake.stop()
    },
  }
}
