import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import type { Carrier } from '../../src/carrier/carrier.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { storedPurchase } from '../support/rows/numbers.ts'

/** A carrier that answers when it is let to. */
function heldCarrier(own: Carrier) {
  let open = Promise.withResolvers<void>()
  const state = { waiting: 0 }
  const held = async <T>(work: () => Promise<T>): Promise<T> => {
    state.waiting++
    await open.promise
    state.waiting--
    return work()
  }
  const carrier: Carrier = {
    ...own,
    offer: (...call) => held(() => own.offer(...call)),
    buy: (...call) => held(() => own.buy(...call)),
    release: (...call) => held(() => own.release(...call)),
  }
  return {
    carrier,
    state,
    hold() {
      open = Promise.withResolvers<void>()
    },
    release: () => open.resolve(),
  }
}

let app: TestApp
let held: ReturnType<typeof heldCarrier>
beforeAll(async () => {
  const { services } = await testApp()
  held = heldCarrier(services.carrier)
  app = await testApp({ carrier: held.carrier, carrierSlots: createSlots({ total: 8 }) })
})
afterAll(() => held.release())

test('a carrier that is slow for one workspace has room for another, and for other work', async () => {
  const [one, other] = [await newUser(app.database), await newUser(app.database)]
  const offer = (token: string) => app.send('GET', '/phone-numbers/available', { token })
  const buy = (token: string, number: string) =>
    app.send('POST', '/phone-numbers', { token, body: { phone_number: number } })

  const number = await (async () => {
    held.release()
    const { data } = await (await offer(one.token)).json()
    held.hold()
    return data[0].phone_number as string
  })()
  const waiting = [offer(one.token), buy(one.token, number)]
  await until(() => held.state.waiting === 2)

  for (const refused of [await offer(one.token), await buy(one.token, '+12025550199')]) {
    expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([
      429,
      { message: 'Too Many Attempts.' },
      '5',
    ])
  }
  // What was refused has left nothing that the background would look at.
  expect(await storedPurchase(app.database, '+12025550199')).toBeUndefined()

  const others = offer(other.token)
  await until(() => held.state.waiting === 3)
  held.release()
  expect((await others).status).toBe(200)
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 201])
})

test('a number that cannot be given back at once is given back in the background', async () => {
  const { token, workspaceId } = await newUser(app.database)
  held.release()
  const { data } = await (await app.send('GET', '/phone-numbers/available', { token })).json()
  const [first, second] = data as { phone_number: string }[]
  for (const { phone_number } of [first, second].filter((one) => one !== undefined)) {
    expect((await app.send('POST', '/phone-numbers', { token, body: { phone_number } })).status).toBe(201)
  }
  held.hold()
  const { carrierSlots, phoneNumbers, carrier } = app.services
  const places = [1, 2].map(() => carrierSlots.run(workspaceId, () => carrier.offer({ limit: 1 })))
  await until(() => held.state.waiting === 2)
  const given = await app.send('DELETE', `/phone-numbers/${first?.phone_number.slice(1)}`, { token })
  expect(given.status).toBe(200)
  expect(await held.carrier.find(first?.phone_number ?? '')).toBeDefined()

  held.release()
  await Promise.all(places)
  await phoneNumbers.sync(first?.phone_number ?? '')
  expect(await held.carrier.find(first?.phone_number ?? '')).toBeUndefined()
})
