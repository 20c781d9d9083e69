import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onServer } from '../support/database.ts'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig()
  await rig.database.sql.unsafe(`
    create function fail_assistants() returns trigger language plpgsql as
      $$ begin raise exception 'no writing today'; end $$;
    create function cut_assistants() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;`)
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
  [
    'loses its connection',
    (write) => `create trigger broken after ${write} on assistants for each row execute function cut_assistants()`,
  ],
]

const unsafe = (statement: string) => rig.database.sql.unsafe(statement)
const whole = { POST: 'insert', PUT: 'update', DELETE: 'delete' } as const

describe.each(ways)('a local transaction that %s', (way, trigger) => {
  const broken = async (method: keyof typeof whole, path: string, body?: object) => {
    await unsafe(trigger(whole[method]))
    const answer = await rig.send(method, path, body)
    return { ...answer, mend: () => unsafe('drop trigger broken on assistants') }
  }
  const possible = () => onServer() || !way.includes('connection')

  test('leaves no twin of a create', async ({ skip }) => {
    if (!possible()) skip('the embedded database has no connection to lose')
    const before = await rig.state()
    const { status, body, mend } = await broken('POST', '/assistants', { name: 'New' })
    expect(status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(body)).not.toContain('today')
    expect(await rig.settle()).toEqual([])
    expect(await rig.state()).toEqual(before)
    await mend()
  })

  test('leaves an updated twin as the record says', async ({ skip }) => {
    if (!possible()) skip('the embedded database has no connection to lose')
    const { path } = await rig.create('Before')
    const before = await rig.state()
    const { status, mend } = await broken('PUT', path, { name: 'After' })
    expect(status).toBeGreaterThanOrEqual(500)
    expect(await rig.settle()).toEqual([])
    expect(await rig.state()).toEqual(before)
    await mend()
  })

  test('is done later for a delete', async ({ skip }) => {
    if (!possible()) skip('the embedded database has no connection to lose')
    const { path, ref } = await rig.create('Goes')
    const { status, mend } = await broken('DELETE', path)
    expect(status).toBeGreaterThanOrEqual(500)
    expect((await rig.state()).journal).toMatchObject([{ ref, action: 'delete' }])
    await mend()
    expect(await rig.settle()).toEqual([])
    expect((await rig.state()).assistants.map((one) => one.ref)).not.toContain(ref)
  })
})
