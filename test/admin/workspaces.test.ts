import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, operator, refusal } from './caller.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})

const time = expect.stringMatching(/^\d{4}-.*Z$/)

test('resellers are made and listed', async () => {
  const made = await admin.send('POST', '/admin/resellers', { name: 'North' })
  const data = { id: expect.any(Number), name: 'North', created_at: time, updated_at: time }
  expect(made).toEqual({ status: 201, body: { success: true, data } })
  const { body } = await admin.send('GET', '/admin/resellers?per_page=100')
  expect(body).toMatchObject({ success: true, pagination: { current_page: 1, per_page: 100 } })
  expect(body.data[0]).toEqual(made.body.data)
  expect(await admin.send('POST', '/admin/resellers', {})).toEqual(refusal('name', 'The name field is required.'))
})

describe('workspaces', () => {
  const create = async (body: object) => (await admin.send('POST', '/admin/workspaces', body)).body.data

  test("are made for the named reseller or the caller's", async () => {
    const reseller = (await admin.send('POST', '/admin/resellers', { name: 'South' })).body.data
    const made = await admin.send('POST', '/admin/workspaces', { name: 'Acme', reseller_id: reseller.id })
    expect(made).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          id: expect.any(Number),
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'Acme',
          reseller_id: String(reseller.id),
          owner_id: null,
          billing: 'none',
          webhook_credentials: [],
          created_at: time,
          updated_at: time,
        },
      },
    })
    expect((await admin.send('GET', `/admin/workspaces/${made.body.data.id}`)).body).toEqual(made.body)
    expect(await create({ name: 'Mine' })).toMatchObject({ reseller_id: String(admin.resellerId) })
    expect(await admin.send('POST', '/admin/workspaces', { name: 'Lost', reseller_id: 2_147_483_647 })).toEqual(
      refusal('reseller_id', 'The selected reseller_id does not exist.'),
    )
    expect(await admin.send('POST', '/admin/workspaces', { name: '' })).toEqual(
      refusal('name', 'The name field is required.'),
    )
  })

  test('are listed by reseller and by part of their name', async () => {
    const reseller_id = (await admin.send('POST', '/admin/resellers', { name: 'West' })).body.data.id
    const [first, second] = [await create({ name: 'A_b', reseller_id }), await create({ name: 'Axb', reseller_id })]
    const list = async (query: string) =>
      (await admin.send('GET', `/admin/workspaces?reseller_id=${reseller_id}${query}`)).body
    expect(await list('')).toMatchObject({ data: [second, first], pagination: { total: 2 } })
    expect((await list('&search=a_B')).data).toEqual([first])
    expect(await list('&per_page=1&page=2')).toMatchObject({ data: [first], pagination: { last_page: 2, from: 2 } })
  })

  test('change name, billing and owner', async () => {
    const member = await newUser(app.database)
    const path = `/admin/workspaces/${member.workspaceId}`
    const before = (await admin.send('GET', path)).body.data
    const changed = await admin.send('PATCH', path, { billing: 'usd', owner_id: member.userId })
    expect(changed).toMatchObject({
      status: 200,
      body: { success: true, data: { name: before.name, billing: 'usd', owner_id: member.userId } },
    })
    const renamed = await admin.send('PATCH', path, { name: 'Renamed' })
    expect(renamed.body.data).toMatchObject({ name: 'Renamed', billing: 'usd', owner_id: member.userId })
  })

  test('are owned by one of their own users', async () => {
    const { workspaceId } = await newUser(app.database)
    const path = `/admin/workspaces/${workspaceId}`
    const text = 'The owner_id field must be a user of this workspace.'
    for (const owner_id of [admin.userId, 2_147_483_647]) {
      expect(await admin.send('PATCH', path, { owner_id })).toEqual(refusal('owner_id', text))
    }
    expect(await admin.send('PATCH', path, { billing: 'free' })).toEqual(
      refusal('billing', 'The billing field must be one of: none, usd, tokens.'),
    )
    expect(await admin.send('PATCH', '/admin/workspaces/2147483647', { name: 'x' })).toEqual({
      status: 404,
      body: { success: false, message: 'Workspace not found' },
    })
  })
})
