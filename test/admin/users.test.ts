import { beforeAll, describe, expect, test } from 'vitest'
import { newReseller, newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, operator, refusal, someEmail } from './caller.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})

const create = async (body: object = {}) => {
  const { status, body: answer } = await admin.send('POST', '/admin/users', {
    name: 'Ada',
    email: someEmail(),
    ...body,
  })
  expect(status).toBe(201)
  return answer.data
}

/** A clock that moves on with each look at it. */
const ticking = () => {
  let now = Date.parse('2026-03-01T12:00:00Z')
  return { now: () => new Date(now++) }
}

const workspace = async (id: unknown) => (await admin.send('GET', `/admin/workspaces/${id}`)).body.data

describe('a new user', () => {
  test('gets a workspace that is as old as it', async () => {
    const late = await testApp({ clock: ticking() })
    const one = await operator(late)
    const { body } = await one.send('POST', '/admin/users', { name: 'Ada', email: someEmail() })
    const own = (await one.send('GET', `/admin/workspaces/${body.data.workspace_id}`)).body.data
    expect([own.created_at, own.updated_at]).toEqual([body.data.created_at, body.data.created_at])
  })

  test('gets a workspace of its own, every feature and a verified address', async () => {
    const email = someEmail()
    const answer = await admin.send('POST', '/admin/users', { name: 'Ada', email })
    expect(answer).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          id: expect.any(Number),
          reseller_id: String(admin.resellerId),
          reseller_current_ui_version: '1',
          reseller_ui_intro_seen_at: null,
          name: 'Ada',
          email,
          identity_id: null,
          social_id: null,
          role: 'user',
          phone: null,
          company: null,
          bio: null,
          profile_picture: null,
          status: 'active',
          email_verified_at: expect.stringMatching(/Z$/),
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
          deleted_at: null,
          is_reseller_admin: false,
          is_reseller: false,
          workspace_id: expect.any(Number),
          workspace_role: 'owner',
          features: ['assistants', 'phone_numbers', 'squads', 'ai_chat'],
          assistant_quota: null,
        },
      },
    })
    const { id, workspace_id } = answer.body.data
    expect(await workspace(workspace_id)).toMatchObject({ owner_id: id, name: 'Ada', billing: 'none' })
    expect((await admin.send('GET', `/admin/users/${id}`)).body).toEqual(answer.body)
  })

  test('is what was asked for', async () => {
    const resellerId = await newReseller(app.database)
    const made = await create({
      role: 'reseller_admin',
      reseller_id: resellerId,
      features: ['squads', 'assistants', 'squads'],
      email_verified: false,
      assistant_quota: 0,
      workspace_role: 'editor',
    })
    expect(made).toMatchObject({
      role: 'reseller_admin',
      reseller_id: String(resellerId),
      features: ['assistants', 'squads'],
      email_verified_at: null,
      assistant_quota: 0,
      workspace_role: 'editor',
      is_reseller_admin: true,
      is_reseller: true,
    })
    expect(await workspace(made.workspace_id)).toMatchObject({ owner_id: made.id, reseller_id: String(resellerId) })
  })

  test('joins a workspace and its reseller as an editor', async () => {
    const resellerId = await newReseller(app.database)
    const { body } = await admin.send('POST', '/admin/workspaces', { name: 'Acme', reseller_id: resellerId })
    const editor = await create({ workspace_id: body.data.id })
    expect(editor).toMatchObject({
      workspace_id: body.data.id,
      workspace_role: 'editor',
      reseller_id: String(resellerId),
    })
    expect(await workspace(body.data.id)).toMatchObject({ owner_id: null })

    const owner = await create({ workspace_id: body.data.id, workspace_role: 'owner' })
    expect(await workspace(body.data.id)).toMatchObject({ owner_id: owner.id })
    await create({ workspace_id: body.data.id, workspace_role: 'owner' })
    expect(await workspace(body.data.id)).toMatchObject({ owner_id: owner.id })
  })

  test('leaves no workspace behind when it is refused', async () => {
    const resellerId = await newReseller(app.database)
    const { email } = await create()
    await admin.send('POST', '/admin/users', { name: 'Ada', email, reseller_id: resellerId })
    const { body } = await admin.send('GET', `/admin/workspaces?reseller_id=${resellerId}`)
    expect(body.pagination).toMatchObject({ total: 0 })
  })
})

describe('refused', () => {
  const refused: [field: string, sent: object, text: string][] = [
    ['name', { name: undefined }, 'The name field is required.'],
    ['name', { name: ' ' }, 'The name field is required.'],
    ['name', { name: 'x'.repeat(256) }, 'The name field must have at most 255 characters.'],
    ['email', { email: 'nobody' }, 'The email field must be a valid e-mail address.'],
    ['email', { email: 5 }, 'The email field must be a string.'],
    ['email', { email: `${'x'.repeat(250)}@example.com` }, 'The email field must have at most 255 characters.'],
    ['role', { role: 'owner' }, 'The role field must be one of: admin, reseller_admin, user.'],
    ['workspace_role', { workspace_role: 'admin' }, 'The workspace_role field must be one of: owner, editor, viewer.'],
    ['features', { features: 'squads' }, 'The features field must be an array.'],
    [
      'features.1',
      { features: ['squads', 'telepathy'] },
      'The features.1 field must be one of: assistants, phone_numbers, squads, ai_chat.',
    ],
    ['email_verified', { email_verified: 'true' }, 'The email_verified field must be true or false.'],
    ['assistant_quota', { assistant_quota: -1 }, 'The assistant_quota field must be at least 0.'],
    ['assistant_quota', { assistant_quota: 1.5 }, 'The assistant_quota field must be an integer.'],
    ['workspace_id', { workspace_id: 2_147_483_647 }, 'The selected workspace_id does not exist.'],
    ['reseller_id', { reseller_id: 2_147_483_647 }, 'The selected reseller_id does not exist.'],
  ]
  test.each(refused)('%s of %j', async (field, sent, text) => {
    const body = { name: 'Ada', email: someEmail(), ...sent }
    expect(await admin.send('POST', '/admin/users', body)).toEqual(refusal(field, text))
  })

  test("a reseller that is not the workspace's", async () => {
    const reseller_id = await newReseller(app.database)
    const text = 'The reseller_id field must be the reseller of the workspace.'
    const body = { name: 'Ada', email: someEmail(), workspace_id: admin.workspaceId, reseller_id }
    expect(await admin.send('POST', '/admin/users', body)).toEqual(refusal('reseller_id', text))
  })

  test('an address that somebody has, in any case, also at once', async () => {
    const email = someEmail()
    const spellings = [email, email.toUpperCase(), email, email.replace('some', 'SOME')]
    const answers = await Promise.all(
      spellings.map((spelling) => admin.send('POST', '/admin/users', { name: 'Ada', email: spelling })),
    )
    const taken = refusal('email', 'The email has already been taken.')
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201)).toEqual([taken, taken, taken])

    const { id } = await create()
    expect(await admin.send('PATCH', `/admin/users/${id}`, { email })).toEqual(taken)
  })
})

describe('a change', () => {
  test('touches only what was sent', async () => {
    const made = await create({ assistant_quota: 3, features: ['squads'] })
    const path = `/admin/users/${made.id}`
    const renamed = await admin.send('PATCH', path, { name: 'Grace' })
    expect(renamed.status).toBe(200)
    expect(renamed.body.data).toEqual({ ...made, name: 'Grace', updated_at: expect.any(String) })

    const cleared = await admin.send('PATCH', path, { assistant_quota: null, email_verified: false, features: [] })
    expect(cleared.body.data).toMatchObject({ assistant_quota: null, email_verified_at: null, features: [] })
    const verified = await admin.send('PATCH', path, { email_verified: true, role: 'reseller_admin' })
    expect(verified.body.data).toMatchObject({ email_verified_at: expect.any(String), is_reseller_admin: true })
    const same = await admin.send('PATCH', path, { email: String(made.email).toUpperCase(), email_verified: true })
    expect(same.body.data).toMatchObject({
      email: String(made.email).toUpperCase(),
      email_verified_at: verified.body.data.email_verified_at,
    })
  })

  test('moves a user with its reseller, and leaves the old workspace without an owner', async () => {
    const resellerId = await newReseller(app.database)
    const target = (await admin.send('POST', '/admin/workspaces', { name: 'Acme', reseller_id: resellerId })).body.data
    const made = await create()
    const moved = await admin.send('PATCH', `/admin/users/${made.id}`, { workspace_id: target.id })
    expect(moved.body.data).toMatchObject({
      workspace_id: target.id,
      reseller_id: String(resellerId),
      workspace_role: 'editor',
    })
    expect(await workspace(made.workspace_id)).toMatchObject({ owner_id: null })
    expect(await workspace(target.id)).toMatchObject({ owner_id: null })
    await admin.send('PATCH', `/admin/users/${made.id}`, { workspace_role: 'owner' })
    expect(await workspace(target.id)).toMatchObject({ owner_id: made.id })
  })

  test('lets two owners change places at once', async () => {
    const [one, two] = [await create(), await create()]
    const answers = await Promise.all([
      admin.send('PATCH', `/admin/users/${one.id}`, { workspace_id: two.workspace_id, workspace_role: 'owner' }),
      admin.send('PATCH', `/admin/users/${two.id}`, { workspace_id: one.workspace_id, workspace_role: 'owner' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const owners = [(await workspace(one.workspace_id)).owner_id, (await workspace(two.workspace_id)).owner_id]
    // Whoever moves first finds the other workspace owned, and leaves its own to the second.
    expect([
      [two.id, null],
      [null, one.id],
    ]).toContainEqual(owners)
  })

  test('needs a user, and references that exist', async () => {
    const notFound = { status: 404, body: { success: false, message: 'User not found' } }
    expect(await admin.send('PATCH', '/admin/users/2147483647', { name: 'x' })).toEqual(notFound)
    expect(await admin.send('GET', '/admin/users/2147483647')).toEqual(notFound)
    const path = `/admin/users/${(await create()).id}`
    const refused = await admin.send('PATCH', path, { workspace_id: 2_147_483_647 })
    expect(refused).toEqual(refusal('workspace_id', 'The selected workspace_id does not exist.'))
    const elsewhere = await admin.send('PATCH', path, { reseller_id: await newReseller(app.database) })
    expect(elsewhere).toEqual(refusal('reseller_id', 'The reseller_id field must be the reseller of the workspace.'))
    expect(await admin.send('PATCH', path, { status: 'gone' })).toEqual(
      refusal('status', 'The status field must be one of: active, suspended.'),
    )
  })
})

test('the list is filtered, searched and paged, the newest first', async () => {
  const resellerId = await newReseller(app.database)
  const mark = crypto.randomUUID()
  const first = await create({ name: `100% ${mark}`, reseller_id: resellerId })
  const second = await create({ email: `x_${mark}@example.com`, workspace_id: first.workspace_id })
  await newUser(app.database)
  const idsOf = async (query: string) => {
    const { body } = await admin.send('GET', `/admin/users?${query}`)
    return (body.data as unknown as { id: number }[]).map(({ id }) => id)
  }
  expect(await idsOf(`search=${mark.toUpperCase()}`)).toEqual([second.id, first.id])
  expect(await idsOf(`search=${encodeURIComponent('100% ')}${mark}`)).toEqual([first.id])
  expect(await idsOf(`search=${encodeURIComponent('1%')}${mark}`)).toEqual([])
  expect(await idsOf(`reseller_id=${resellerId}`)).toEqual([second.id, first.id])
  expect(await idsOf(`workspace_id=${first.workspace_id}&per_page=1&page=2`)).toEqual([first.id])
  const { body } = await admin.send('GET', `/admin/users?workspace_id=${first.workspace_id}&per_page=1&page=2`)
  expect(body).toMatchObject({
    success: true,
    pagination: { current_page: 2, last_page: 2, per_page: 1, total: 2, from: 2, to: 2 },
  })
})
