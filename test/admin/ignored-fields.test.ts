import { beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, callerOf, operator } from './caller.ts'

let app: TestApp
let me: Caller
let admin: Caller
let assistant: string
let squad: string
beforeAll(async () => {
  app = await testApp()
  me = callerOf(app, await newUser(app.database))
  admin = await operator(app)
  assistant = String((await me.data('POST', '/assistants', { name: 'Desk' })).assistant_id)
  const members = [{ assistantId: assistant }]
  const { external_squad_id: draft } = await me.data('POST', '/squads', { name: 'Team', members })
  squad = String((await me.data('PUT', `/squads/${draft}`, { name: 'Team', members })).external_squad_id)
})

interface Case {
  method: string
  path(): string
  procedure: string
  named(): object
  fields: string[]
}

const team = () => ({ name: 'Team', members: [{ assistantId: assistant }] })
const cases: Case[] = [
  {
    method: 'POST',
    path: () => '/assistants',
    procedure: 'assistants.create',
    named: () => ({ name: 'Desk' }),
    fields: ['user_id'],
  },
  {
    method: 'PUT',
    path: () => `/assistants/${assistant}`,
    procedure: 'assistants.update',
    named: () => ({ assistantId: assistant, name: 'Desk' }),
    fields: ['user_id'],
  },
  {
    method: 'PUT',
    path: () => `/assistants/${assistant}/advanced`,
    procedure: 'assistants.updateAdvanced',
    named: () => ({ assistantId: assistant, name: 'Desk' }),
    fields: ['user_id', 'reseller_id'],
  },
  { method: 'POST', path: () => '/squads', procedure: 'squads.draft', named: team, fields: ['user_id'] },
  {
    method: 'PUT',
    path: () => `/squads/${squad}`,
    procedure: 'squads.publish',
    named: () => ({ id: squad, ...team() }),
    fields: ['user_id'],
  },
]

test.each(cases)(
  '$procedure ignores whatever a plain user names as owner, and checks it of an operator',
  async (one) => {
    const { method, path, procedure, named, fields } = one
    for (const field of fields) {
      for (const value of ['x', 1.5, -1, {}, 2_000_000_000]) {
        const body = { ...named(), [field]: value }
        const done = await me.send(method, path(), body)
        expect([done.status, field, value], JSON.stringify(done.body)).toEqual([
          method === 'POST' ? 201 : 200,
          field,
          value,
        ])
        const called = await me.send('POST', `/trpc/${procedure}`, body)
        expect(called.status, JSON.stringify(called.body)).toBe(200)
        const refused = await admin.send(method, path(), body)
        expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]])
      }
    }
  },
)

test('the list of tools ignores it likewise', async () => {
  expect((await me.send('GET', '/assistants/tools?owner_id=x')).status).toBe(200)
  expect((await admin.send('GET', '/assistants/tools?owner_id=x')).status).toBe(422)
  const input = encodeURIComponent(JSON.stringify({ 0: { owner_id: 'x' }, 1: { owner_id: true } }))
  const batch = `/trpc/assistantTools.list,assistantTools.list?batch=1&input=${input}`
  expect((await me.send('GET', batch)).status).toBe(200)
  expect((await admin.send('GET', batch)).status).toBe(422)
})
