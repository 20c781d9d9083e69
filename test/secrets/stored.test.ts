import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretColumns } from '../../src/app/sealed-columns.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { rotateSecrets } from '../../src/secrets/rotate.ts'
import { createVault } from '../../src/secrets/vault.ts'
import { testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { storedServer } from '../support/rows/numbers.ts'
import { columnsHolding } from './columns-holding.ts'

const [old, fresh] = [randomBytes(32), randomBytes(32)]
let database: DatabaseHandle
const columnsWith = (text: string) => columnsHolding(database, text)
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

test('every secret that is stored is sealed, and a rotation reaches all of them', async () => {
  const vault = createVault({ current: old })
  const app = await testApp({ database, vault, allowPrivateNetwork: ['127.0.0.1'] })
  const { token, data } = await newClient(app)
  const headers = { authorization: 'hunter2-header' }
  await data('POST', '/connectors', { name: 'T', server_url: 'https://127.0.0.1:9/mcp', headers })
  const [offer] = await data('GET', '/phone-numbers/available')
  const { id } = await data('POST', '/phone-numbers', { phone_number: offer.phone_number })
  await data('PUT', `/phone-numbers/${id}`, { server: { url: 'https://hooks.example.com/', secret: 'hunter2-server' } })
  const made = await data('POST', '/user/tokens', { name: 'CI' }, { 'idempotency-key': 'once' })

  const secrets = ['hunter2-header', 'hunter2-server', made.token]
  for (const secret of secrets) expect(await columnsWith(secret)).toEqual([])

  const keyOf = (sealing: typeof vault) => sealing.seal('').split(':').slice(0, 3).join(':')
  const registered = [
    'connectors.headers',
    'idempotency_keys.body',
    'idempotency_results.result',
    'live_bases.bodies',
    'phone_numbers.server',
    'platform_objects.body',
  ]
  expect(await columnsWith(keyOf(vault))).toEqual(registered)
  const rotating = createVault({ current: fresh, previous: [old] })
  await rotateSecrets(database.db, rotating, secretColumns)
  expect(await columnsWith(keyOf(vault))).toEqual([])
  expect(await columnsWith(keyOf(rotating))).toEqual(registered)
  const rotated = await testApp({ database, vault: createVault({ current: fresh }) })
  const again = { token, body: { name: 'CI' }, headers: { 'idempotency-key': 'once' } }
  expect((await (await rotated.send('POST', '/user/tokens', again)).json()).data.token).toBe(made.token)
})

test("the server block of a number opens as earlier releases sealed it, by the column's own name", async () => {
  const vault = createVault({ current: fresh, previous: [old] })
  const app = await testApp({ database, vault })
  const { data } = await newClient(app)
  const [offer] = await data('GET', '/phone-numbers/available')
  const { id } = await data('POST', '/phone-numbers', { phone_number: offer.phone_number })
  const sealed = (text: string) => vault.seal(text, 'phone_numbers.server')
  const url = 'https://hooks.example.com/'
  const block = { url, secret: sealed('hush'), headers: { 'X-Team': sealed('a'), 'X-None': sealed('') } }
  await storedServer(database, id, block)
  const server = { url, secret: 'hush', headers: { 'X-Team': 'a', 'X-None': '' } }
  expect((await data('GET', `/phone-numbers/${id}`)).server).toEqual(server)
  const body = { name: 'Desk', server: { headers: { 'X-Team': sealed('theirs') } } }
  const saved = await data('PUT', `/phone-numbers/${id}`, body)
  expect(saved.server).toMatchObject({ secret: 'hush', headers: body.server.headers })
  expect(secretColumns.filter(({ isBody }) => isBody).map(({ context }) => context)).toContain('phone_numbers.server')
})
