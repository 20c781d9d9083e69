import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { newUser, type TestUser } from '../support/app.ts'

/**
 * The webhook block of a number that was imported or changed outside: its switch and its secret stand where ours do.
 */
let rig: DriftRig
let operator: TestUser

beforeAll(async () => {
  rig = await createDriftRig()
  operator = await newUser(rig.app.database, { role: 'admin' })
})
afterAll(() => rig.stop())

const asOperator = (method: string, path: string, body?: object) => rig.data<Body>(method, path, body, operator.token)
const live = async (id: string): Promise<Body> => ({ ...(await rig.outside.phoneNumbers.get(id)) })

let made = 0

/** A number that was imported with this webhook block. */
async function imported(server: object) {
  const digits = `1415555${2000 + made++}`
  const { id } = await rig.outside.phoneNumbers.create({
    provider: 'twilio',
    number: `+${digits}`,
    twilioAccountSid: 'AC0123456789abcdef0123456789abcdef',
    twilioAuthToken: 'token',
    server,
  } as never)
  await asOperator('POST', '/imports', { ids: [id] })
  await rig.app.services.adoptions.work.run()
  return { id, path: `/phone-numbers/${digits}` }
}

const url = 'https://a.example'
const secret = { 'X-Vapi-Secret': 'sss' }

test.each<[object, object, boolean]>([
  [{ url }, { url, staticIpAddressesEnabled: false }, false],
  [{ url, staticIpAddressesEnabled: true }, { url, staticIpAddressesEnabled: true }, true],
  [{ url, headers: secret }, { url, secret: 'sss', staticIpAddressesEnabled: false }, false],
  [
    { url, timeoutSeconds: 30, headers: { ...secret, 'X-Team': 'a' } },
    { url, timeoutSeconds: 30, secret: 'sss', headers: { 'X-Team': 'a' }, staticIpAddressesEnabled: false },
    false,
  ],
])('a number imported with %j is left as it is by a save that changes nothing', async (server, recorded, isStatic) => {
  const { id, path } = await imported(server)
  const before = await live(id)
  expect(await asOperator('GET', path)).toMatchObject({ server: recorded, static_ip_enabled: isStatic })
  for (const body of [{}, { server: { url } }, { static_ip_enabled: isStatic }]) {
    expect((await asOperator('PUT', path, body)).server).toEqual(recorded)
    expect((await live(id)).server).toEqual(before.server)
  }
})

test('a secret that a number was imported with can be taken away and replaced', async () => {
  const { id, path } = await imported({ url, headers: secret })
  await asOperator('PUT', path, { server: { secret: 'new' } })
  expect((await live(id)).server).toMatchObject({ headers: { 'X-Vapi-Secret': 'new' } })
  await asOperator('PUT', path, { server: { secret: null } })
  expect(JSON.stringify(await live(id))).not.toMatch(/x-vapi-secret|sss|new/i)
})

test.each<[object, object]>([
  [{ url: 'https://b.example' }, { url: 'https://b.example', staticIpAddressesEnabled: false }],
  [
    { url, staticIpAddressesEnabled: true, headers: secret },
    { url, secret: 'sss', staticIpAddressesEnabled: true },
  ],
])(
  'a number changed outside to %j has its switch and secret in the record, and an empty save changes nothing',
  async (server, recorded) => {
    for (const first of [{ url }, { url, staticIpAddressesEnabled: true }, { url, headers: secret }]) {
      const { id, path } = await imported(first)
      await rig.outside.phoneNumbers.update(id, { provider: 'twilio', server } as never)
      await asOperator('POST', `${path}/reconcile`, { keep: 'theirs' })
      expect((await asOperator('GET', path)).server).toEqual(recorded)
      const before = await live(id)
      await asOperator('PUT', path, {})
      expect((await live(id)).server).toEqual(before.server)
    }
  },
)
