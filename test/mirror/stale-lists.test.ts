import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMirrorRig, createNetwork, type MirrorRig } from './rig.ts'

let rig: MirrorRig
/** How often the platform's list still shows nothing of what was made. */
let stale = 0
beforeAll(async () => {
  const network = createNetwork()
  const { fetch } = network
  network.fetch = async (input, init) => {
    const isList = new URL(String(input)).pathname === '/assistant' && (init?.method ?? 'GET') === 'GET'
    if (!isList || stale === 0) return fetch(input, init)
    stale -= 1
    return new Response('[]', { headers: { 'content-type': 'application/json' } })
  }
  rig = await createMirrorRig({ network, transport: { timeoutMs: 20_000 } })
})
afterAll(() => rig.stop())

test('what a create made that was not saved is looked for until lists show it', async () => {
  const { sql } = rig.database
  const before = await rig.state()
  await sql.unsafe(`
    create function refuse_unsaved() returns trigger language plpgsql as $$ begin raise exception 'no writing today'; end $$;
    create trigger broken before insert on assistants for each row execute function refuse_unsaved();`)
  rig.network.platform.faults.add({ mode: 'refuse', method: 'DELETE', times: 10 })
  stale = 1
  expect(await rig.send('POST', '/assistants', { name: 'Not saved' })).toMatchObject({ status: 500 })
  await sql.unsafe('drop trigger broken on assistants; drop function refuse_unsaved()')
  rig.network.platform.faults.clear()
  await sql`update live_writes set due_at = now() - interval '1 second'`
  await rig.app.services.mirror.work.run()
  expect(stale).toBe(0)
  expect(await rig.settle()).toEqual([])
  expect(await rig.state()).toEqual(before)
})
