import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newTokenFor, type TestApp, testApp } from '../support/app.ts'
import { nextNumber } from '../support/numbers/numbers.ts'
import { apart, type Caller, caller } from '../support/numbers/rig.ts'
import { changeNumber } from '../support/rows/numbers.ts'

let app: TestApp
let me: Caller
let number: string
let path: string

beforeAll(async () => {
  app = await testApp()
  me = await caller(app)
})
beforeEach(async () => {
  app.platform.faults.clear()
  number = (await me.number()).phone_number
  path = `/phone-numbers/${number}`
})

const read = async (which: string) => (await (await me.send('GET', which)).json()).data

test('what is digits and also the id of a configuration is the configuration', async () => {
  const { id } = await read(path)
  const digits = nextNumber()
  await me.data(201, 'POST', '/phone-numbers', { phone_number: digits })
  await changeNumber(app.database, digits, { phoneNumber: `+${id}` })
  expect((await read(`/phone-numbers/${id}`)).phone_number).toBe(number)
  expect((await read(`/phone-numbers/+${id}`)).phone_number).toBe(`+${id}`)
})

test.each(['0', '99999999999999999999', 'abc', '+', '+1415x', '14155550000', '+99', '2147483648'])(
  'the path id %s is a 404 with the own text',
  async (id) => {
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
      const answer = await me.send(method, `/phone-numbers/${id}`, body)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ success: false, message: 'Phone number configuration not found.' })
    }
  },
)

test('a number of another account is a 404, a viewer may not write, an admin sees all', async () => {
  const stranger = await caller(app)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    expect((await stranger.send(method, path, method === 'PUT' ? {} : undefined)).status, method).toBe(404)
  }
  const viewer = await caller(app, { workspaceId: me.workspaceId, resellerId: me.resellerId, workspaceRole: 'viewer' })
  expect((await viewer.send('GET', path)).status).toBe(200)
  for (const [method, at, body] of [
    ['PUT', path, {}],
    ['DELETE', path],
    ['POST', '/phone-numbers', { phone_number: nextNumber() }],
  ] as const) {
    expect((await viewer.send(method, at, body)).status, method).toBe(403)
  }
  const admin = await caller(app, { role: 'admin' })
  expect((await admin.send('PUT', path, { name: 'By the admin' })).status).toBe(200)
  const without = await caller(app, { features: ['assistants'] })
  const refused = await without.send('GET', '/phone-numbers')
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ success: false, feature: 'phone_numbers' })
})

test('a number that is not registered cannot be configured', async () => {
  const unregistered = nextNumber()
  app.platform.faults.add({ method: 'POST', path: /phone-number/, mode: 'status', status: 500 })
  const { voice_phone_number_id } = await me.data(201, 'POST', '/phone-numbers', { phone_number: unregistered })
  expect(voice_phone_number_id).toBeNull()
  const answer = await me.send('PUT', `/phone-numbers/${unregistered}`, { name: 'x' })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toEqual({
    success: false,
    message: 'This phone number is not registered on the voice platform yet, so its configuration cannot be edited.',
  })
})

test('messages are an account flag where the number takes none', async () => {
  const quiet = nextNumber({ sms: false })
  await me.data(201, 'POST', '/phone-numbers', { phone_number: quiet })
  expect((await read(`/phone-numbers/${quiet}`)).sms_available).toBe(false)
  await changeNumber(app.database, quiet, { provider: 'byo-phone-number' })
  expect((await read(`/phone-numbers/${quiet}`)).sms_available).toBe(false)
})

test('an assistant that moves to another owner is not reached, or read, through the old one’s number', async () => {
  const [stranger, admin] = [await caller(app), await caller(app, { role: 'admin' })]
  const { assistant_id: id, voice_assistant_id: liveId } = await me.assistant('Mine')
  await me.data(200, 'PUT', path, { voice_assistant_id: liveId })
  expect(await read(path)).toMatchObject({ assistant: { name: 'Mine' } })
  const moved = await admin.data(200, 'PUT', `/assistants/${id}`, { name: 'Secret plans', user_id: stranger.userId })
  expect(moved).toMatchObject({ user_id: stranger.userId, phone_number: null, phone_number_id: null })
  const seen = await read(path)
  expect(seen).toMatchObject({ assistant: null, assistant_id: null, voice_assistant_id: null })
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`Secret|${liveId}|${id}`))
  expect(await apart(app, number)).toEqual([])
  expect(await app.services.platform.phoneNumbers.findByNumber(number)).not.toHaveProperty('assistantId')
})

test('a squad that moves to another owner is not reached, or read, through the old one’s number', async () => {
  const [stranger, admin] = [await caller(app), await caller(app, { role: 'admin' })]
  const { external_squad_id: id } = await me.squad([(await me.assistant()).assistant_id])
  const theirs = await stranger.assistant('Secret plans')
  const kept = await stranger.number()
  await me.data(200, 'PUT', path, { voice_squad_id: id })
  const publish = (members: object[], owner = stranger) =>
    admin.data(200, 'PUT', `/squads/${id}`, { name: 'Team', user_id: owner.userId, members })
  await publish([{ assistantId: theirs.assistant_id }])
  await stranger.data(200, 'PUT', `/phone-numbers/${kept.phone_number}`, { voice_squad_id: id })
  expect(await read(path)).toMatchObject({ voice_squad_id: null })
  expect(await apart(app, number)).toEqual([])
  expect(await app.services.platform.phoneNumbers.findByNumber(number)).not.toHaveProperty('squadId')
  const call = await me.send('POST', `${path}/test-calls`, { messages: ['Hello'] })
  expect(await call.text()).not.toMatch(/Secret/)

  await publish([{ assistantId: theirs.assistant_id }])
  expect(await stranger.data(200, 'GET', `/phone-numbers/${kept.phone_number}`)).toMatchObject({ voice_squad_id: id })
})

test('secrets of a webhook are shown to who may configure the number alone', async () => {
  const headers = { 'X-Place': 'desk-secret' }
  const server = { url: 'https://hooks.example.com/line', timeoutSeconds: 5, secret: 'line-secret', headers }
  const body = { server, hooks: [{ on: 'call.ringing', do: [{ type: 'say', exact: 'Hello' }] }] }
  const saved = await me.data(200, 'PUT', path, body)
  expect(saved).toMatchObject(body)
  const editor = await caller(app, { workspaceId: me.workspaceId, resellerId: me.resellerId, workspaceRole: 'editor' })
  expect(await editor.data(200, 'GET', path)).toMatchObject(body)
  const viewer = await caller(app, { workspaceId: me.workspaceId, resellerId: me.resellerId, workspaceRole: 'viewer' })
  const reading = await newTokenFor(app.database, me.userId, undefined, ['phone_numbers:read'])
  const mask = '••••'
  const masked = { ...body, server: { ...server, secret: mask, headers: { 'X-Place': mask } } }
  for (const token of [viewer.token, reading]) {
    for (const at of [path, '/phone-numbers']) {
      const { data } = await (await app.send('GET', at, { token })).json()
      const record = at === path ? data : data.find((one: { phone_number: string }) => one.phone_number === number)
      expect(record).toMatchObject(masked)
    }
  }
})
