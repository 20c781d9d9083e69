import { beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../support/app.ts'
import { type Client, clientOf, newClient } from '../support/client.ts'

let app: TestApp
let owner: Client & TestUser
let guestId: number
let connectorId: string
beforeAll(async () => {
  app = await testApp()
  owner = await newClient(app)
  guestId = (await newClient(app)).userId
  const connector = { name: 'Desk tools', server_url: 'https://tools.example/mcp' }
  connectorId = (await owner.data('POST', '/connectors', connector)).uid
})

const file = () => {
  const form = new FormData()
  form.set('file', new File(['We deliver on Mondays.'], 'hours.txt'))
  return form
}

/** How many turns of the event loop a delete comes after the write that it meets. */
const delays = [0, 1, 2, 3, 4, 6, 8, 12]

const writes: [name: string, method: string, path: () => string, body: () => object][] = [
  ['a share', 'PUT', () => `/shares/${guestId}`, () => ({ access: 'view' })],
  ['a connector', 'PUT', () => `/connectors/${connectorId}`, () => ({ enabled: true })],
  ['a budget', 'PUT', () => '/budget', () => ({ window: 'month', tokens: 300 })],
  ['a chat', 'POST', () => '/chats', () => ({})],
  ['a file', 'POST', () => '/files', file],
]

test.each(writes)('%s for an agent that is deleted meanwhile is made before it, or 404', async (...write) => {
  const [, method, path, body] = write
  for (const delay of delays) {
    const { id } = await owner.data('POST', '/agents', { name: 'Desk' })
    const writing = owner.send(method, `/agents/${id}${path()}`, body())
    for (let turn = 0; turn < delay; turn++) await new Promise(setImmediate)
    const [written, removed] = await Promise.all([writing, owner.send('DELETE', `/agents/${id}`)])
    expect(removed.status).toBe(200)
    if (written.status < 300) continue
    expect([written.status, written.body]).toEqual([
      404,
      { message: expect.stringMatching(/^(Agent|Connector) not found\.$/) },
    ])
  }
})

test('a connector that is deleted while it is switched on is switched on before it, or 404', async () => {
  const { id } = await owner.data('POST', '/agents', { name: 'Desk' })
  for (const delay of delays) {
    const { uid } = await owner.data('POST', '/connectors', { name: 'Tools', server_url: 'https://tools.example/mcp' })
    const writing = owner.send('PUT', `/agents/${id}/connectors/${uid}`, { enabled: true })
    for (let turn = 0; turn < delay; turn++) await new Promise(setImmediate)
    const [written, removed] = await Promise.all([writing, owner.send('DELETE', `/connectors/${uid}`)])
    expect(removed.status).toBe(200)
    if (written.status < 300) continue
    expect([written.status, written.body]).toEqual([404, { message: 'Connector not found.' }])
  }
})

test('a file whose agent is deleted before it can be is 404', async () => {
  const { id } = await owner.data('POST', '/agents', { name: 'Desk' })
  const { id: fileId } = await owner.data('POST', `/agents/${id}/files`, file())
  const { database } = app
  const transaction: typeof database.db.transaction = async (work, config) => {
    expect((await owner.send('DELETE', `/agents/${id}`)).status).toBe(200)
    return database.db.transaction(work, config)
  }
  const db: typeof database.db = Object.create(database.db, { transaction: { value: transaction } })
  const late = clientOf(await testApp({ database: { ...database, db } }), owner.token)
  const { status, body } = await late.send('DELETE', `/agents/${id}/files/${fileId}`)
  expect([status, body]).toEqual([404, { message: 'Agent not found.' }])
})
