import { beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { nextNumber } from '../support/numbers/numbers.ts'
import { type Caller, callerOf, operator, someEmail } from './caller.ts'

let app: TestApp
let admin: Caller
let me: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
  me = callerOf(app, await newUser(app.database))
})

const shown = { name: 'Ada', email: expect.stringContaining('@') }
const deskName = `Desk ${crypto.randomUUID().slice(0, 8)}`
const teamName = `Team ${crypto.randomUUID().slice(0, 8)}`
const empty = { name: '', email: '' }

test('a user who has left a workspace is shown to it by their id alone', async () => {
  const body = { name: 'Ada', email: someEmail(), workspace_id: me.workspaceId, workspace_role: 'editor' }
  const { id } = await admin.data('POST', '/admin/users', body)
  const { token } = await admin.data('POST', `/admin/users/${id}/tokens`, {})
  const ada = {
    send: (method: string, path: string, sent: object) => app.send(method, path, { token: String(token), body: sent }),
  }
  const made = async (path: string, sent: object) => (await (await ada.send('POST', path, sent)).json()).data
  const { external_squad_id: squad } = await made('/squads', { name: teamName, members: [] })
  const { phone_number: number } = await made('/phone-numbers', { phone_number: nextNumber() })
  const { assistant_id: assistant } = await made('/assistants', { name: deskName })

  const reads = async (who: Caller) => {
    const [squads, numbers, assistants] = await Promise.all([
      who.data('GET', `/squads?search=${encodeURIComponent(teamName)}`),
      who.data('GET', `/phone-numbers?search=${encodeURIComponent(number)}`),
      who.data('GET', `/assistants?search=${encodeURIComponent(deskName)}`),
    ])
    const mine = (rows: unknown, field: string, value: unknown) =>
      (rows as Record<string, unknown>[]).find((row) => row[field] === value)
    return [
      await who.data('GET', `/squads/${squad}`),
      mine(squads, 'external_squad_id', squad),
      await who.data('GET', `/phone-numbers/${number}`),
      mine(numbers, 'phone_number', number),
      await who.data('GET', `/assistants/${assistant}`),
      mine(assistants, 'assistant_id', assistant),
      await who.data('GET', `/assistants/${assistant}/advanced`),
    ]
  }
  const records = (user: { name: unknown; email: unknown }) => {
    const person = { id, ...user }
    const [ofSquad, ofNumber] = [{ user: person, creator: person }, { user: person }]
    const ofAssistant = { user_id: id, metadata: { user_id: id, user: user.name } }
    return [ofSquad, ofSquad, ofNumber, ofNumber, ofAssistant, ofAssistant, ofAssistant]
  }
  expect(await reads(me)).toMatchObject(records(shown))

  const { workspaceId } = await newUser(app.database)
  const changed = { name: 'Ada elsewhere', email: someEmail(), workspace_id: workspaceId }
  expect((await admin.send('PATCH', `/admin/users/${id}`, changed)).status).toBe(200)
  expect(await reads(me)).toMatchObject(records(empty))
  expect(await reads(admin)).toMatchObject(records(empty))
  const saved = await me.data('PUT', `/assistants/${assistant}`, { name: 'Desk 2' })
  expect(saved).toMatchObject({ user_id: id, metadata: { user: '' } })
  const [entry] = await me.data('GET', `/assistants/${assistant}/update-log?page=2&per_page=1`)
  expect(entry).toMatchObject({ actor: { id, name: 'Ada' } })
})

test.each([
  ['an operator', 'admin'],
  ['an admin of its reseller', 'reseller_admin'],
] as const)('%s who made a squad for a workspace is shown to it', async (_who, role) => {
  const owner = callerOf(app, await newUser(app.database))
  const maker = callerOf(app, await newUser(app.database, { role, resellerId: owner.resellerId }))
  const made = await maker.data('POST', '/squads', { name: teamName, members: [], user_id: owner.userId })
  expect(await owner.data('GET', `/squads/${made.external_squad_id}`)).toMatchObject({
    user: { id: owner.userId, email: expect.stringContaining('@') },
    creator: { id: maker.userId, name: expect.stringMatching(/./), email: expect.stringContaining('@') },
  })
})
