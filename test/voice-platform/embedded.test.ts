import { VapiClient } from '@vapi-ai/server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmbeddedPlatform } from '../../src/voice-platform/embedded/platform.ts'
import { type ServedPlatform, servePlatform } from '../../src/voice-platform/embedded/serve.ts'
import { violations } from '../support/voice-platform/description.ts'
import { apiKey, createRig } from '../support/voice-platform/embedded.ts'
import type { VirtualClock } from '../support/voice-platform/virtual-clock.ts'

let platform: EmbeddedPlatform
let clock: VirtualClock
let served: ServedPlatform
let sdk: VapiClient

beforeAll(() => {
  ;({ platform, clock } = createRig())
  served = servePlatform(platform)
  sdk = new VapiClient({ token: apiKey, environment: served.url, maxRetries: 0 })
})
afterAll(() => served.stop())
beforeEach(() => platform.faults.clear())

/** A raw call, for bodies that the SDK's types refuse. */
async function call(method: string, path: string, body?: unknown, key = apiKey) {
  const answer = await fetch(`${served.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

const unknownId = '5f0c2f0e-3d3b-4a7e-9f5e-0d5a3a1c9b10'

test('its port is its own', () => {
  const port = Number(new URL(served.url).port)
  expect(() => servePlatform(platform, { port })).toThrow(`Is port ${port} in use?`)
})

describe('the official client', () => {
  test('creates, reads, updates shallowly, lists and deletes an assistant', async () => {
    const created = await sdk.assistants.create({
      name: 'Anna',
      firstMessage: 'Hello',
      model: { provider: 'openai', model: 'gpt-4.1', maxTokens: 100 },
      metadata: { external_ref: 'ref-1' },
    })
    expect(violations('Assistant', created)).toEqual([])
    expect(created).toMatchObject({ name: 'Anna', createdAt: '2030-01-01T00:00:00.000Z' })
    expect(await sdk.assistants.get({ id: created.id })).toEqual(created)

    clock.pass(1000)
    const updated = await sdk.assistants.update({
      id: created.id,
      name: 'Bob',
      model: { provider: 'openai', model: 'gpt-4.1' },
    })
    expect(updated).toEqual({
      ...created,
      name: 'Bob',
      model: { provider: 'openai', model: 'gpt-4.1' },
      updatedAt: '2030-01-01T00:00:01.000Z',
    })

    expect(await sdk.assistants.list()).toContainEqual(updated)
    expect(await sdk.assistants.delete({ id: created.id })).toEqual(updated)
    await expect(sdk.assistants.get({ id: created.id })).rejects.toMatchObject({ statusCode: 404 })
  })

  test('lists newest first within its filters', async () => {
    const names = ['one', 'two', 'three']
    const made = []
    for (const name of names) {
      clock.pass(1000)
      made.push(await sdk.assistants.create({ name }))
    }
    const [one, two, three] = made.map(({ createdAt }) => createdAt)
    const listed = async (filter: object) => (await sdk.assistants.list(filter)).map(({ name }) => name)
    expect(await listed({ createdAtGe: one })).toEqual(['three', 'two', 'one'])
    expect(await listed({ createdAtGt: one })).toEqual(['three', 'two'])
    expect(await listed({ createdAtGe: one, createdAtLt: three })).toEqual(['two', 'one'])
    expect(await listed({ createdAtGe: one, createdAtLe: two })).toEqual(['two', 'one'])
    expect(await listed({ createdAtGe: one, limit: 1 })).toEqual(['three'])
    expect(await listed({ updatedAtGt: two })).toEqual(['three'])
  })

  test('is refused with another key', async () => {
    const stranger = new VapiClient({ token: 'other', environment: served.url, maxRetries: 0 })
    await expect(stranger.assistants.list()).rejects.toMatchObject({
      statusCode: 401,
      body: { error: 'Unauthorized', statusCode: 401 },
    })
  })
})

describe('refusals', () => {
  test.each<[string, unknown, string]>([
    ['unknown property', { x: 1 }, 'property x should not exist'],
    [
      'unknown nested property',
      { model: { provider: 'openai', model: 'm', x: 1 } },
      'model.property x should not exist',
    ],
    [
      'our own plan keys',
      { compliancePlan: { recordingEnabled: true } },
      'compliancePlan.property recordingEnabled should not exist',
    ],
    ['legacy secret', { server: { secret: 's' } }, 'server.property secret should not exist'],
    ['long name', { name: 'x'.repeat(41) }, 'name must be shorter than or equal to 40 characters'],
    [
      'long message',
      { endCallMessage: 'x'.repeat(1001) },
      'endCallMessage must be shorter than or equal to 1000 characters',
    ],
    ['short phrase', { endCallPhrases: ['x'] }, 'endCallPhrases.0 must be longer than or equal to 2 characters'],
    ['wrong type', { firstMessage: 5 }, 'firstMessage must be a string'],
    ['out of range', { maxDurationSeconds: 9 }, 'maxDurationSeconds must not be less than 10'],
    [
      'tokens',
      { model: { provider: 'openai', model: 'm', maxTokens: 10_001 } },
      'model.maxTokens must not be greater than 10000',
    ],
    [
      'a number as text',
      { maxDurationSeconds: '60' },
      'maxDurationSeconds must be a number conforming to the specified constraints',
    ],
    ['enumeration', { serverMessages: ['x'] }, 'serverMessages.0 must be one of the following values: '],
    ['no provider', { voice: { voiceId: 'Elliot' } }, 'voice.provider must be one of the supported values'],
    [
      'speed of the provider',
      { voice: { provider: '11labs', voiceId: 'sarah', speed: 2 } },
      'voice.speed must not be greater than 1.2',
    ],
    [
      'formatTurns elsewhere',
      { transcriber: { provider: 'deepgram', formatTurns: true } },
      'transcriber.property formatTurns should not exist',
    ],
    ['no URL', { server: { url: 'coffee-shop' } }, 'server.url must be a URL address'],
    ['a sound that is no URL', { backgroundSound: 'coffee-shop' }, 'backgroundSound must be a URL address'],
    ['null on create', { server: null }, 'server must be an object'],
    ['no object', [], 'body must be an object'],
  ])('%s', async (_, body, text) => {
    const answer = await call('POST', '/assistant', body)
    expect(answer).toEqual({
      status: 400,
      body: { message: [expect.stringContaining(text)], error: 'Bad Request', statusCode: 400 },
    })
  })

  test('every fault of a body is named', async () => {
    const answer = await call('POST', '/assistant', { name: 5, x: 1 })
    expect(answer.body).toMatchObject({ message: ['name must be a string', 'property x should not exist'] })
  })

  test.each<[string, string, string, unknown, number]>([
    ['an unknown id', 'GET', `/assistant/${unknownId}`, undefined, 404],
    ['an update of an unknown id', 'PATCH', `/assistant/${unknownId}`, { name: 'x' }, 404],
    ['a deletion of an unknown id', 'DELETE', `/assistant/${unknownId}`, undefined, 404],
    ['an id that is none', 'GET', '/assistant/abc', undefined, 400],
    ['an unknown path', 'GET', '/nothing', undefined, 404],
    ['PUT', 'PUT', `/assistant/${unknownId}`, {}, 404],
    ['broken JSON', 'POST', '/assistant', '{', 400],
    ['an unknown filter', 'GET', '/assistant?x=1', undefined, 400],
    ['a limit too large', 'GET', '/assistant?limit=1001', undefined, 400],
  ])('%s', async (_, method, path, body, status) => {
    const answer = await call(method, path, body)
    expect(answer).toMatchObject({ status, body: { statusCode: status, message: expect.anything() } })
  })
})

test('null clears the webhook of an existing assistant', async () => {
  const { id } = await sdk.assistants.create({ server: { url: 'https://hooks.example' } })
  const { status, body } = await call('PATCH', `/assistant/${id}`, { server: null })
  expect(status).toBe(200)
  expect(body).not.toHaveProperty('server')
})

describe('faults over HTTP', () => {
  test('a dropped connection is really cut, before or after the work', async () => {
    const before = (await sdk.assistants.list({ limit: 1000 })).length
    platform.faults.add({ method: 'POST', mode: 'drop_before' }, { method: 'POST', mode: 'drop_after' })
    await expect(call('POST', '/assistant', {})).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await sdk.assistants.list({ limit: 1000 })).toHaveLength(before)
    await expect(call('POST', '/assistant', {})).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await sdk.assistants.list({ limit: 1000 })).toHaveLength(before + 1)
  })

  test('a rule meets only its method and path, as often as it says', async () => {
    platform.faults.add({ method: 'GET', path: /^\/assistant$/, times: 2, mode: 'status', status: 500 })
    expect((await call('GET', `/assistant/${unknownId}`)).status).toBe(404)
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await call('GET', '/assistant')).status)
    expect(statuses).toEqual([500, 500, 200])
  })

  test('an answer can be late or unreadable', async () => {
    platform.faults.add({ mode: 'delay', ms: 5 }, { mode: 'not_json' })
    expect((await call('GET', '/assistant')).status).toBe(200)
    await expect(call('GET', '/assistant')).rejects.toThrow(SyntaxError)
  })
})
