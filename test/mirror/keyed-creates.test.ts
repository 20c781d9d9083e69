import { drizzle } from 'drizzle-orm/postgres-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { asAnotherProcess, createMirrorRig, createNetwork, type MirrorRig } from './rig.ts'

const network = createNetwork()
let rig: MirrorRig
let other: MirrorRig
/** Called when the other instance asks for the turn of a resource. */
let asked = () => {}

beforeAll(async () => {
  const transport = { timeoutMs: 20_000 }
  rig = await createMirrorRig({ network, transport })
  const logger = {
    logQuery: (query: string) => {
      if (query.startsWith('insert into "live_writes"')) asked()
    },
  }
  const database = { ...asAnotherProcess(rig.database), db: drizzle(rig.database.sql, { logger }) }
  other = await createMirrorRig({ network, database, transport })
})
afterAll(async () => {
  await other.stop()
  await rig.stop()
})

async function create({ app }: { app: TestApp }, name: string) {
  const headers = { 'idempotency-key': name }
  const response = await app.send('POST', '/assistants', { token: rig.token, body: { name }, headers })
  return { status: response.status, body: await response.json() }
}

const posts = () => network.platform.requests.filter(({ method }) => method === 'POST').length
/** What the other processes see when this one stood still for longer than it may hold its key. */
const keyRunsOut = () => rig.database.sql`delete from leases where key like 'idempotency:%'`

test('a create that waited for the same one makes nothing again, and says what was made', async () => {
  const before = posts()
  const held = network.hold('POST')
  const first = create(rig, 'Waited for')
  await held.sent
  await keyRunsOut()
  const waits = new Promise<void>((resolve) => {
    asked = resolve
  })
  const second = create(other, 'Waited for')
  await waits
  await held.arrive()
  const [made, found] = [await first, await second]
  expect([made.status, found.status]).toEqual([201, 201])
  expect(found.body.data).toEqual(made.body.data)
  expect(posts() - before).toBe(1)
  expect((await rig.state()).journal).toEqual([])
  expect(await rig.settle()).toEqual([])
})

test('a create whose record was saved meanwhile by who took it over is told so, and leaves nothing', async () => {
  const held = network.hold('POST')
  const paused = create(rig, 'Taken over')
  await held.sent
  await keyRunsOut()
  await rig.database.sql`update live_writes set due_at = now() - interval '1 second'`
  const taken = await create(other, 'Taken over')
  expect(taken.status).toBe(201)
  await held.arrive()
  expect(await paused).toEqual({
    status: 409,
    body: {
      success: false,
      message: 'Other changes of this assistant are still under way. Please try again.',
    },
  })
  expect(await rig.settle()).toEqual([])
  const mine = (await rig.state()).assistants.filter(({ name }) => name === 'Taken over')
  expect(mine.map(({ ref }) => ref)).toEqual([taken.body.data.assistant_id])
})
