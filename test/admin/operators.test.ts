import { beforeAll, describe, expect, test } from 'vitest'
import { newTokenFor, newUser, type TestApp, testApp } from '../support/app.ts'
import { onServer } from '../support/database.ts'
import { type Caller, callerOf, operator, refusal } from './caller.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})

const unauthenticated = { status: 401, body: { message: 'Unauthenticated.' } }

describe('a change of a user acts at once', () => {
  test('suspension refuses every token, and reactivation lets them in again', async () => {
    const user = callerOf(app, await newUser(app.database))
    const second = callerOf(app, { ...user, token: await newTokenFor(app.database, user.userId) })
    expect((await user.send('GET', '/user')).status).toBe(200)
    expect((await second.send('GET', '/user')).status).toBe(200)

    const suspended = await admin.send('PATCH', `/admin/users/${user.userId}`, { status: 'suspended' })
    expect(suspended.body.data).toMatchObject({ status: 'suspended' })
    expect(await user.send('GET', '/user')).toEqual(unauthenticated)
    expect(await second.send('GET', '/user')).toEqual(unauthenticated)

    await admin.send('PATCH', `/admin/users/${user.userId}`, { status: 'active' })
    expect((await user.send('GET', '/user')).status).toBe(200)
  })

  test('features, roles and workspaces', async () => {
    const user = callerOf(app, await newUser(app.database))
    expect((await user.send('GET', '/assistants')).status).toBe(200)
    await admin.send('PATCH', `/admin/users/${user.userId}`, { features: ['squads'] })
    expect(await user.send('GET', '/assistants')).toEqual({
      status: 403,
      body: {
        success: false,
        message: 'The feature assistants is not enabled for this account.',
        feature: 'assistants',
      },
    })
    expect((await user.send('GET', '/admin/users')).status).toBe(403)
    await admin.send('PATCH', `/admin/users/${user.userId}`, { role: 'admin', features: ['assistants'] })
    expect((await user.send('GET', '/admin/users')).status).toBe(200)
    await admin.send('PATCH', `/admin/users/${user.userId}`, { workspace_role: 'viewer', role: 'user' })
    expect(await user.send('POST', '/assistants', { name: 'Desk' })).toEqual({
      status: 403,
      body: { success: false, message: 'Your workspace role does not allow this change.' },
    })
  })

  test('the assistant quota', async () => {
    const user = callerOf(app, await newUser(app.database))
    await user.send('GET', '/user')
    await admin.send('PATCH', `/admin/users/${user.userId}`, { assistant_quota: 0 })
    expect(await user.send('POST', '/assistants', { name: 'Desk' })).toEqual({
      status: 403,
      body: { success: false, message: expect.stringContaining('quota of 0') },
    })
  })
})

describe('an installation keeps its last operator', () => {
  test('nobody suspends or demotes themselves', async () => {
    const path = `/admin/users/${admin.userId}`
    const demoted = refusal('role', 'You cannot take the admin role from yourself.')
    expect(await admin.send('PATCH', path, { role: 'user' })).toEqual(demoted)
    expect(await admin.send('PATCH', path, { role: 'reseller_admin' })).toEqual(demoted)
    expect(await admin.send('PATCH', path, { status: 'suspended' })).toEqual(
      refusal('status', 'You cannot suspend yourself.'),
    )
    const kept = await admin.send('PATCH', path, { role: 'admin', status: 'active', name: 'Still here' })
    expect(kept.body.data).toMatchObject({ role: 'admin', status: 'active', name: 'Still here' })
  })

  // Only a server runs two transactions at once.
  test.runIf(onServer())('two operators who suspend each other at once leave one', async () => {
    const other = await operator(app)
    const answers = await Promise.all([
      admin.send('PATCH', `/admin/users/${other.userId}`, { status: 'suspended' }),
      other.send('PATCH', `/admin/users/${admin.userId}`, { role: 'user' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    admin = await operator(app)
  })
})
