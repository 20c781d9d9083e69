import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { changeAssistant } from '../support/rows/assistants.ts'

let app: TestApp
let user: TestUser
let mate: TestUser

const create = (token: string, body: object) => app.send('POST', '/assistants', { token, body })

beforeAll(async () => {
  app = await testApp()
  user = await newUser(app.database)
  mate = await newUser(app.database, { workspaceId: user.workspaceId, resellerId: user.resellerId })
  for (const name of ['Delta', 'Alpha', '100% Real', 'under_score', 'Charlie']) await create(user.token, { name })
  await create(mate.token, { name: 'bravo' })
  const [charlie] = (await list('?search=Charlie')).data
  await changeAssistant(app.database, charlie.assistant_id, { phoneNumber: '+14155550100' })
})

const list = async (query: string, token = user.token) => {
  const answer = await app.send('GET', `/assistants${query}`, { token })
  return { status: answer.status, ...(await answer.json()) }
}
const names = async (query: string, token?: string) =>
  (await list(query, token)).data.map(({ name }: { name: string }) => name)

describe('order and filters', () => {
  const byName = ['100% Real', 'Alpha', 'Charlie', 'Delta', 'bravo', 'under_score']
  const byTime = ['Delta', 'Alpha', '100% Real', 'under_score', 'Charlie', 'bravo']
  const inNameOrder = (order: string[]) => [...order].sort((a, b) => byName.indexOf(a) - byName.indexOf(b))

  test('the default order is by name, ascending; another sort falls back to it', async () => {
    const rows = await names('')
    expect([...rows].sort()).toEqual([...byName].sort())
    expect(await names('?sort_by=phone')).toEqual(rows)
    expect(await names('?sort_by=name&sort_order=desc')).toEqual([...rows].reverse())
  })

  test.each([
    ['?sort_by=created_at', byTime],
    ['?sort_by=created_at&sort_order=desc', [...byTime].reverse()],
    ['?sort_by=user_id', byTime],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test.each([
    ['?search=A', ['100% Real', 'Alpha', 'Charlie', 'Delta', 'bravo']],
    ['?search=alp', ['Alpha']],
    ['?search=%25', ['100% Real']],
    ['?search=_', ['under_score']],
    ['?search=%5C', []],
    ['?search=', byName],
    ['?phone_search=5550', ['Charlie']],
    ['?phone_search=%2B1415&search=charl', ['Charlie']],
    ['?phone_search=+1415', ['Charlie']],
    ['?phone_search=999', []],
  ])('%s', async (query, expected) => {
    const { data, pagination } = await list(query)
    expect(inNameOrder(data.map(({ name }: { name: string }) => name))).toEqual(inNameOrder(expected))
    expect(pagination.total).toBe(expected.length)
  })

  test('sort_order is asc or desc', async () => {
    const { status, errors } = await list('?sort_order=up')
    expect([status, errors]).toEqual([422, { sort_order: ['The sort_order field must be one of: asc, desc.'] }])
  })
})

describe('pages', () => {
  test.each([
    ['?per_page=4', { current_page: 1, last_page: 2, per_page: 4, total: 6, from: 1, to: 4 }],
    ['?per_page=4&page=2', { current_page: 2, last_page: 2, per_page: 4, total: 6, from: 5, to: 6 }],
    ['?per_page=4&page=3', { current_page: 3, last_page: 2, per_page: 4, total: 6, from: null, to: null }],
    ['?per_page=0', { current_page: 1, last_page: 6, per_page: 1, total: 6, from: 1, to: 1 }],
    ['?per_page=1000', { current_page: 1, last_page: 1, per_page: 100, total: 6, from: 1, to: 6 }],
    ['?page=-1', { current_page: 1, last_page: 1, per_page: 15, total: 6, from: 1, to: 6 }],
    ['?page=99999999999', { current_page: 10_000_000, last_page: 1, per_page: 15, total: 6, from: null, to: null }],
  ])('%s', async (query, pagination) => {
    expect(await list(query)).toMatchObject({ status: 200, success: true, pagination })
  })

  test('an empty account', async () => {
    const { token } = await newUser(app.database)
    expect(await list('', token)).toEqual({
      status: 200,
      success: true,
      data: [],
      pagination: { current_page: 1, last_page: 1, per_page: 15, total: 0, from: null, to: null },
    })
  })
})

test('lite rows have ten fields, whole rows are the record of a single read', async () => {
  const lite = await list('?lite=true')
  for (const row of lite.data) {
    expect(Object.keys(row).sort()).toEqual(
      [
        'id',
        'assistant_id',
        'name',
        'type',
        'model',
        'voice',
        'transcriber',
        'first_message',
        'voicemail_message',
        'end_call_message',
      ].sort(),
    )
  }
  const [row] = (await list('?lite=false')).data
  const single = await app.send('GET', `/assistants/${row.assistant_id}`, { token: user.token })
  expect((await single.json()).data).toEqual(row)
})

describe('scopes', () => {
  test('a workspace, a reseller, everything', async () => {
    const neighbour = await newUser(app.database, { resellerId: user.resellerId })
    await create(neighbour.token, { name: 'Neighbour' })
    const stranger = await newUser(app.database)
    await create(stranger.token, { name: 'Stranger' })

    expect((await list('', mate.token)).pagination.total).toBe(6)
    expect((await list('', neighbour.token)).pagination.total).toBe(1)
    const resellerAdmin = await newUser(app.database, { role: 'reseller_admin', resellerId: user.resellerId })
    expect((await list('', resellerAdmin.token)).pagination.total).toBe(7)
    expect(await names('?search=stranger', resellerAdmin.token)).toEqual([])
    const admin = await newUser(app.database, { role: 'admin' })
    expect((await list('', admin.token)).pagination.total).toBeGreaterThanOrEqual(8)
    expect(await names('?search=stranger', admin.token)).toContain('Stranger')
  })

  test('the total follows deletes and moves', async () => {
    const one = await newUser(app.database)
    const two = await newUser(app.database)
    const admin = await newUser(app.database, { role: 'admin' })
    const ids: string[] = []
    for (const name of ['x', 'y', 'z']) ids.push((await (await create(one.token, { name })).json()).data.assistant_id)
    await app.send('DELETE', `/assistants/${ids[0]}`, { token: one.token })
    await app.send('PUT', `/assistants/${ids[1]}`, { token: admin.token, body: { name: 'y', user_id: two.userId } })
    expect((await list('', one.token)).pagination.total).toBe(1)
    expect((await list('', two.token)).pagination.total).toBe(1)
  })
})
