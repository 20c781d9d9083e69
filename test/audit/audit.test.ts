import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { addAuditEntries, dropAuditEntries, oldestAuditEntry, storedUser } from '../support/rows/accounts.ts'

let app: TestApp
let operator: TestUser
const clock = testClock(new Date('2031-05-10T12:00:00.000Z'))

beforeAll(async () => {
  app = await testApp({ clock })
  operator = await newUser(app.database, { role: 'admin' })
})

const call = (method: string, path: string, body?: unknown, token = operator.token) =>
  clientOf(app, token).send(method, path, body, { 'x-request-id': 'audit-test' })
const trail = async (query: string) => (await call('GET', `/admin/audit?${query}`)).body
const of = async (kind: string, id: unknown) => (await trail(`subject_kind=${kind}&subject_id=${id}`)).data
const paths = (entry: { changes: { path: string }[] }) => entry.changes.map(({ path }) => path)

describe('what is recorded', () => {
  test('a user: who made it, and what each change was', async () => {
    const made = await call('POST', '/admin/users', { name: 'Ada', email: `${randomUUID()}@example.com` })
    const { id, email } = made.body.data
    await call('PATCH', `/admin/users/${id}`, { features: ['ai_chat'], status: 'suspended' })
    await call('PATCH', `/admin/users/${id}`, { status: 'suspended' })
    const [updated, created, ...rest] = await of('user', id)
    expect(rest).toEqual([])
    expect(updated).toMatchObject({
      action: 'updated',
      actor: { id: operator.userId },
      subject: { kind: 'user', id: String(id) },
      request_id: 'audit-test',
      created_at: '2031-05-10T12:00:00.000Z',
      changes: [
        { path: 'status', from: 'active', to: 'suspended' },
        { path: 'features', from: ['assistants', 'phone_numbers', 'squads', 'ai_chat'], to: ['ai_chat'] },
      ],
    })
    expect(updated.token_id).toBeGreaterThan(0)
    expect(created.action).toBe('created')
    expect(created.changes).toContainEqual({ path: 'email', to: email })
  })

  test("a user's own profile and tokens count too, and no token shows", async () => {
    const user = await newUser(app.database)
    await call('PUT', '/user', { name: 'Grace' }, user.token)
    const made = await call('POST', '/user/tokens', { name: 'CI' }, user.token)
    await call('DELETE', `/user/tokens/${made.body.data.id}`, undefined, user.token)
    const [profile] = await of('user', user.userId)
    expect(profile).toMatchObject({ action: 'updated', actor: { id: user.userId } })
    expect(paths(profile)).toEqual(['name'])
    const entries = await of('token', made.body.data.id)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'created'])
    expect(entries[1].changes).toContainEqual({ path: 'user_id', to: user.userId })
    expect(JSON.stringify(entries)).not.toContain(made.body.data.token)
  })

  test('resellers, workspaces and credits, a payment once', async () => {
    const reseller = (await call('POST', '/admin/resellers', { name: 'R' })).body.data
    expect((await of('reseller', reseller.id))[0].changes).toContainEqual({ path: 'name', to: 'R' })
    const workspace = (await call('POST', '/admin/workspaces', { name: 'W', reseller_id: reseller.id })).body.data
    await call('PATCH', `/admin/workspaces/${workspace.id}`, { billing: 'usd' })
    const payment = { payment_id: randomUUID(), amount_usd: 5 }
    for (const _ of [1, 2]) {
      expect((await call('POST', `/admin/workspaces/${workspace.id}/credits`, payment)).status).toBe(201)
    }
    const [credited, updated, created, ...rest] = await of('workspace', workspace.id)
    expect(rest).toEqual([])
    expect([credited.action, updated.action, created.action]).toEqual(['credited', 'updated', 'created'])
    expect(credited.changes).toContainEqual({ path: 'payment_id', to: payment.payment_id })
    expect(credited.changes).toContainEqual({ path: 'amount', to: 5_000_000 })
    expect(updated.changes).toEqual([{ path: 'billing', from: 'none', to: 'usd' }])
  })

  test('catalogue entries, with their secrets masked', async () => {
    const tool = { label: 'T', description: 'D', type: 'function', scope: 'global' }
    const definition = { server: { url: 'https://a.test', secret: 'hunter2' } }
    const { id } = (await call('POST', '/admin/tools', { ...tool, definition })).body.data
    await call('PUT', `/admin/tools/${id}`, { ...tool, label: 'T2', definition: { server: { secret: 'hunter3' } } })
    await call('DELETE', `/admin/tools/${id}`)
    const entries = await of('tools', id)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'updated', 'created'])
    expect(paths(entries[1])).toEqual(expect.arrayContaining(['label', 'definition.server.secret']))
    expect(JSON.stringify(entries)).not.toContain('hunter')
  })

  test('a change that is refused leaves nothing', async () => {
    const before = (await trail(`actor_id=${operator.userId}`)).pagination.total
    const { id } = (await call('POST', '/admin/resellers', { name: 'R' })).body.data
    await call('POST', '/admin/users', { name: 'Ada', email: 'not an address' })
    await call('PATCH', '/admin/users/2000000000', { name: 'X' })
    await call('POST', '/admin/workspaces', { name: 'W', reseller_id: 2_000_000_000 })
    await call('DELETE', '/admin/personalities/2000000000')
    expect(id).toBeGreaterThan(0)
    expect((await trail(`actor_id=${operator.userId}`)).pagination.total).toBe(before + 1)
  })

  test('a change whose entry cannot be written does not happen', async () => {
    const { db } = app.database
    const user = await newUser(app.database)
    const name = `refuse_audit_${user.userId}`
    await db.execute(
      sql.raw(
        `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
      ),
    )
    await db.execute(
      sql.raw(`create trigger ${name} before insert on audit_entries for each row
        when (new.subject_kind = 'user' and new.subject_id = '${user.userId}') execute function ${name}()`),
    )
    expect((await call('PATCH', `/admin/users/${user.userId}`, { status: 'suspended' })).status).toBe(500)
    expect((await storedUser(app.database, user.userId)).status).toBe('active')
  })
})

describe('the list', () => {
  test('is filtered by actor, subject, action and time, newest first, in pages', async () => {
    const actor = await newUser(app.database, { role: 'admin' })
    const make = async (name: string) => (await call('POST', '/admin/resellers', { name }, actor.token)).body.data.id
    const first = await make('one')
    clock.advance(24 * 60 * 60 * 1000)
    const second = await make('two')
    const ids = async (query: string) =>
      (await trail(`actor_id=${actor.userId}&${query}`)).data.map(
        (entry: { subject: { id: string } }) => entry.subject.id,
      )
    const both = [String(second), String(first)]
    expect(await ids('')).toEqual(both)
    expect(await ids('per_page=1&page=2')).toEqual([String(first)])
    expect(await ids(`subject_kind=reseller&subject_id=${first}`)).toEqual([String(first)])
    expect(await ids('subject_kind=user')).toEqual([])
    expect(await ids('action=created')).toEqual(both)
    expect(await ids('action=deleted')).toEqual([])
    expect(await ids('from=2031-05-11')).toEqual([String(second)])
    expect(await ids('to=2031-05-10')).toEqual([String(first)])
    expect(await ids('to=2031-05-10T11:59:59Z')).toEqual([])
    expect(await ids('from=2031-05-10T12:00:00Z&to=2031-05-11T12:00:00Z')).toEqual(both)
  })

  test.each([
    ['action=nothing', 'action'],
    ['actor_id=x', 'actor_id'],
    ['from=yesterday', 'from'],
    ['to=2031-02-30', 'to'],
  ])('%s is refused', async (query, field) => {
    const answer = await call('GET', `/admin/audit?${query}`)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })

  test.each([
    ['from', '0000-01-01'],
    ['to', '9999-12-31'],
    ['from', '1900-01-01T00:00:00%2B14:00'],
    ['to', '9998-12-31T23:59:59-14:00'],
  ])('%s %s, off the calendar, is refused', async (field, day) => {
    const { status, body } = await call('GET', `/admin/audit?${field}=${day}`)
    expect([status, body.message]).toEqual([422, `The ${field} field must be a date, or a date and time.`])
  })

  test('has as many entries as there are, also after some were dropped', async () => {
    const { total: before } = (await trail('')).pagination
    await addAuditEntries(app.database, 'dropped', 3, clock.now())
    expect((await trail('')).pagination.total).toBe(before + 3)
    await dropAuditEntries(app.database, 'dropped')
    expect((await trail('')).pagination.total).toBe(before)
  })

  test('is for operators alone', async () => {
    const other = await newUser(app.database, { role: 'reseller_admin' })
    expect((await call('GET', '/admin/audit', undefined, other.token)).status).toBe(403)
  })

  test('is written only by changes: nothing in it changes afterwards', async () => {
    const entry = () => oldestAuditEntry(app.database)
    const before = await entry()
    await call('POST', '/admin/resellers', { name: 'later' })
    expect(await entry()).toEqual(before)
  })
})
