import { beforeAll, expect, test } from 'vitest'
import type { Carrier } from '../../src/carrier/carrier.ts'
import { embeddedCarrier } from '../../src/carrier/embedded/carrier.ts'
import { testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { caller } from '../support/numbers/rig.ts'

let carrier: Carrier
let app: Awaited<ReturnType<typeof testApp>>

beforeAll(async () => {
  app = await testApp()
  carrier = embeddedCarrier(app.database.db)
})

test('the offer of an area code is always the same, without what is sold', async () => {
  const offered = await carrier.offer({ areaCode: '646', limit: 5 })
  expect(await carrier.offer({ areaCode: '646', limit: 5 })).toEqual(offered)
  expect(offered).toHaveLength(5)
  for (const { number, country, capabilities } of offered) {
    expect(number).toMatch(/^\+1646555\d{4}$/)
    expect({ country, capabilities }).toEqual({
      country: 'US',
      capabilities: { voice: true, sms: !number.endsWith('9') },
    })
  }
  const [first, ...others] = offered
  const owned = await carrier.buy(first?.number ?? '', 'ref-1')
  expect(owned).toMatchObject({ number: first?.number, reference: 'ref-1' })
  expect((await carrier.offer({ areaCode: '646', limit: 5 })).slice(0, 4)).toEqual(others)
  expect(await carrier.find(owned.number)).toEqual(owned)
  await carrier.release(owned.id)
  await carrier.release(owned.id)
  expect(await carrier.find(owned.number)).toBeUndefined()
  expect(await carrier.offer({ areaCode: '646', limit: 5 })).toEqual(offered)
})

test('without an area code, numbers of several places are offered', async () => {
  // Numbers that others bought are not offered, whichever place they are of.
  const database = await freshDatabase()
  const offered = await embeddedCarrier(database.db).offer({ limit: 10 })
  await database.close()
  expect(new Set(offered.map(({ locality }) => locality)).size).toBe(5)
})

test('a number is sold once, and only what is on offer', async () => {
  await carrier.buy('+16465550001', 'ref-1')
  await expect(carrier.buy('+16465550001', 'ref-2')).rejects.toMatchObject({
    kind: 'refused',
    message: 'This number is no longer available.',
  })
  for (const number of ['+442071234567', '+1234567890', '+14115550001', '+14152000001']) {
    await expect(carrier.buy(number, 'r'), number).rejects.toMatchObject({
      kind: 'refused',
      message: 'This number is not on offer.',
    })
  }
  expect(await carrier.offer({ areaCode: '411', limit: 5 })).toEqual([])
})

test("numbers of the area code 555, which is nobody's, are sold too", async () => {
  expect(await carrier.buy('+15551234567', 'ref-3')).toMatchObject({ number: '+15551234567', reference: 'ref-3' })
  expect((await carrier.offer({ areaCode: '555', limit: 1 }))[0]).toMatchObject({
    number: expect.stringMatching(/^\+1555555\d{4}$/),
    friendlyName: expect.stringMatching(/^\(555\) 555-\d{4}$/),
  })
})

test('GET /phone-numbers/available answers the offer', async () => {
  const me = await caller(app)
  const answer = await me.send('GET', '/phone-numbers/available?area_code=512')
  const { success, data } = await answer.json()
  expect(success).toBe(true)
  expect(data).toHaveLength(20)
  expect(data[0]).toEqual({
    phone_number: expect.stringMatching(/^\+1512555\d{4}$/),
    friendly_name: expect.stringMatching(/^\(512\) 555-\d{4}$/),
    locality: 'Austin',
    region: 'TX',
    country: 'US',
    capabilities: { voice: true, sms: expect.any(Boolean) },
  })
  const bad = await me.send('GET', '/phone-numbers/available?area_code=99')
  expect(await bad.json()).toEqual({
    success: false,
    message: 'The area_code field must be three digits, such as 415.',
    errors: { area_code: ['The area_code field must be three digits, such as 415.'] },
  })
  expect(bad.status).toBe(422)
  for (const query of ['', '?area_code=']) {
    const offered = await me.send('GET', `/phone-numbers/available${query}`)
    expect((await offered.json()).data).toHaveLength(20)
  }
})
