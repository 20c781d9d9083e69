import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextNumber } from '../support/numbers/numbers.ts'
import { apart } from '../support/numbers/rig.ts'
import { createMirrorRig, createNetwork, type MirrorRig } from './rig.ts'

let rig: MirrorRig
/** What the platform listed last, and what it lists next in the place of what is there. */
let listed = ''
let stale: string | undefined
beforeAll(async () => {
  const network = createNetwork()
  const { fetch } = network
  network.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    if (pathname !== '/phone-number' || (init?.method ?? 'GET') !== 'GET') return fetch(input, init)
    const text = stale ?? (await (await fetch(input, init)).text())
    listed = text
    stale = undefined
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
  rig = await createMirrorRig({ network, transport: { timeoutMs: 20_000 } })
})
afterAll(() => rig.stop())

const live = (number: string) => rig.app.services.platform.phoneNumbers.findByNumber(number)
const assistants = async () => (await rig.state()).assistants

test('an assistant with a number is there for others once the platform leads the number to it, and can be deleted then', async () => {
  const number = nextNumber()
  await rig.send('POST', '/phone-numbers', { phone_number: number })
  const known = new Set((await assistants()).map(({ ref }) => ref))
  const made = async () => (await assistants()).map(({ ref }) => ref).filter((ref) => !known.has(ref))
  const held = rig.network.hold('PATCH')
  const created = rig.send('POST', '/assistants', { name: 'Desk', selected_phone_number: number })
  await held.sent
  await held.arrive({ answer: false })
  expect(await made()).toEqual([])
  held.answer()
  expect((await created).status).toBe(201)
  expect(await live(number)).toHaveProperty('assistantId')
  const [ref] = await made()
  expect((await rig.send('DELETE', `/assistants/${ref}`)).status).toBe(200)
  expect(await rig.settle()).toEqual([])
  expect(await apart(rig.app, number)).toEqual([])
  expect(await live(number)).not.toHaveProperty('assistantId')
})

test('a number that is configured while its assistant is deleted says so, and leads nowhere on both sides', async () => {
  const number = nextNumber()
  await rig.send('POST', '/phone-numbers', { phone_number: number })
  const { ref } = await rig.create('Desk')
  await rig.send('PUT', `/phone-numbers/${number}`, { voice_assistant_id: ref })
  const held = rig.network.hold('PATCH')
  const configured = rig.send('PUT', `/phone-numbers/${number}`, { name: 'Front desk' })
  await held.sent
  await held.arrive({ answer: false })
  const deleted = rig.send('DELETE', `/assistants/${ref}`)
  while ((await assistants()).some((one) => one.ref === ref)) await Bun.sleep(5)
  held.answer()
  expect([(await configured).status, (await deleted).status]).toEqual([409, 200])
  expect(await rig.settle()).toEqual([])
  expect(await apart(rig.app, number)).toEqual([])
})

test('a number that is bought again while a list still shows its former object is registered anew', async () => {
  const number = nextNumber()
  const buy = () => rig.send('POST', '/phone-numbers', { phone_number: number })
  expect(await buy()).toMatchObject({ status: 201 })
  const former = await live(number)
  const before = listed
  expect(await rig.send('DELETE', `/phone-numbers/${number}`)).toMatchObject({ status: 200 })
  stale = before
  expect(await buy()).toMatchObject({ status: 201 })
  expect(await rig.settle()).toEqual([])
  expect(await apart(rig.app, number)).toEqual([])
  expect((await live(number))?.id).not.toBe(former?.id)
})

test('a number that was registered meanwhile stays on the platform when whoever comes second cannot save it', async () => {
  const number = nextNumber()
  const held = rig.network.hold('POST')
  const bought = rig.send('POST', '/phone-numbers', { phone_number: number })
  await held.sent
  // It read the row before, and waits for its turn.
  const second = rig.app.services.phoneNumbers.sync(number)
  await rig.database.sql.unsafe(`
    create function fail_numbers() returns trigger language plpgsql as $$ begin raise exception 'no writing'; end $$;
    create trigger broken before update on phone_numbers for each row
      when (old.voice_phone_number_id is not null) execute function fail_numbers()`)
  await held.arrive()
  expect(await bought).toMatchObject({ status: 201 })
  const registered = await live(number)
  await expect(second).rejects.toThrow()
  await rig.database.sql.unsafe('drop trigger broken on phone_numbers')
  expect(await rig.settle()).toEqual([])
  expect(registered?.id).toBeDefined()
  expect(await live(number)).toMatchObject({ id: registered?.id })
  expect(await apart(rig.app, number)).toEqual([])
})
