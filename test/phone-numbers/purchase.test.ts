import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { embeddedCarrier } from '../../src/carrier/embedded/carrier.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import type { Slots } from '../../src/runtime/slots.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { type FaultyCarrier, faultyCarrier } from '../support/numbers/faulty-carrier.ts'
import { nextNumber } from '../support/numbers/numbers.ts'
import { apart, type Caller, caller } from '../support/numbers/rig.ts'
import { changePurchase, makeTriedDue, storedNumber, storedPurchase } from '../support/rows/numbers.ts'

let database: DatabaseHandle
let carrier: FaultyCarrier
let app: TestApp
let me: Caller
let number: string

beforeAll(async () => {
  database = await freshDatabase()
  carrier = faultyCarrier(embeddedCarrier(database.db))
  app = await testApp({ database, carrier, mirrorTimes: { leaseMs: 300, graceMs: 400, waitMs: 5_000 } })
  me = await caller(app)
})
afterAll(() => database.close())
beforeEach(() => {
  app.platform.faults.clear()
  carrier.clear()
  number = nextNumber()
})

const buy = async (body: object = { phone_number: number }, headers?: Record<string, string>) => {
  const answer = await me.send('POST', '/phone-numbers', body, headers)
  return { status: answer.status, body: await answer.json() }
}
const held = () => storedNumber(database, number)
const underWay = () => storedPurchase(database, number)
const failure = (detail: string) => ({
  status: 500,
  body: { success: false, message: `Failed to purchase phone number: ${detail}` },
})

/** The same carrier to a process that hears of a purchase only then. */
const heardAfter = (then: Promise<void>): FaultyCarrier => ({
  ...carrier,
  async buy(...call) {
    const owned = await carrier.buy(...call)
    await then
    return owned
  },
})

/** Lets the background do everything that is due, until nothing of this number is left to do. */
async function settle() {
  for (const until = performance.now() + 60_000; performance.now() < until; await Bun.sleep(50)) {
    await app.services.mirror.work.run()
    await makeTriedDue(database)
    await app.services.phoneNumbers.work.run()
    if (!(await underWay()) && !(await held())?.syncDueAt) return
  }
  throw new Error('the number does not settle')
}

describe('a purchase', () => {
  test('that waits so long that recovery ends it is not asked for', async () => {
    const turn = Promise.withResolvers<void>()
    const waits = [turn.promise]
    const carrierSlots: Slots = {
      ...createSlots({ total: 8 }),
      async run(_key, work) {
        await waits.shift()
        return work()
      },
    }
    const slow = await testApp({ database, carrier, carrierSlots, mirrorTimes: { leaseMs: 300, graceMs: 400 } })
    const before = carrier.calls.buy
    const body = { phone_number: number }
    const buying = slow.send('POST', '/phone-numbers', { token: me.token, body })
    await expect.poll(underWay).toBeDefined()
    await changePurchase(database, number, new Date(Date.now() - 3_600_000))
    await slow.services.phoneNumbers.work.run()
    expect(await underWay()).toBeUndefined()

    turn.resolve()
    const response = await buying
    expect({ status: response.status, body: await response.json() }).toEqual(
      failure('The purchase did not begin in time.'),
    )
    expect([carrier.calls.buy - before, await held(), await carrier.find(number)]).toEqual([0, undefined, undefined])
    expect((await buy()).status).toBe(201)
  })

  test('whose response is heard after recovery recorded the number and it was released is not recorded again', async () => {
    const heard = Promise.withResolvers<void>()
    const slow = await testApp({
      database,
      carrier: heardAfter(heard.promise),
      mirrorTimes: { leaseMs: 300, graceMs: 400 },
    })
    const buying = slow.send('POST', '/phone-numbers', { token: me.token, body: { phone_number: number } })
    await expect.poll(() => carrier.find(number)).toBeDefined()
    await settle()
    expect((await held())?.workspaceId).toBe(me.workspaceId)
    expect((await me.send('DELETE', `/phone-numbers/${number}`)).status).toBe(200)
    await settle()

    heard.resolve()
    const response = await buying
    expect({ status: response.status, body: await response.json() }).toEqual(
      failure('This number was released meanwhile.'),
    )
    expect([await held(), await underWay(), await carrier.find(number)]).toEqual([undefined, undefined, undefined])
    expect((await buy()).status).toBe(201)
  })

  test('that one attempt gives up stays with another that asks the carrier for it', async () => {
    const turn = Promise.withResolvers<void>()
    const carrierSlots: Slots = {
      ...createSlots({ total: 8 }),
      async run() {
        await turn.promise
        throw new Error('no slot')
      },
    }
    const first = await testApp({ database, carrier, carrierSlots })
    const heard = Promise.withResolvers<void>()
    const second = await testApp({ database, carrier: heardAfter(heard.promise) })
    const { workspaceId, resellerId, userId } = me
    const order = { number, ref: crypto.randomUUID(), name: null, userId, createdBy: userId, workspaceId, resellerId }
    const givenUp = expect(first.services.phoneNumbers.buy(order)).rejects.toThrow('no slot')
    await expect.poll(underWay).toBeDefined()
    const buying = second.services.phoneNumbers.buy(order)
    await expect.poll(() => carrier.find(number)).toBeDefined()

    turn.resolve()
    await givenUp
    heard.resolve()
    expect(await buying).toMatchObject({ phoneNumber: number, purchaseRef: order.ref, status: 'owned' })
    expect([(await held())?.purchaseRef, await underWay()]).toEqual([order.ref, undefined])
  })

  test('that the carrier refuses changes nothing', async () => {
    carrier.fail('buy', 'refuse')
    expect(await buy()).toEqual(failure('This number is no longer available.'))
    expect([await held(), await underWay(), await carrier.find(number)]).toEqual([undefined, undefined, undefined])
    expect((await buy()).status).toBe(201)
  })

  test('of a number that is not on offer, or in use, is refused', async () => {
    expect(await buy({ phone_number: '+442071234567' })).toEqual(failure('This number is not on offer.'))
    await buy()
    const owned = 'This account has this number already.'
    expect(await buy()).toEqual({
      status: 422,
      body: { success: false, message: owned, errors: { phone_number: [owned] } },
    })
    const stranger = await caller(app)
    const theirs = await stranger.send('POST', '/phone-numbers', { phone_number: number })
    expect((await theirs.json()).message).toBe('Failed to purchase phone number: This number is already in use.')
    for (const phone_number of ['5550100', `+1${'4'.repeat(20)}`]) {
      const { status, body } = await buy({ phone_number })
      expect(status).toBe(422)
      expect(body.errors).toEqual({
        phone_number: ['Phone number must be in international format (e.g., +1234567890).'],
      })
    }
  })

  test('whose answer is lost is looked up, not made again', async () => {
    const { buy: before } = carrier.calls
    carrier.fail('buy', 'drop_after')
    expect((await buy()).status).toBe(201)
    expect(carrier.calls.buy).toBe(before + 1)
    expect(await apart(app, number)).toEqual([])
  })

  test('that nobody can tell about is the account’s once the carrier says that it was done', async () => {
    carrier.fail('buy', 'drop_after')
    carrier.fail('find', 'drop_before')
    expect(await buy()).toEqual(failure('The carrier did not answer.'))
    expect(await underWay()).toBeDefined()
    await settle()
    expect(await held()).toMatchObject({ workspaceId: me.workspaceId, voiceAssistantId: null, status: 'owned' })
    expect(await apart(app, number)).toEqual([])
  })

  test('that certainly was not done is forgotten after a while, and no sooner', async () => {
    carrier.fail('buy', 'drop_before')
    carrier.fail('find', 'drop_before')
    expect((await buy()).status).toBe(500)
    expect(await buy()).toEqual(failure('This number is being bought already.'))
    await settle()
    expect([await held(), await underWay()]).toEqual([undefined, undefined])
    expect((await buy()).status).toBe(201)
  })

  test('that the account made elsewhere is not taken for ours', async () => {
    await embeddedCarrier(database.db).buy(number, 'somebody else')
    carrier.fail('buy', 'drop_before')
    expect((await buy()).status).toBe(500)
    await settle()
    expect(await held()).toBeUndefined()
  })

  test('with an Idempotency-Key is made once, however often it is asked for', async () => {
    const { buy: before } = carrier.calls
    const key = { 'idempotency-key': `key ${number}` }
    carrier.fail('buy', 'drop_after')
    carrier.fail('find', 'drop_before')
    expect((await buy(undefined, key)).status).toBe(500)
    expect(await buy(undefined, key)).toEqual(failure('This number is being bought already.'))
    await settle()
    expect((await held())?.workspaceId).toBe(me.workspaceId)
    expect(carrier.calls.buy).toBe(before + 1)

    number = nextNumber()
    const other = { 'idempotency-key': `key ${number}` }
    const made = await buy(undefined, other)
    expect(made.status).toBe(201)
    expect(await buy(undefined, other)).toEqual(made)
    expect(carrier.calls.buy).toBe(before + 2)
  })

  test('by many at once succeeds for one', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => buy()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    // Whoever asks once it is bought learns that the account has it.
    expect(answers.filter(({ status }) => status === 500 || status === 422)).toHaveLength(7)
  })
})

describe('a number that the platform does not register', () => {
  test.each([
    ['refuses', { mode: 'status', status: 400, body: { message: 'no' } }],
    ['fails', { mode: 'status', status: 500 }],
    ['does its work and loses the answer of', { mode: 'drop_after' }],
    ['is out of reach for', { mode: 'refuse', times: 3 }],
  ] as const)('because it %s the import stays with the account and is registered later', async (_, fault) => {
    app.platform.faults.add({ method: 'POST', path: /phone-number/, ...fault })
    const { status, body } = await buy()
    expect(status).toBe(201)
    expect(body.data.phone_number).toBe(number)
    await settle()
    expect((await held())?.voicePhoneNumberId).not.toBeNull()
    expect(await apart(app, number)).toEqual([])
    const remoteKinds = (await app.services.platform.phoneNumbers.list({ limit: 1000 })).filter(
      (one) => 'number' in one && one.number === number,
    )
    expect(remoteKinds).toHaveLength(1)
  })

  test('can be released all the same', async () => {
    app.platform.faults.add({ method: 'POST', path: /phone-number/, mode: 'status', status: 400 })
    await buy()
    expect((await me.send('DELETE', `/phone-numbers/${number}`)).status).toBe(200)
    await settle()
    expect([await held(), await carrier.find(number)]).toEqual([undefined, undefined])
  })
})

describe('a release', () => {
  test.each(['unavailable', 'drop_before', 'drop_after'] as const)(
    'that the carrier does not confirm (%s) is completed in the background',
    async (fault) => {
      await buy()
      carrier.fail('release', fault)
      expect((await me.send('DELETE', `/phone-numbers/${number}`)).status).toBe(200)
      expect((await me.send('GET', `/phone-numbers/${number}`)).status).toBe(404)
      await settle()
      expect([await held(), await carrier.find(number)]).toEqual([undefined, undefined])
      expect(await app.services.platform.phoneNumbers.findByNumber(number)).toBeNull()
    },
  )

  test('that the platform refuses leaves the number as it is', async () => {
    await buy()
    app.platform.faults.add({ method: 'DELETE', mode: 'refuse', times: 3 })
    const answer = await me.send('DELETE', `/phone-numbers/${number}`)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'Failed to release the phone number. Please try again.',
    })
    expect((await me.send('GET', `/phone-numbers/${number}`)).status).toBe(200)
    expect(await apart(app, number)).toEqual([])
  })
})
