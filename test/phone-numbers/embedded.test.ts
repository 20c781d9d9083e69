import { beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import { violations } from '../support/voice-platform/description.ts'
import { createRig, type EmbeddedRig } from '../support/voice-platform/embedded.ts'

let rig: EmbeddedRig
beforeEach(() => {
  rig = createRig()
})

const call: EmbeddedRig['call'] = (...request) => rig.call(...request)

const twilio = { provider: 'twilio', number: '+14155550100', twilioAccountSid: 'AC1' }
const byo = { provider: 'byo-phone-number', number: '+14155550101', credentialId: 'c1' }
const sip = { type: 'sip', sipUri: 'sip:desk@example.com' }
const ringing = { on: 'call.ringing', do: [{ type: 'say', exact: 'One moment' }] }

const whole = {
  name: 'Front',
  fallbackDestination: { type: 'number', number: '+14155550199', extension: '12', callerId: '+14155550100' },
  server: { url: 'https://example.com/hook', headers: { 'X-Vapi-Secret': 's' }, staticIpAddressesEnabled: true },
  hooks: [ringing, { on: 'call.ending', do: { type: 'transfer', destination: sip } }],
  smsEnabled: false,
}

describe('a phone number on the embedded platform', () => {
  test('is imported without keeping the secret, patched shallowly, cleared by null and deleted', async () => {
    const created = await call('POST', '/phone-number', { ...twilio, twilioAuthToken: 'secret', ...whole })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ ...twilio, ...whole, status: 'active' })
    expect(JSON.stringify(created.body)).not.toContain('"secret"')
    expect(violations('TwilioPhoneNumber', created.body)).toEqual([])
    const path = `/phone-number/${created.body.id}`

    const change = { provider: 'twilio', name: 'Back', server: { url: 'wss://example.com' }, workflowId: 'w1' }
    const patched = await call('PATCH', path, change)
    expect(patched.body).toMatchObject({ ...twilio, ...whole, ...change, server: { url: 'wss://example.com' } })
    expect(patched.body.server).toEqual({ url: 'wss://example.com' })
    expect(violations('UpdateTwilioPhoneNumberDTO', change)).toEqual([])
    const none = { assistantId: null, squadId: null, workflowId: null, fallbackDestination: null, server: null }
    const cleared = await call('PATCH', path, { provider: 'twilio', ...none })
    for (const field of Object.keys(none)) expect(cleared.body).not.toHaveProperty(field)
    expect(violations('UpdateTwilioPhoneNumberDTO', { provider: 'twilio', ...none })).toEqual([])
    expect(await call('DELETE', path)).toEqual(cleared)
    expect((await call('GET', path)).status).toBe(404)
  })

  test.each<[string, object, string | string[]]>([
    ['another provider', { ...twilio, provider: 'pigeon' }, ['provider must be one of the supported values']],
    ['no number', { provider: 'twilio', twilioAccountSid: 'AC1' }, ['number must be a string']],
    [
      'a number not in E.164',
      { ...twilio, number: '4155550100' },
      ['number must be a valid phone number in E.164 format.'],
    ],
    ['a long name', { ...twilio, name: 'x'.repeat(41) }, ['name must be shorter than or equal to 40 characters']],
    ['messages on another provider', { ...byo, smsEnabled: true }, ['property smsEnabled should not exist']],
    ['an unknown field', { ...twilio, color: 'red' }, ['property color should not exist']],
    ['a legacy secret', { ...twilio, server: { secret: 's' } }, ['server.property secret should not exist']],
    [
      'a fallback number not in E.164',
      { ...twilio, fallbackDestination: { type: 'number', number: '5550199' } },
      ['fallbackDestination.number must be a valid phone number in E.164 format.'],
    ],
    [
      'a long extension',
      { ...twilio, fallbackDestination: { type: 'number', number: '+14155550199', extension: '12345678901' } },
      ['fallbackDestination.extension must be shorter than or equal to 10 characters'],
    ],
    [
      'an extension behind SIP',
      { ...twilio, fallbackDestination: { ...sip, extension: '1' } },
      ['fallbackDestination.property extension should not exist'],
    ],
    [
      'an unknown hook',
      { ...twilio, hooks: [{ on: 'call.lost', do: [] }] },
      ['hooks.0.on must be one of the supported values'],
    ],
    ['no such assistant', { ...twilio, assistantId: 'x' }, 'assistantId must be the id of an existing assistant.'],
    [
      'no such squad',
      { ...twilio, squadId: '5f0c2f0e-3d3b-4a7e-9f5e-0d5a3a1c9b10' },
      'squadId must be the id of an existing squad.',
    ],
  ])('is refused with %s', async (_, body, message) => {
    expect(await call('POST', '/phone-number', body)).toEqual({
      status: 400,
      body: { message, error: 'Bad Request', statusCode: 400 },
    })
  })

  test('is registered once, and keeps its provider', async () => {
    const { body } = await call('POST', '/phone-number', byo)
    expect(violations('ByoPhoneNumber', body)).toEqual([])
    expect(await call('POST', '/phone-number', { ...twilio, number: byo.number })).toMatchObject({
      status: 400,
      body: { message: 'number is already registered.' },
    })
    expect(await call('PATCH', `/phone-number/${body.id}`, { provider: 'twilio' })).toMatchObject({
      status: 400,
      body: { message: 'provider cannot be changed.' },
    })
    expect(
      await call('PATCH', `/phone-number/${body.id}`, { provider: byo.provider, number: byo.number }),
    ).toMatchObject({ status: 200 })
  })

  test('is registered once among thousands', async () => {
    const store = createMemoryStore()
    const { call } = createRig({ store })
    const { body } = await call('POST', '/phone-number', byo)
    const later = new Date('2031-01-01T00:00:00.000Z')
    for (let count = 0; count < 1_000; count += 1) {
      const other = { ...byo, number: `+1415555${1_000 + count}` }
      const times = { createdAt: later, updatedAt: later }
      await store.insert({ id: crypto.randomUUID(), kind: 'phone-number', body: other, ...times })
    }
    const refused = { status: 400, body: { message: 'number is already registered.' } }
    expect(await call('POST', '/phone-number', byo)).toMatchObject(refused)
    const change = { provider: byo.provider, number: '+14155551000' }
    expect(await call('PATCH', `/phone-number/${body.id}`, change)).toMatchObject(refused)
    expect(await call('PATCH', `/phone-number/${body.id}`, { ...change, number: byo.number })).toMatchObject({
      status: 200,
    })
  })
})
