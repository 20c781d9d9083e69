import { beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../src/resources/tokens/secret.ts'
import { type Caller, callerOf, operator, refusal } from './admin/caller.ts'
import { newUser, type TestApp, type TestClock, testApp, testClock } from './support/app.ts'
import { changeUser, storedTokens } from './support/rows/accounts.ts'

let app: TestApp
let clock: TestClock
let admin: Caller
beforeAll(async () => {
  clock = testClock()
  app = await testApp({ clock })
  admin = await operator(app)
})

const caller = async (options = {}) => callerOf(app, await newUser(app.database, options))
const withToken = (user: Caller, token: unknown) => callerOf(app, { ...user, token: String(token) })
const unauthenticated = { status: 401, body: { message: 'Unauthenticated.' } }
const tokenNotFound = { status: 404, body: { success: false, message: 'Token not found' } }
const done = { status: 200, body: { success: true, message: 'Token deleted successfully' } }

describe('your own tokens', () => {
  test('are made, shown once, listed by prefix and revoked at once', async () => {
    const user = await caller({ workspaceRole: 'viewer' })
    const made = await user.send('POST', '/user/tokens', { name: 'Laptop' })
    expect(made).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          id: expect.any(Number),
          name: 'Laptop',
          prefix: String(made.body.data.token).slice(0, 10),
          token: expect.stringMatching(/^vk_[A-Za-z0-9]{40}$/),
          scopes: null,
          expires_at: null,
          created_at: clock.now().toISOString(),
        },
      },
    })
    const { token, ...shown } = made.body.data
    const laptop = withToken(user, token)
    expect((await laptop.send('GET', '/user')).status).toBe(200)

    const list = await user.send('GET', '/user/tokens')
    expect(list.body).toMatchObject({ success: true, pagination: { total: 2, from: 1, to: 2 } })
    expect(list.body.data).toEqual([
      { ...shown, last_used_at: clock.now().toISOString() },
      expect.objectContaining({ name: 'test', last_used_at: clock.now().toISOString() }),
    ])
    expect(JSON.stringify(list.body)).not.toContain(token)

    expect(await user.send('DELETE', `/user/tokens/${shown.id}.0`)).toEqual(tokenNotFound)
    expect(await user.send('DELETE', `/user/tokens/${shown.id}`)).toEqual(done)
    expect(await laptop.send('GET', '/user')).toEqual(unauthenticated)
    expect(await user.send('DELETE', `/user/tokens/${shown.id}`)).toEqual(tokenNotFound)
    expect((await user.send('GET', '/user/tokens')).body).toMatchObject({ pagination: { total: 1 } })
  })

  test('are stored as a hash alone', async () => {
    const user = await caller()
    const { body } = await user.send('POST', '/user/tokens', { name: 'Server' })
    const row = (await storedTokens(app.database, user.userId)).find(({ id }) => id === body.data.id)
    expect(row?.hash).toBe(hashToken(String(body.data.token)))
    expect(JSON.stringify(row)).not.toContain(String(body.data.token))
  })

  test('end when they expire', async () => {
    const user = await caller()
    const expires_at = new Date(clock.now().getTime() + 60_000).toISOString()
    const { body } = await user.send('POST', '/user/tokens', { name: 'Short', expires_at })
    expect(body.data.expires_at).toBe(expires_at)
    const short = withToken(user, body.data.token)
    expect((await short.send('GET', '/user')).status).toBe(200)
    clock.advance(60_000)
    expect(await short.send('GET', '/user')).toEqual(unauthenticated)
  })

  test("are nobody else's", async () => {
    const [user, other] = [await caller(), await caller()]
    const { body } = await other.send('POST', '/user/tokens', { name: 'Mine' })
    expect(await user.send('DELETE', `/user/tokens/${body.data.id}`)).toEqual(tokenNotFound)
    expect(await admin.send('DELETE', `/user/tokens/${body.data.id}`)).toEqual(tokenNotFound)
    expect((await withToken(other, body.data.token).send('GET', '/user')).status).toBe(200)
  })

  test.each(['0', 'x', '2147483647', '99999999999'])('%s is no token', async (id) => {
    expect(await (await caller()).send('DELETE', `/user/tokens/${id}`)).toEqual(tokenNotFound)
  })

  const notATime = 'The expires_at field must be a valid ISO 8601 date and time.'
  const offCalendar = 'The expires_at field must be in the years 1900 to 9998.'
  const refused: [field: string, sent: object, text: string][] = [
    ['name', { name: undefined }, 'The name field is required.'],
    ['name', { name: 'x'.repeat(256) }, 'The name field must have at most 255 characters.'],
    ['expires_at', { expires_at: 'tomorrow' }, notATime],
    ['expires_at', { expires_at: '2030-13-01' }, notATime],
    ['expires_at', { expires_at: '9999-12-31T23:59:59-14:00' }, offCalendar],
    ['expires_at', { expires_at: 5 }, 'The expires_at field must be a string.'],
  ]
  test.each(refused)('%s of %j is refused', async (field, sent, text) => {
    const answer = await (await caller()).send('POST', '/user/tokens', { name: 'Laptop', ...sent })
    expect(answer).toEqual(refusal(field, text))
  })

  test.each([
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z', 401],
    ['2026-03-01T13:00:00+01:00', '2026-03-01T12:00:00.000Z', 401],
    ['2020-01-01', '2020-01-01T00:00:00.000Z', 401],
    ['2099-01-01', '2099-01-01T00:00:00.000Z', 200],
    ['2099-01-01T10:00:00', '2099-01-01T10:00:00.000Z', 200],
  ])('one that ends at %s ends at %s', async (expires_at, shown, status) => {
    const user = await caller()
    const { body } = await user.send('POST', '/user/tokens', { name: 'Laptop', expires_at })
    expect(body.data).toMatchObject({ expires_at: shown })
    expect((await withToken(user, body.data.token).send('GET', '/user')).status).toBe(status)
  })

  test.each([
    ['GET', '/user'],
    ['GET', '/user/tokens'],
    ['POST', '/user/tokens'],
    ['DELETE', '/user/tokens/1'],
  ])('%s %s asks for a token', async (method, path) => {
    const answer = await app.send(method, path, { token: 'vk_unknown' })
    expect({ status: answer.status, body: await answer.json() }).toEqual(unauthenticated)
  })
})

describe("a user's tokens, for operators", () => {
  test('are made, listed and revoked at once', async () => {
    const user = await caller()
    const path = `/admin/users/${user.userId}/tokens`
    const expires_at = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const made = await admin.send('POST', path, { name: 'Phone', expires_at })
    expect(made).toMatchObject({ status: 201, body: { success: true, data: { name: 'Phone', expires_at } } })
    const phone = withToken(user, made.body.data.token)
    expect((await phone.send('GET', '/user')).body.data.id).toBe(user.userId)

    const nameless = await admin.send('POST', path, {})
    expect(nameless.body.data).toMatchObject({ name: 'API token', expires_at: null })
    const listed = (await admin.send('GET', `${path}?per_page=2`)).body.data as unknown as { id: number }[]
    expect(listed.map(({ id }) => id)).toEqual([nameless.body.data.id, made.body.data.id])

    expect(await admin.send('DELETE', `${path}/${made.body.data.id}`)).toEqual(done)
    expect(await phone.send('GET', '/user')).toEqual(unauthenticated)
    expect(await admin.send('DELETE', `${path}/${made.body.data.id}`)).toEqual(tokenNotFound)
    const own = `/admin/users/${admin.userId}/tokens/${nameless.body.data.id}`
    expect(await admin.send('DELETE', own)).toEqual(tokenNotFound)
  })

  test('need a user', async () => {
    const notFound = { status: 404, body: { success: false, message: 'User not found' } }
    const path = '/admin/users/2147483647/tokens'
    expect(await admin.send('POST', path, {})).toEqual(notFound)
    expect(await admin.send('GET', path)).toEqual(notFound)
    expect(await admin.send('DELETE', `${path}/1`)).toEqual(notFound)
  })
})

test('GET /user is the user record', async () => {
  const user = await caller({ emailVerified: false })
  await changeUser(app.database, user.userId, { profilePicture: 'pictures/a.png', phone: '1' })
  expect(await user.send('GET', '/user')).toEqual({
    status: 200,
    body: {
      success: true,
      data: {
        id: user.userId,
        reseller_id: String(user.resellerId),
        reseller_current_ui_version: '1',
        reseller_ui_intro_seen_at: null,
        name: expect.stringMatching(/^User/),
        email: expect.stringMatching(/@example\.com$/),
        identity_id: null,
        social_id: null,
        role: 'user',
        phone: '1',
        company: null,
        bio: null,
        profile_picture: 'http://localhost/files/pictures/a.png',
        status: 'active',
        email_verified_at: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        deleted_at: null,
        is_reseller_admin: false,
        is_reseller: false,
      },
    },
  })
  const reseller = await caller({ role: 'reseller_admin' })
  expect((await reseller.send('GET', '/user')).body.data).toMatchObject({ is_reseller_admin: true, is_reseller: true })
})
