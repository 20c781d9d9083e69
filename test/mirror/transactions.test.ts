import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig()
  await rig.database.sql.unsafe(`
    create function fail_assistants() returns trigger language plpgsql as
      $$ begin raise exception 'no writing today'; end $$;`)
})
afterAll(() => rig.stop())

type Write = 'insert' | 'update' | 'delete'

/** Ways in which the local transaction fails, as the trigger that makes it so. */
const ways: [string, (write: Write) => string][] = [
  [
    'fails',
    (write) => `create trigger broken before ${write} on assistants for each row execute function fail_assistants()`,
  ],
  [
    'fails when it commits',
    (write) =>
      `create constraint trigger broken after ${write} on assistants deferrable initially deferred
         for each row execute function fail_assistants()`,
  ],
]

const unsafe = (statement: string) => rig.database.sql.unsafe(statement)
const whole = { POST: 'insert', PUT: 'update', DELETE: 'delete' } as const

describe.each(ways)('a local transaction that %s', (_way, trigger) => {
  const broken = async (method: keyof typeof whole, path: string, body?: object) => {
    await unsafe(trigger(whole[method]))
    const answer = await rig.send(method, path, body)
    return { ...answer, mend: () => unsafe('drop trigger broken on assistants') }
  }

  test('leaves no remote object of a create', async () => {
    const before = await rig.state()
    const { status, body, mend } = await broken('POST', '/assistants', { name: 'New' })
    expect(status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(body)).not.toContain('today')
    expect(await rig.settle()).toEqual([])
    expect(await rig.state()).toEqual(before)
    await mend()
  })

  test('leaves an updated remote object as the record says', async () => {
    const { path } = await rig.create('Before')
    const before = await rig.state()
    const { status, mend } = await broken('PUT', path, { name: 'After' })
    expect(status).toBeGreaterThanOrEqual(500)
    expect(await rig.settle()).toEqual([])
    expect(await rig.state()).toEqual(before)
    await mend()
  })

  test('is done later for a delete', async () => {
    const { path, ref } = await rig.create('Goes')
    const { status, mend } = await broken('DELETE', path)
    expect(status).toBeGreaterThanOrEqual(500)
    expect((await rig.state()).journal).toMatchObject([{ ref, action: 'delete' }])
    await mend()
    expect(await rig.settle()).toEqual([])
    expect((await rig.state()).assistants.map((one) => one.ref)).not.toContain(ref)
  })
})

describe('a local transaction that commits, but the answer to the commit is lost', () => {
  let lose = false
  let lost = () => new Error('the connection is closed')
  let careless: MirrorRig
  const forgetful = (database: DatabaseHandle): DatabaseHandle => {
    const transaction: DatabaseHandle['db']['transaction'] = async (work, options) => {
      const result = await database.db.transaction(work, options)
      // Only the transaction that ended a journal row; others may come before.
      if (!lose || (await careless.state()).journal.length > 0) return result
      lose = false
      throw lost()
    }
    return { ...database, db: Object.assign(Object.create(database.db), { transaction }) }
  }
  beforeAll(async () => {
    careless = await createMirrorRig({ network: rig.network, database: forgetful(rig.database) })
  })
  afterAll(() => careless.stop())

  test('has created', async () => {
    lose = true
    const { path } = await careless.create('Committed')
    expect(await careless.settle()).toEqual([])
    expect((await careless.app.send('GET', path, { token: careless.token })).status).toBe(200)
  })

  test.each([
    ['updated', 'PUT', ['Committed too']],
    ['deleted', 'DELETE', []],
  ])('has %s on both sides', async (_done, method, names) => {
    const { path, ref } = await careless.create('Before')
    lose = true
    expect((await careless.send(method, path, { name: 'Committed too' })).status).toBe(500)
    expect(await careless.settle()).toEqual([])
    expect((await careless.state()).assistants.filter((one) => one.ref === ref).map(({ name }) => name)).toEqual(names)
  })

  test('may have made a squad, says so, and the same Idempotency-Key finds it', async () => {
    lost = () => Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
    const { app, token } = careless
    const body = { name: 'Saved', members: [] }
    const send = () => app.send('POST', '/squads', { token, body, headers: { 'idempotency-key': 'squad' } })
    const read = async () => (await (await app.send('GET', '/squads', { token })).json()).data
    lose = true
    const failed = await send()
    expect([failed.status, await failed.json()]).toEqual([
      503,
      {
        message: 'The service is temporarily unavailable. The change may have been made; read it before trying again.',
      },
    ])
    const made = await read()
    expect(made).toHaveLength(1)
    expect((await send()).status).toBe(201)
    expect(await read()).toEqual(made)
  })
})
