import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'

let me: Caller
let path: string

beforeAll(async () => {
  me = await caller(await testApp())
  path = `/phone-numbers/${(await me.number()).phone_number}`
})

const put = async (body: unknown) => {
  const answer = await me.send('PUT', path, body)
  return { status: answer.status, body: await answer.json() }
}

const texts = {
  number: 'The fallback number must be a valid phone number in E.164 format (e.g. +14155551234).',
  callerId: 'The caller ID must be a valid phone number in E.164 format (e.g. +14155551234).',
  numberRequired: 'A fallback phone number is required when the destination type is a number.',
  sipUriRequired: 'A SIP URI is required when the destination type is SIP.',
}

describe('a body is refused with 422', () => {
  test.each<[string, object, Record<string, string[]>]>([
    ['a name over 255', { name: 'x'.repeat(256) }, { name: ['The name field must have at most 255 characters.'] }],
    [
      'targets over 255',
      { voice_workflow_id: 'x'.repeat(256) },
      { voice_workflow_id: ['The voice_workflow_id field must have at most 255 characters.'] },
    ],
    [
      'a switch that is no boolean',
      { sms_enabled: 'yes' },
      { sms_enabled: ['The sms_enabled field must be true or false.'] },
    ],
    [
      'an unknown destination type',
      { fallback_destination: { type: 'fax' } },
      { 'fallback_destination.type': ['The fallback_destination.type field must be one of: number, sip.'] },
    ],
    [
      'a destination that leads nowhere',
      { fallback_destination: { message: 'One moment' } },
      { 'fallback_destination.type': ['The fallback_destination.type field is required.'] },
    ],
    [
      'a number without +',
      { fallback_destination: { type: 'number', number: '14155551234' } },
      { 'fallback_destination.number': [texts.number] },
    ],
    [
      'a number of six digits',
      { fallback_destination: { type: 'number', number: '+123456' } },
      { 'fallback_destination.number': [texts.number] },
    ],
    [
      'a number of sixteen digits',
      { fallback_destination: { number: '+1234567890123456' } },
      { 'fallback_destination.number': [texts.number] },
    ],
    [
      'a bad caller id',
      { fallback_destination: { callerId: '+0155512345' } },
      { 'fallback_destination.callerId': [texts.callerId] },
    ],
    [
      'a number destination without its number',
      { fallback_destination: { type: 'number' } },
      { 'fallback_destination.number': [texts.numberRequired] },
    ],
    [
      'a number destination with an empty number',
      { fallback_destination: { type: 'number', number: '' } },
      { 'fallback_destination.number': [texts.numberRequired] },
    ],
    [
      'an empty number alone',
      { fallback_destination: { number: '' } },
      { 'fallback_destination.number': [texts.number] },
    ],
    [
      'a SIP destination without its URI',
      { fallback_destination: { type: 'sip', sipUri: null } },
      { 'fallback_destination.sipUri': [texts.sipUriRequired] },
    ],
    [
      'a message over 1000',
      { fallback_destination: { message: 'x'.repeat(1001), description: 'x'.repeat(1001) } },
      {
        'fallback_destination.message': ['The fallback_destination.message field must have at most 1000 characters.'],
        'fallback_destination.description': [
          'The fallback_destination.description field must have at most 1000 characters.',
        ],
      },
    ],
    [
      'a SIP URI and an extension over 255',
      { fallback_destination: { sipUri: 'x'.repeat(256), extension: '1'.repeat(256) } },
      {
        'fallback_destination.sipUri': ['The fallback_destination.sipUri field must have at most 255 characters.'],
        'fallback_destination.extension': [
          'The fallback_destination.extension field must have at most 255 characters.',
        ],
      },
    ],
    [
      'a server that is no URL',
      { server: { url: 'nowhere' } },
      { 'server.url': ['The server.url field must be a valid URL.'] },
    ],
    [
      'a URL over 2048',
      { server: { url: `https://example.com/${'x'.repeat(2048)}` } },
      { 'server.url': ['The server.url field must have at most 2048 characters.'] },
    ],
    [
      'a secret over 2048',
      { server: { secret: 'x'.repeat(2049) } },
      { 'server.secret': ['The server.secret field must have at most 2048 characters.'] },
    ],
    [
      'no time at all',
      { server: { timeoutSeconds: 0 } },
      { 'server.timeoutSeconds': ['The server.timeoutSeconds field must be at least 1.'] },
    ],
    [
      'too much time',
      { server: { timeoutSeconds: 301 } },
      { 'server.timeoutSeconds': ['The server.timeoutSeconds field must be at most 300.'] },
    ],
    [
      'a header value over 4096',
      { server: { headers: { A: 'x'.repeat(4097) } } },
      { 'server.headers.A': ['The server.headers.A field must have at most 4096 characters.'] },
    ],
    [
      'a header of two lines',
      { server: { headers: { 'X-A': 'a\r\nX-B: b' } } },
      { 'server.headers.X-A': ['Header values are one line of Latin-1 characters.'] },
    ],
    [
      'a header that cannot be sent',
      { server: { headers: { 'X-A': 'snowman \u2603' } } },
      { 'server.headers.X-A': ['Header values are one line of Latin-1 characters.'] },
    ],
    [
      'a header name that is none',
      { server: { headers: { 'X A:': 'a' } } },
      { 'server.headers.X A:': ['The server.headers.X A: field is invalid.'] },
    ],
    [
      'a secret of two lines, which is sent as a header',
      { server: { secret: 'a\nb' } },
      { 'server.secret': ['Header values are one line of Latin-1 characters.'] },
    ],
    [
      'more than fifty headers',
      { server: { headers: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, ''])) } },
      { 'server.headers': ['At most 50 headers.'] },
    ],
    ['hooks that are no list', { hooks: {} }, { hooks: ['The hooks field must be an array.'] }],
  ])('%s', async (_, body, errors) => {
    const { status, body: answer } = await put(body)
    expect({ status, ...answer }).toMatchObject({ status: 422, success: false, errors })
    expect(Object.keys(answer.errors)).toEqual(Object.keys(errors))
  })
})
