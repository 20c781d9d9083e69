import { beforeEach, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { testBus } from '../support/bus.ts'
import { clientOf } from '../support/client.ts'

let here: TestApp
let there: TestApp
let user: TestUser
let admin: TestUser

beforeEach(async () => {
  const bus = testBus()
  const start = async () => {
    const broadcast = bus.join()
    const app = await testApp({ broadcast })
    await broadcast.subscribe(app.services.onBroadcast)
    return app
  }
  here = await start()
  there = await start()
  user = await newUser(here.database)
  admin = await newUser(here.database, { role: 'admin' })
})

const statusThere = async (path: string, token = user.token) => (await there.send('GET', path, { token })).status

test('a token that one instance revokes is refused by the others at once', async () => {
  const client = clientOf(here, user.token)
  const [own] = await client.data('GET', '/user/tokens')
  expect(await statusThere('/assistants')).toBe(200)
  const revoked = await client.send('DELETE', `/user/tokens/${own.id}`)
  expect(revoked.status).toBe(200)
  expect(await statusThere('/assistants')).toBe(401)
})

test('a role and features that one instance changes hold in the others at once', async () => {
  expect(await statusThere('/assistants')).toBe(200)
  const change = (body: object) =>
    here.send('PATCH', `/admin/users/${user.userId}`, { token: admin.token, body }).then(({ status }) => status)
  expect(await change({ features: [] })).toBe(200)
  expect(await statusThere('/assistants')).toBe(403)
  expect(await statusThere('/admin/users')).toBe(403)
  expect(await change({ role: 'admin' })).toBe(200)
  expect(await statusThere('/admin/users')).toBe(200)
  expect(await change({ status: 'suspended' })).toBe(200)
  expect(await statusThere('/admin/users')).toBe(401)
})

test('a call that one instance makes counts in the statistics of the others at once', async () => {
  const client = clientOf(here, user.token)
  const { assistant_id: id } = await client.data('POST', '/assistants', { name: 'Counted' })
  const total = async () => (await clientOf(there, user.token).data('GET', `/assistants/${id}/stats`)).calls.total
  expect(await total()).toBe(0)
  const call = await client.post(`/assistants/${id}/test-calls`)
  expect(call.status).toBe(201)
  // The platforms of the two keep their calls in one database.
  expect(await total()).toBe(1)
})

test('a connector that one instance changes is asked anew by the others', async () => {
  const invalidated: (string | undefined)[] = []
  const bus = testBus()
  const [one, other] = [bus.join(), bus.join()]
  await other.subscribe((topic, subject) => {
    if (topic === 'connector') invalidated.push(subject)
  })
  const client = clientOf(await testApp({ broadcast: one }), user.token)
  const body = { name: 'Tools', server_url: 'https://tools.example.com/mcp' }
  const { uid } = await client.data('POST', '/connectors', body)
  await client.data('PATCH', `/connectors/${uid}`, { name: 'Other tools' })
  expect(invalidated).toEqual([uid])
})

test('a write announces to the others that work may be left, once for a while', async () => {
  const announced: string[] = []
  const bus = testBus()
  const [one, other] = [bus.join(), bus.join()]
  await other.subscribe((topic) => announced.push(topic))
  const app = await testApp({ broadcast: one })
  await app.send('GET', '/assistants', { token: user.token })
  expect(announced).toEqual([])
  for (let count = 0; count < 3; count++) {
    await app.send('POST', '/assistants', { token: user.token, body: { name: 'Work' } })
  }
  expect(announced).toEqual(['work'])
})
