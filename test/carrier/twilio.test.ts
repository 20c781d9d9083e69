import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { carrierFor } from '../../src/app/bootstrap/carrier.ts'
import { readEnv } from '../../src/app/env.ts'
import type { Carrier } from '../../src/carrier/carrier.ts'
import { twilioCarrier } from '../../src/carrier/twilio.ts'
import { testApp } from '../support/app.ts'
import { serveTwilio, type TwilioServer } from '../support/numbers/twilio.ts'

let server: TwilioServer
let carrier: Carrier
const account = { accountSid: 'AC123', authToken: 'tw-secret' }

beforeAll(() => {
  server = serveTwilio(account)
  carrier = twilioCarrier({ ...account, baseUrl: server.url, fetch, timeoutMs: 1000 })
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

test('numbers are searched by area code', async () => {
  expect(await carrier.offer({ areaCode: '510', limit: 2 })).toEqual([
    {
      number: '+15105550100',
      friendlyName: '(510) 555-0100',
      locality: 'Oakland',
      region: 'CA',
      country: 'US',
      capabilities: { voice: true, sms: true },
    },
    {
      number: '+15105550101',
      friendlyName: '(510) 555-0101',
      locality: null,
      region: 'CA',
      country: 'US',
      capabilities: { voice: true, sms: false },
    },
  ])
  expect(server.requests).toEqual([
    {
      method: 'GET',
      path: '/2010-04-01/Accounts/AC123/AvailablePhoneNumbers/US/Local.json',
      query: { AreaCode: '510', PageSize: '2', VoiceEnabled: 'true' },
      form: {},
    },
  ])
  await carrier.offer({ limit: 3 })
  expect(server.requests[1]?.query).not.toHaveProperty('AreaCode')
})

test('a number is bought under its reference, found by exactly itself, and released', async () => {
  const owned = await carrier.buy('+15105550100', 'ref-1')
  expect(owned).toEqual({ id: expect.stringMatching(/^PN/), number: '+15105550100', reference: 'ref-1', sms: true })
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    path: '/2010-04-01/Accounts/AC123/IncomingPhoneNumbers.json',
    form: { PhoneNumber: '+15105550100', FriendlyName: 'switchboard ref-1' },
  })
  expect(await carrier.find('+15105550100')).toEqual(owned)
  expect(await carrier.find('+1510555010')).toBeUndefined()
  await carrier.release(owned.id)
  await carrier.release(owned.id)
  expect(await carrier.find('+15105550100')).toBeUndefined()
})

test('a number that was bought elsewhere has no reference', async () => {
  server.own('+15105550100', 'My old number')
  expect(await carrier.find('+15105550100')).toMatchObject({ reference: null })
})

/** Spaces for ever: one each so many milliseconds, or megabytes at once. */
const trickle = (everyMs: number) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(everyMs)
      controller.enqueue(new Uint8Array(everyMs > 0 ? 1 : 2_000_000).fill(32))
    },
  })

describe('a failed call', () => {
  const refusal = {
    code: 21_422,
    message: '+15105550100 is not available. See https://www.twilio.com/docs',
    status: 400,
  }
  test.each<[string, () => Response | Promise<Response>, string, string]>([
    [
      'a refusal',
      () => Response.json(refusal, { status: 400 }),
      'refused',
      '+15105550100 is not available. See the address',
    ],
    [
      'bad credentials',
      () => Response.json({ message: 'Authenticate' }, { status: 401 }),
      'refused',
      'The carrier refused our credentials.',
    ],
    [
      'a refusal without a reason',
      () => new Response('<html>', { status: 400 }),
      'refused',
      'The carrier rejected the request (status 400).',
    ],
    [
      'too many requests',
      () => new Response('', { status: 429 }),
      'unavailable',
      'The carrier is receiving too many requests.',
    ],
    ['a failure', () => new Response('', { status: 503 }), 'unknown', 'The carrier failed to answer.'],
    [
      'an unreadable answer',
      () => new Response('<html>', { status: 201 }),
      'unknown',
      'The carrier gave an unreadable answer.',
    ],
    ['no answer in time', () => new Promise<Response>(() => {}), 'unknown', 'The carrier did not answer.'],
    ['a body that never ends', () => new Response(trickle(20)), 'unknown', 'The carrier did not answer.'],
    ['a body without end', () => new Response(trickle(0)), 'unknown', 'The carrier did not answer.'],
  ])('%s', async (_, answer, kind, message) => {
    server.answerNext(answer)
    // Only what never ends is cut short: a busy machine may take its time for the others.
    const timeoutMs = message === 'The carrier did not answer.' ? 100 : 30_000
    const impatient = twilioCarrier({ ...account, baseUrl: server.url, fetch, timeoutMs })
    await expect(impatient.buy('+15105550100', 'r')).rejects.toMatchObject({ name: 'CarrierError', kind, message })
    expect(server.requests).toHaveLength(1)
  })

  test('nobody listening is certainly not done', async () => {
    const nowhere = twilioCarrier({ ...account, baseUrl: 'http://127.0.0.1:1', fetch })
    await expect(nowhere.buy('+15105550100', 'r')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('never tells the token', async () => {
    server.answerNext(() => Response.json({ message: `bad Basic ${btoa('AC123:tw-secret')}` }, { status: 400 }))
    const failed = await carrier.buy('+15105550100', 'r').catch((error: unknown) => error)
    expect(String(failed)).toBe('CarrierError: bad Basic ***')
  })
})

test('the environment selects the carrier', async () => {
  const { db } = (await testApp()).database
  const { outsideTimes } = readEnv({})
  expect(carrierFor({ outsideTimes, carrier: { kind: 'embedded' } }, db).credentials.twilioAccountSid).toBe(
    'ACembedded',
  )
  expect(carrierFor({ outsideTimes, carrier: { kind: 'twilio', ...account } }, db).credentials).toEqual({
    provider: 'twilio',
    twilioAccountSid: 'AC123',
    twilioAuthToken: 'tw-secret',
  })
})
