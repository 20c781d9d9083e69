import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, callerOf, operator } from '../admin/caller.ts'
import { newTokenFor, type TestApp, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'

let app: TestApp
let admin: Caller
let reading: Caller
beforeAll(async () => {
  app = await testApp({ database: await freshDatabase() })
  admin = await operator(app)
  reading = callerOf(app, { ...admin, token: await newTokenFor(app.database, admin.userId, undefined, ['read']) })
})
afterAll(() => app.database.close())

const server = { url: 'https://shop.example.com/orders', secret: 'of-the-shop', headers: { 'X-Shop': 'of-the-shop' } }
const masked = { url: 'https://shop.example.com/orders', secret: '••••', headers: { 'X-Shop': '••••' } }

const kinds: [kind: string, body: object, field: string, shown: object][] = [
  [
    'tools',
    { label: 'Orders', description: 'Looks an order up.', type: 'function', scope: 'global', definition: { server } },
    'definition',
    { server: masked },
  ],
  ['base-configs', { name: 'Shop', config: { server } }, 'config', { server: masked }],
]

test.each(kinds)(
  '%s show their secrets to a token that may write them, and to no other',
  async (kind, body, field, shown) => {
    const made = await admin.data('POST', `/admin/${kind}`, body)
    const path = `/admin/${kind}/${made.id}`
    expect(made).toMatchObject(body)
    expect(await admin.data('GET', path)).toEqual(made)
    expect(await reading.data('GET', path)).toEqual({ ...made, [field]: shown })
    const listed = await reading.send('GET', `/admin/${kind}?per_page=100`)
    expect(listed.body.data).toContainEqual({ ...made, [field]: shown })
    expect(JSON.stringify(listed.body)).not.toContain('of-the-shop')
  },
)
