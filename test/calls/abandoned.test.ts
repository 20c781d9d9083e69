import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient, type PlatformClient } from '../../src/voice-platform/client.ts'
import { createCallStore } from '../../src/voice-platform/embedded/calls/store.ts'
import { createEmbeddedPlatform, embeddedFetch } from '../../src/voice-platform/embedded/platform.ts'
import { createDatabaseStore } from '../../src/voice-platform/embedded/store/store.ts'
import type { WebhookMessage } from '../../src/webhooks/message.ts'
import { freshDatabase } from '../support/database.ts'

let database: DatabaseHandle
let told: WebhookMessage[] = []
/** What cannot be stored. */
let refused = (_message: WebhookMessage) => false
beforeAll(async () => {
  database = await freshDatabase()
  return () => database.close()
})
beforeEach(() => {
  told = []
  refused = () => false
})

/** A process with the platform in it; its language model answers when it is let. */
function startProcess() {
  const { db } = database
  let answer = (_text: string) => {}
  const reply = new Promise<string>((resolve) => {
    answer = resolve
  })
  const platform = createEmbeddedPlatform({
    apiKey: 'key',
    store: createDatabaseStore(db),
    calls: createCallStore(db, async (tx, messages) => {
      if (messages.some(refused)) await tx.execute(sql`select '1.5'::text::integer`)
      told.push(...messages)
    }),
    converse: () => reply,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
  })
  const client = createPlatformClient({
    baseUrl: 'http://platform',
    apiKey: 'key',
    fetch: embeddedFetch(platform),
    clock: systemClock,
    simulated: true,
  })
  return { platform, client, answer: () => answer('Goodbye.') }
}

/** A call that waits for the language model. */
async function beginCall(client: PlatformClient): Promise<string> {
  const server = { url: 'https://hooks.test/calls' }
  const { id: assistantId } = await client.assistants.create({ name: 'Desk', server, firstMessage: 'Hello?' })
  const { id } = await client.calls.create({ assistantId, customer: { number: '+14155550123' } })
  return id
}

const reports = (id: string) => told.filter(({ type, callId }) => type === 'end-of-call-report' && callId === id)
const runOut = () => database.db.execute(sql`update platform_calls set held_until = now() - interval '1 second'`)

describe('a call whose process was killed', () => {
  test('is ended and told once by another process when it is held no more', async () => {
    const killed = startProcess()
    const id = await beginCall(killed.client)
    const other = startProcess()
    expect(await other.platform.endAbandonedCalls(false)).toBe(0)
    await runOut()
    const ended = await Promise.all([startProcess(), other].map(({ platform }) => platform.endAbandonedCalls(false)))
    expect(ended.sort()).toEqual([0, 1])
    expect(await other.client.calls.get(id)).toMatchObject({
      status: 'ended',
      endedReason: 'call.in-progress.error-vapifault-worker-died',
    })
    expect(reports(id)).toHaveLength(1)
  })

  test('is ended at once by a start that is alone', async () => {
    const id = await beginCall(startProcess().client)
    expect(await startProcess().platform.endAbandonedCalls(true)).toBe(1)
    expect(reports(id)).toHaveLength(1)
  })
})

describe('a call of which nothing can be told', () => {
  test('is ended untold, with the others beside it, and keeps no process from its start', async () => {
    const ids = [await beginCall(startProcess().client), await beginCall(startProcess().client)]
    refused = ({ callId }) => callId === ids[0]
    const { platform, client } = startProcess()
    expect(await platform.endAbandonedCalls(true)).toBe(2)
    for (const id of ids) expect(await client.calls.get(id)).toMatchObject({ status: 'ended' })
    expect(ids.map((id) => reports(id).length)).toEqual([0, 1])
    expect(await platform.endAbandonedCalls(true)).toBe(0)
  })

  test('ends also in the process that runs it', async () => {
    const { client, answer, platform } = startProcess()
    const id = await beginCall(client)
    refused = () => true
    answer()
    await platform.idle()
    expect(await client.calls.get(id)).toMatchObject({ status: 'ended' })
  })
})

test('a call whose row cannot be written leaves the others their end, and is looked at once', async () => {
  const ids = [await beginCall(startProcess().client), await beginCall(startProcess().client)]
  const [bad] = ids
  await database.db.execute(sql`create function refuse() returns trigger language plpgsql as
    $$ begin if new.ended then raise exception 'never'; end if; return new; end $$`)
  await database.db.execute(
    sql.raw(`create trigger refuse before update on platform_calls
    for each row when (new.id = '${bad}') execute function refuse()`),
  )
  const { platform, client } = startProcess()
  expect(await platform.endAbandonedCalls(true)).toBe(1)
  expect(await platform.endAbandonedCalls(true)).toBe(0)
  expect(await Promise.all(ids.map(async (id) => (await client.calls.get(id)).status))).toEqual([
    'in-progress',
    'ended',
  ])
  await database.db.execute(sql`drop trigger refuse on platform_calls`)
  expect(await platform.endAbandonedCalls(true)).toBe(1)
})

describe('a call whose process lives', () => {
  test('is held for as long as that says so', async () => {
    const living = startProcess()
    await beginCall(living.client)
    await runOut()
    await living.platform.holdCalls()
    expect(await startProcess().platform.endAbandonedCalls(false)).toBe(0)
    living.answer()
    await living.platform.idle()
  })

  test('keeps a reply until another took it, and holds it no more then', async () => {
    const paused = startProcess()
    const id = await beginCall(paused.client)
    const kept: string[] = []
    const keep = (reply: string) =>
      createCallStore(database.db).keeperOf(id)?.(reply, async () => void kept.push(reply))
    await keep('Before')
    await runOut()
    expect(await createCallStore(database.db).takeAbandoned(false)).toHaveLength(1)
    await expect(keep('After')).rejects.toThrow('The call goes on no more')
    expect(kept).toEqual(['Before'])
    await runOut()
    await paused.platform.holdCalls()
    expect(await startProcess().platform.endAbandonedCalls(false)).toBe(1)
  })

  test('is not ended again when that was paused until another ended it', async () => {
    const paused = startProcess()
    const id = await beginCall(paused.client)
    await runOut()
    expect(await startProcess().platform.endAbandonedCalls(false)).toBe(1)
    paused.answer()
    await paused.platform.idle()
    expect(reports(id)).toHaveLength(1)
    expect(await paused.client.calls.get(id)).toMatchObject({
      endedReason: 'call.in-progress.error-vapifault-worker-died',
    })
  })
})
