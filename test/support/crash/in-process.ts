import { isNotNull, sql } from 'drizzle-orm'
import { type DatabaseHandle, openDatabase } from '../../../src/db/client.ts'
import type { EmbeddedDatabase } from '../../../src/db/embedded.ts'
import { clearLeases } from '../../../src/db/lease/lease.ts'
import { phoneNumbers } from '../../../src/resources/phone-numbers/table.ts'
import { liveWrites } from '../../../src/voice-platform/mirror/journal/table.ts'
import type { ChildConfig } from './messages.ts'
import type { StartedServer } from './rig.ts'
import { startSteppingServer } from './server.ts'
import { localState } from './state.ts'
import { createSteps } from './steps.ts'

/** What the code of a dead server gets whatever it tries. */
class DeadError extends Error {
  override readonly name = 'DeadError'
}

/**
 * Lets what the last server left run out: its leases, its place in the journal, the time in which its writes may still
 * arrive, and the time that the records of numbers had.
 */
async function outwait({ leaseMs, graceMs }: ChildConfig['times'], { db }: DatabaseHandle): Promise<void> {
  const passed = sql`${leaseMs + graceMs} * interval '1 millisecond'`
  await clearLeases(db)
  await db
    .update(liveWrites)
    .set({ dueAt: sql`${liveWrites.dueAt} - ${passed}`, lateUntil: sql`${liveWrites.lateUntil} - ${passed}` })
  await db.update(phoneNumbers).set({ syncDueAt: sql`now()` }).where(isNotNull(phoneNumbers.syncDueAt))
}

/**
 * Starts the server in this process. When it dies nothing of it has an effect any more: no statement is sent, no call
 * to the platform is made, its connections are cut and nobody hears its responses. That is what outsiders see of a
 * killed process, without the second that a new one takes to start.
 */
export async function startInProcess(config: ChildConfig, embedded?: EmbeddedDatabase): Promise<StartedServer> {
  let dead = false
  const death = Promise.withResolvers<string | undefined>()
  const steps = createSteps((name) => {
    dead = true
    death.resolve(name)
    throw new DeadError()
  })
  const step = (kind: string) => {
    if (dead) throw new DeadError()
    steps.step(kind)
  }
  const database = await openDatabase({ url: config.env.DATABASE_URL, embedded, onQuery: step })
  // What a session is told stays with the embedded database, whose only session it is.
  await database.sql.unsafe('discard all')
  await outwait(config.times, database)
  const server = await startSteppingServer(config, step, database)
  const ended = death.promise.then(async () => {
    dead = true
    await database.sql.end({ timeout: 0 })
    await server.stop()
  })
  return {
    url: server.url,
    arm: async (killAt) => steps.arm(killAt),
    steps: async () => steps.taken(),
    state: () => localState(server.services.db),
    died: death.promise,
    async kill() {
      death.resolve(undefined)
      await ended
    },
  }
}
