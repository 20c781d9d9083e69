import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { newUser, testApp } from '../support/app.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const assistant = (body: Body = {}) => rig.data('POST', '/assistants', { name: 'Ann', ...body })
const liveOf = (record: Body) => String(record.voice_assistant_id)
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const moment = expect.stringMatching(/Z$/)

/** A published squad of one member, and a number of the carrier's offer. */
async function others(member: Body) {
  const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
  const members = [{ assistantId: member.assistant_id }]
  const squad = await rig.data('PUT', `/squads/${draft.external_squad_id}`, { name: 'Team', members })
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  const number = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  return { squad, number }
}

describe('a sweep', () => {
  test('says leaf by leaf what was changed outside, once, until it is so no more', async () => {
    const record = await assistant()
    await rig.outside.assistants.update(liveOf(record), { firstMessage: 'Hello', maxDurationSeconds: 900 })
    const found = await rig.sweep()
    expect(found).toEqual([
      {
        id: expect.any(Number),
        kind: 'assistant',
        difference: 'changed',
        resource: record.assistant_id,
        name: 'Ann',
        voice_id: liveOf(record),
        leaves: [
          { path: 'firstMessage', theirs: 'Hello' },
          { path: 'maxDurationSeconds', base: 600, ours: 600, theirs: 900 },
        ],
        state: 'open',
        resolution: null,
        found_at: moment,
        changed_at: moment,
        resolved_at: null,
      },
    ])
    expect(await rig.sweep()).toEqual(found)
    await rig.outside.assistants.update(liveOf(record), { firstMessage: '', maxDurationSeconds: 600 })
    expect(await rig.sweep()).toEqual([])
    expect(await rig.data('GET', '/drift?state=resolved')).toEqual([
      { ...found[0], state: 'resolved', resolution: 'vanished', resolved_at: moment },
    ])
  })

  test('ends what was kept of an assistant just after it was deleted', async () => {
    const record = await assistant()
    await rig.outside.assistants.update(liveOf(record), { firstMessage: 'Hello' })
    const [found] = await rig.sweep()
    expect((await rig.send('DELETE', `/assistants/${record.assistant_id}`)).status).toBe(200)
    // As if the sweep had kept it after the delete.
    await rig.app.database.db.execute(sql`update drifts set state = 'open', resolution = null, resolved_at = null`)
    expect(await rig.data('GET', '/drift?state=open', undefined, await rig.operator())).toEqual([found])
    expect(await rig.sweep()).toEqual([])
    expect(await rig.data('GET', '/drift?state=open', undefined, await rig.operator())).toEqual([])
  })

  test('finds changes, losses and strangers of every kind', async () => {
    const [changed, lost] = [await assistant({ name: 'Changed' }), await assistant({ name: 'Lost' })]
    const { squad, number } = await others(changed)
    await rig.outside.assistants.update(liveOf(changed), { name: 'Bob' })
    await rig.outside.assistants.delete(liveOf(lost))
    const id = String(squad.external_squad_id)
    const [{ assistantId } = { assistantId: '' }] = (await rig.outside.squads.get(id)).members
    await rig.outside.squads.update(id, { name: 'Crew', members: [{ assistantId }] })
    await rig.outside.phoneNumbers.delete(String(number.voice_phone_number_id))
    const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
    const operator = (await newUser(rig.app.database, { role: 'admin' })).token
    const shown = async (token?: string) =>
      (await rig.data<Body[]>('GET', '/drift', undefined, token)).map(({ kind, difference, resource, name }) => ({
        kind,
        difference,
        resource,
        name,
      }))
    await rig.sweep()
    const own = [
      { kind: 'phone_number', difference: 'missing', resource: number.phone_number, name: number.phone_number },
      { kind: 'squad', difference: 'changed', resource: id, name: 'Team' },
      { kind: 'assistant', difference: 'missing', resource: lost.assistant_id, name: 'Lost' },
      { kind: 'assistant', difference: 'changed', resource: changed.assistant_id, name: 'Changed' },
    ]
    expect(await shown()).toEqual(expect.arrayContaining(own))
    expect(await shown()).toHaveLength(own.length)
    const unmanaged = { kind: 'assistant', difference: 'unmanaged', resource: null, name: 'Stranger' }
    expect(await shown(operator)).toEqual(expect.arrayContaining([...own, unmanaged]))
    expect(await shown((await newUser(rig.app.database)).token)).toEqual([])
    expect(await shown((await newUser(rig.app.database, { features: [] })).token)).toEqual([])
    await rig.outside.assistants.delete(stranger.id)
    await rig.sweep()
    expect(await shown(operator)).toHaveLength(own.length)
  })

  test('filters and pages', async () => {
    for (const name of ['A', 'B', 'C']) {
      const record = await assistant({ name })
      await rig.outside.assistants.update(liveOf(record), { name: `${name}${name}` })
    }
    const [, second] = await rig.sweep()
    const page = await rig.send('GET', '/drift?page=2&per_page=1')
    expect(page.body).toEqual({
      success: true,
      data: [second],
      pagination: { current_page: 2, last_page: 3, per_page: 1, total: 3, from: 2, to: 2 },
    })
    expect(await rig.data('GET', `/drift?resource=${second?.resource}`)).toEqual([second])
    expect(await rig.data('GET', '/drift?kind=squad')).toEqual([])
    expect(await rig.data('GET', '/drift?difference=missing')).toEqual([])
  })

  test('masks secrets', async () => {
    const record = await assistant({ metadata: { webhook_url: 'https://hooks.example/a' } })
    const { number } = await others(record)
    await rig.data('PUT', `/phone-numbers/${number.id}`, { server: { url: 'https://hooks.example', secret: 'old' } })
    await rig.outside.phoneNumbers.update(String(number.voice_phone_number_id), {
      provider: 'twilio',
      server: { url: 'https://hooks.example', headers: { 'X-Anything': 'hidden' } },
    })
    const [found] = await rig.sweep()
    expect(JSON.stringify(found)).not.toMatch(/hidden|old/)
    expect(found?.leaves).toEqual(expect.arrayContaining([{ path: 'server.headers.X-Anything', theirs: '••••' }]))
  })

  test('masks all that lies below a secret', async () => {
    const tool = (value: string) => ({
      type: 'function' as const,
      function: { name: 'look_up' },
      server: { url: 'https://tools.example' },
      parameters: [{ key: 'account', value }],
    })
    const admin = await newUser(rig.app.database, { role: 'admin' })
    const config = { model: { provider: 'openai', model: 'gpt-4.1', tools: [tool('our-own')] } }
    const base = await rig.data('POST', '/admin/base-configs', { name: 'Shop', config }, admin.token)
    const record = await rig.data('POST', '/v2/assistants', { name: 'Ann', base_config_id: base.id })
    const model = { ...config.model, tools: [tool('their-own')] }
    await rig.outside.assistants.update(liveOf(record), { model } as never)
    const found = await rig.sweep()
    const path = 'model.tools.0.parameters.0.value'
    expect(found).toMatchObject([
      { leaves: expect.arrayContaining([{ path, base: '••••', ours: '••••', theirs: '••••' }]) },
    ])
    expect(JSON.stringify(found)).not.toMatch(/-own/)
    expect(JSON.stringify(await rig.data('GET', '/admin/audit', undefined, admin.token))).not.toMatch(/-own/)
  })

  test('leaves an entry for operators, and a count in the health report', async () => {
    const record = await assistant()
    const health = async () => (await rig.app.send('GET', '/health')).json()
    const before = await health()
    expect(before).not.toHaveProperty('drift')
    await rig.outside.assistants.update(liveOf(record), { name: 'Bob' })
    await rig.sweep()
    await rig.sweep()
    expect(await health()).toEqual({ ...(before as Body), drift: 1 })
    const operator = (await newUser(rig.app.database, { role: 'admin' })).token
    expect(await rig.data('GET', '/admin/audit?action=drifted', undefined, operator)).toEqual([
      {
        id: expect.any(Number),
        actor: { id: 0, name: 'Voice platform', email: '' },
        token_id: 0,
        action: 'drifted',
        subject: { kind: 'assistant', id: record.assistant_id },
        changes: [{ path: 'name', from: 'Ann', to: 'Bob' }],
        request_id: '',
        created_at: moment,
      },
    ])
  })

  test('between two that look at everything, only what changed is asked for', async () => {
    const record = await assistant()
    await rig.sweep()
    await rig.app.database.sql`update drift_sweeps set full_count = 5000, due_at = now() - interval '1 second'`
    await rig.outside.assistants.update(liveOf(record), { name: 'Bob' })
    rig.platform.requests.length = 0
    await (await rig.another()).services.drift.sweepNow()
    expect(rig.platform.requests.filter(({ path }) => path === '/assistant')).toEqual([
      expect.objectContaining({ query: { limit: '1000', updatedAtGe: moment } }),
    ])
    expect(await rig.data<Body[]>('GET', '/drift')).toHaveLength(1)
  })
})

describe('POST /drift/scan', () => {
  test('has everything looked at, and says how far it is', async () => {
    const never = { state: 'never', checked: 0, started_at: null, finished_at: null, error: null }
    expect(await rig.data('GET', '/drift/scan')).toEqual(never)
    const record = await assistant()
    await rig.outside.assistants.update(liveOf(record), { name: 'Bob' })
    expect(await rig.data('POST', '/drift/scan')).toEqual({ ...never, state: 'waiting' })
    expect(await rig.data('POST', '/drift/scan')).toEqual({ ...never, state: 'waiting' })
    await rig.app.services.drift.sweepNow()
    expect(await rig.data('GET', '/drift/scan')).toEqual({
      state: 'finished',
      checked: 1,
      started_at: moment,
      finished_at: moment,
      error: null,
    })
    expect(await rig.data<Body[]>('GET', '/drift')).toEqual([expect.objectContaining({ voice_id: uuid })])
  })

  test.each([
    ['at once after another one among few objects', 3, 0, 2, true],
    ['at once after a look at what changed lately alone', 2_000, 3_600, 2, true],
    ['not within thirty seconds of a look at everything among many', 2_000, 0, 2, false],
    ['after those', 2_000, 0, 31, true],
  ])('begins %s', async (_when, count, fullAgo, seconds, begins) => {
    const app = await testApp({ database: rig.app.database, driftRequestsMs: 30_000 })
    const { token } = rig.user
    const { sql } = rig.app.database
    const scan = async () => {
      expect((await app.send('POST', '/drift/scan', { token })).status).toBe(200)
      await app.services.drift.sweepNow()
      const [row] = await sql`select started_at::text as begun from drift_sweeps`
      return row?.begun
    }
    await scan()
    await sql`update drift_sweeps set started_at = now() - ${seconds}::int * interval '1 second', full_count = ${count},
      full_at = now() - ${fullAgo}::int * interval '1 second'`
    const [before] = await sql`select started_at::text as begun from drift_sweeps`
    expect((await scan()) !== before?.begun).toBe(begins)
  })

  test('is 403 for viewers', async () => {
    const { workspaceId } = rig.user
    const viewer = await newUser(rig.app.database, { workspaceId, workspaceRole: 'viewer' })
    expect((await rig.send('POST', '/drift/scan', {}, viewer.token)).status).toBe(403)
  })

  test('is tried again when the platform does not answer', async () => {
    await assistant()
    rig.platform.faults.add({ method: 'GET', path: /^\/assistant$/, mode: 'status', status: 503, times: 3 })
    await rig.data('POST', '/drift/scan')
    await rig.app.services.drift.sweepNow()
    expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'waiting', error: expect.any(String) })
    const again = async () => {
      await rig.app.database.sql`update drift_sweeps set due_at = now() - interval '1 second'`
      await rig.app.services.drift.sweepNow()
      return rig.data('GET', '/drift/scan')
    }
    await expect.poll(again).toMatchObject({ state: 'finished', checked: 1, error: null })
  })

  test('runs on one instance at a time', async () => {
    for (const name of ['A', 'B']) await assistant({ name })
    const { drift: other } = (await rig.another()).services
    await rig.data('POST', '/drift/scan')
    rig.platform.requests.length = 0
    await Promise.all([rig.app.services.drift.sweepNow(), other.sweepNow()])
    expect(rig.platform.requests.filter(({ path }) => path === '/assistant')).toHaveLength(1)
  })
})
