import { beforeAll, describe, expect, test } from 'vitest'
import { operationsOf } from '../../src/api/operations.ts'
import { restRouter } from '../../src/router.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'

const operations = operationsOf(restRouter).filter(({ path }) => path.startsWith('/admin/'))
const rows = operations.flatMap(({ methods, path }) => methods.map((method) => [method, path] as const))

let app: TestApp
let admin: TestUser
let others: TestUser[]
beforeAll(async () => {
  app = await testApp()
  admin = await newUser(app.database, { role: 'admin' })
  others = [await newUser(app.database), await newUser(app.database, { role: 'reseller_admin' })]
})

test('the table has every operator endpoint', () => {
  const kinds = ['prompt-templates', 'base-configs', 'industry-templates', 'layer2-presets', 'personalities']
  const catalogue = [...kinds, 'tools', 'model-prices'].flatMap((kind) => [
    `GET /admin/${kind}`,
    `POST /admin/${kind}`,
    `GET /admin/${kind}/{id}`,
    `PUT /admin/${kind}/{id}`,
    `DELETE /admin/${kind}/{id}`,
  ])
  const documented = [
    'GET /admin/audit',
    'GET /admin/installation',
    'GET /admin/resellers',
    'POST /admin/resellers',
    'GET /admin/workspaces',
    'POST /admin/workspaces',
    'GET /admin/workspaces/{id}',
    'PATCH /admin/workspaces/{id}',
    'POST /admin/workspaces/{id}/credits',
    'GET /admin/users',
    'POST /admin/users',
    'GET /admin/users/{id}',
    'PATCH /admin/users/{id}',
    'GET /admin/users/{id}/tokens',
    'POST /admin/users/{id}/tokens',
    'DELETE /admin/users/{id}/tokens/{token_id}',
  ]
  const served = rows.map(([method, path]) => `${method} ${path}`)
  expect(served.sort()).toEqual([...documented, ...catalogue].sort())
  expect(operations.every(({ meta }) => meta.access === 'operator' && meta.extension === true)).toBe(true)
})

describe.each(rows)('%s %s', (method, path) => {
  const send = (token?: string) =>
    app.send(method, path.replace(/\{\w+\}/g, 'nonsense'), { token, ...(method !== 'GET' && { body: {} }) })

  test('is for operators alone', async () => {
    for (const { token } of others) {
      const refused = await send(token)
      expect(refused.status).toBe(403)
      expect(await refused.json()).toEqual({ success: false, message: 'Only an operator may do this.' })
    }
  })

  test('asks for a token', async () => {
    const refused = await send()
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({ message: 'Unauthenticated.' })
  })
})

const malformed = operations
  .filter(({ path }) => path.includes('{'))
  .flatMap(({ methods, path, meta }) => methods.map((method) => [method, path, meta.ids] as const))

test.each(malformed)('%s %s answers a malformed id with the 404 of its resource', async (method, path) => {
  const answer = await app.send(method, path.replace(/\{\w+\}/g, '0'), { token: admin.token })
  const resource = path.startsWith('/admin/users') ? 'User' : undefined
  const name = resource ?? (path.startsWith('/admin/workspaces') ? 'Workspace' : 'Catalogue entry')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({ success: false, message: `${name} not found` })
})
