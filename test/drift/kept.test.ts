import { beforeEach, describe, expect, test } from 'vitest'
import { markUnfinished } from '../../src/voice-platform/mirror/journal/mark.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string, body: Body = {}) => rig.data('POST', '/assistants', { name, ...body })
const stranger = async () => (await rig.outside.assistants.create({ name: 'Stranger' })).id

describe('an item that is kept of a live list, of which somebody took something away', () => {
  test.each(['PUT', 'theirs', 'merge'])('stays among the hooks of an assistant: %s', async (how) => {
    const record = await make('Ann')
    const path = `/assistants/${record.assistant_id}`
    const liveId = String(record.voice_assistant_id)
    const live = async () => ((await rig.outside.assistants.get(liveId)) as unknown as Body).hooks
    const hook = { on: 'call.ending', do: [{ type: 'tool', toolId: crypto.randomUUID() }] }
    const filters = [{ type: 'oneOf', key: 'call.endedReason', oneOf: ['x'] }]
    await rig.outside.assistants.update(liveId, { hooks: [{ ...hook, filters }] } as never)
    await rig.data('PUT', path, { name: 'Bob' })
    await rig.outside.assistants.update(liveId, { hooks: [hook] } as never)
    if (how !== 'PUT') await rig.data('POST', `${path}/reconcile`, { keep: how })
    for (const name of ['Cid', 'Dan']) {
      await rig.data('PUT', path, { name })
      expect(await live()).toEqual([hook])
    }
    expect(await rig.sweep()).toEqual([])
  })

  test.each(['PUT', 'theirs', 'merge'])('stays among the members of a squad: %s', async (how) => {
    const ann = await make('Ann')
    const body = { name: 'Team', members: [{ assistantId: ann.assistant_id }] }
    const draft = await rig.data('POST', '/squads', body)
    const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
    const own = { assistantId: ann.voice_assistant_id }
    const theirs = { assistantId: await stranger() }
    const become = (member: Body) => rig.outside.squads.update(String(id), { members: [own, member] } as never)
    await become({ ...theirs, assistantOverrides: { firstMessage: 'Hi' } })
    await rig.data('PUT', `/squads/${id}`, body)
    await become(theirs)
    if (how !== 'PUT') await rig.data('POST', `/squads/${id}/reconcile`, { keep: how })
    for (const name of ['Team', 'Crew']) {
      await rig.data('PUT', `/squads/${id}`, { ...body, name })
      const { members } = await rig.outside.squads.get(String(id))
      expect(members.map(({ assistantId }) => assistantId)).toEqual([ann.voice_assistant_id, theirs.assistantId])
    }
    expect(await rig.sweep()).toEqual([])
  })
})

describe('a squad with a member that is kept from the platform', () => {
  type Member = Body & { assistantId: string; assistantOverrides?: Body; assistantDestinations?: Body[] }

  async function published(isFirst: boolean) {
    const [ann, bob] = [await make('Ann'), await make('Bob')]
    const [a, b, u] = [String(ann.voice_assistant_id), String(bob.voice_assistant_id), await stranger()]
    const body = { name: 'Team', members: [{ assistantId: ann.assistant_id }, { assistantId: bob.assistant_id }] }
    const draft = await rig.data('POST', '/squads', body)
    const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
    const path = `/squads/${id}`
    const live = async () => (await rig.outside.squads.get(String(id))).members as unknown as Member[]
    const become = (members: Member[]) => rig.outside.squads.update(String(id), { members } as never)
    const [one, two] = await live()
    const kept = { assistantId: u }
    const own = [one, two].filter((member) => member !== undefined)
    await become(isFirst ? [kept, ...own] : [...own, kept])
    const save = (members: object[] = body.members) => rig.data('PUT', path, { name: 'Team', members })
    await save()
    const ids = {
      [String(ann.assistant_id)]: 'ann',
      [a]: 'ann',
      [String(bob.assistant_id)]: 'bob',
      [b]: 'bob',
      [u]: 'kept',
    }
    const names = (members: unknown) => (members as Member[]).map(({ assistantId }) => ids[assistantId])
    return { path, body, save, live, become, names, show: () => rig.data('GET', path) }
  }

  const changes: [what: string, change: (members: Member[]) => Member[], recorded: object[]][] = [
    ['another order', (members) => [...members].reverse(), []],
    [
      'overrides',
      ([one, ...others]) => [{ ...(one as Member), assistantOverrides: { firstMessage: 'Hi' } }, ...others],
      [{ assistantOverrides: { firstMessage: 'Hi' } }, {}],
    ],
    [
      'a destination',
      ([one, ...others]) => {
        const to = { type: 'assistant', assistantName: 'Bob', message: 'One moment' }
        return [{ ...(one as Member), assistantDestinations: [to] }, ...others]
      },
      [{ assistantDestinations: [{ assistantName: 'Bob', message: 'One moment' }] }, {}],
    ],
  ]

  test.each(
    changes.flatMap(([what, ...change]) =>
      [false, true].flatMap((isFirst) => ['theirs', 'merge'].map((how) => [what, isFirst, how, ...change] as const)),
    ),
  )('takes on %s of its own members (before them: %s): %s', async (_what, isFirst, how, change, recorded) => {
    const { path, live, become, names, show, save } = await published(isFirst)
    const all = await live()
    const isKept = (member: Member) => names([member])[0] === 'kept'
    const own = change(all.filter((member) => !isKept(member)))
    const kept = all.filter(isKept)
    const now = isFirst ? [...kept, ...own] : [...own, ...kept]
    await become(now)
    await rig.data('POST', `${path}/reconcile`, { keep: how })
    const { members } = await show()
    expect(names(members)).toEqual(names(own))
    expect(members).toMatchObject(recorded.length > 0 ? recorded : [{}, {}])
    await save(members as object[])
    expect(await live()).toEqual(now)
    expect(await rig.sweep()).toEqual([])
  })

  test.each([false, true])('keeps it when a member is added (before them: %s)', async (isFirst) => {
    const { body, save, live, names } = await published(isFirst)
    const cid = await make('Cid')
    const [one, two] = body.members
    await save([one as object, { assistantId: cid.assistant_id }, two as object])
    const ids = (await live()).map(({ assistantId }) => assistantId)
    const own = names(await live()).map((name, index) => name ?? (ids[index] === cid.voice_assistant_id ? 'cid' : ''))
    expect(own).toEqual(isFirst ? ['kept', 'ann', 'cid', 'bob'] : ['ann', 'cid', 'bob', 'kept'])
    expect(await rig.sweep()).toEqual([])
    await save([one as object, { assistantId: cid.assistant_id }, two as object])
    expect((await live()).map(({ assistantId }) => assistantId)).toEqual(ids)
  })

  test.each([false, true])('keeps it when what a destination says is changed (before them: %s)', async (isFirst) => {
    const { body, save, live, names } = await published(isFirst)
    const [one, two] = body.members
    for (const message of ['One moment', 'Hold on']) {
      const to = { type: 'assistant', assistantName: 'Bob', message }
      await save([{ ...one, assistantDestinations: [to] }, two as object])
      expect(names(await live())).toEqual(isFirst ? ['kept', 'ann', 'bob'] : ['ann', 'bob', 'kept'])
      expect((await live())[isFirst ? 1 : 0]?.assistantDestinations).toEqual([to])
    }
    expect(await rig.sweep()).toEqual([])
  })

  const overrides: [assistantOverrides: Body | null][] = [[{ firstMessage: 'Hello' }], [{}], [null]]

  test.each(overrides.flatMap(([body]) => [false, true].map((isFirst) => [body, isFirst] as const)))(
    'keeps it when one of its own members is saved with other overrides: %o (before them: %s)',
    async (assistantOverrides, isFirst) => {
      const { body, save, live, names } = await published(isFirst)
      const [one, two] = body.members
      await save([one as object, { ...two, assistantOverrides }])
      const members = await live()
      expect(names(members)).toEqual(isFirst ? ['kept', 'ann', 'bob'] : ['ann', 'bob', 'kept'])
      const bob = members.find((member) => names([member])[0] === 'bob')
      expect(bob?.assistantOverrides?.firstMessage).toBe(assistantOverrides?.firstMessage)
      expect(await rig.sweep()).toEqual([])
    },
  )
})

describe('a part of a plan that somebody took away', () => {
  const plans: Body[] = [
    { monitorPlan: { listenEnabled: false } },
    { monitorPlan: { controlEnabled: false } },
    { artifactPlan: { recordingEnabled: false } },
    { analysisPlan: { summaryPlan: { enabled: true } } },
    { backgroundSpeechDenoisingPlan: { smartDenoisingPlan: { enabled: false } } },
  ]

  test.each(plans.flatMap((plan) => ['PUT', 'theirs', 'merge'].map((how) => [plan, how] as const)))(
    'is not there after a save either: %o, %s',
    async (plan, how) => {
      const record = await make('Ann')
      const path = `/assistants/${record.assistant_id}`
      const liveId = String(record.voice_assistant_id)
      await rig.outside.assistants.update(liveId, plan as never)
      if (how !== 'PUT') await rig.data('POST', `${path}/reconcile`, { keep: how })
      for (const location of ['West', 'East']) await rig.data('PUT', path, { name: 'Ann', metadata: { location } })
      const [field = ''] = Object.keys(plan)
      expect(((await rig.outside.assistants.get(liveId)) as unknown as Body)[field]).toEqual(plan[field])
      expect(JSON.stringify(await rig.data('GET', path))).not.toContain('Enabled":""')
      expect(await rig.sweep()).toEqual([])
    },
  )
})

test.each(['theirs', 'merge'])(
  'a plan that somebody took away is not there after a save that says nothing: %s',
  async (keep) => {
    const config = { analysisPlan: { successEvaluationPlan: { rubric: 'PassFail' } } }
    const { id } = await rig.data('POST', '/admin/base-configs', { name: 'Base', config }, await rig.operator())
    const record = await rig.data('POST', '/v2/assistants', { name: 'Ann', base_config_id: id })
    const path = `/assistants/${record.assistant_id}`
    const liveId = String(record.voice_assistant_id)
    const analysisPlan = { summaryPlan: { enabled: true } }
    await rig.outside.assistants.update(liveId, { analysisPlan } as never)
    await rig.data('POST', `${path}/reconcile`, { keep })
    const history = () => rig.data<Body[]>('GET', `${path}/update-log`)
    const before = await history()
    await rig.data('PUT', path, { name: 'Ann' })
    expect(((await rig.outside.assistants.get(liveId)) as unknown as Body).analysisPlan).toEqual(analysisPlan)
    expect(await history()).toEqual(before)
    expect(await rig.sweep()).toEqual([])
  },
)

describe('a number that somebody led to a workflow', () => {
  test.each(['PUT', 'theirs', 'merge', 'recovery'])('leads there in its record as well: %s', async (how) => {
    const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
    const number = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
    const path = `/phone-numbers/${number.id}`
    await rig.data('PUT', path, { voice_assistant_id: (await make('Ann')).assistant_id })
    const lead = (to: Body) =>
      rig.outside.phoneNumbers.update(String(number.voice_phone_number_id), { provider: 'twilio', ...to })
    for (const [workflowId, recorded] of [
      ['Flow', 'Flow'],
      ['Other', 'Other'],
      ['x'.repeat(256), 'Other'],
    ]) {
      await lead({ assistantId: null, workflowId })
      if (how === 'PUT') await rig.data('PUT', path, { name: 'Desk' })
      else if (how !== 'recovery') await rig.data('POST', `${path}/reconcile`, { keep: how })
      else {
        await markUnfinished(rig.app.database.db, { kind: 'phone_number', ref: String(number.phone_number) })
        await rig.settle()
      }
      expect(await rig.data('GET', path)).toMatchObject({ voice_workflow_id: recorded, voice_assistant_id: null })
      expect(await rig.outside.phoneNumbers.get(String(number.voice_phone_number_id))).toMatchObject({ workflowId })
      expect(await rig.sweep()).toEqual([])
    }
  })
})

describe('a webhook that somebody set on the platform where there was none', () => {
  const url = 'https://hooks.example/x'
  const ways = ['PUT', 'theirs', 'merge']
  const numberOf = async () => {
    const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
    return rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  }

  test.each(ways)('is the webhook of the assistant, with its settings there: %s', async (how) => {
    const record = await make('Ann')
    const path = `/assistants/${record.assistant_id}`
    const liveId = String(record.voice_assistant_id)
    const live = async () => (await rig.outside.assistants.get(liveId)).server
    await rig.outside.assistants.update(liveId, { server: { url, timeoutSeconds: 9 } })
    if (how !== 'PUT') await rig.data('POST', `${path}/reconcile`, { keep: how })
    for (const name of ['Bob', 'Cid']) {
      expect(await rig.data('PUT', path, { name })).toMatchObject({ webhook_url: url })
      expect(await live()).toEqual({ url, timeoutSeconds: 9 })
    }
    await rig.data('PUT', path, { name: 'Dan', metadata: { webhook_url: url } })
    expect(await live()).toEqual({ url, timeoutSeconds: 9 })
    await rig.data('PUT', path, { name: 'Dan', metadata: { webhook_url: null } })
    expect((await live()) ?? null).toBeNull()
    expect(await rig.sweep()).toEqual([])
  })

  test.each(ways)('is cleared by a save that says so, also where it is kept there alone: %s', async (how) => {
    const record = await make('Ann')
    const path = `/assistants/${record.assistant_id}`
    const liveId = String(record.voice_assistant_id)
    const server = { url, credentialId: crypto.randomUUID() }
    await rig.outside.assistants.update(liveId, { server })
    if (how !== 'PUT') await rig.data('POST', `${path}/reconcile`, { keep: how })
    expect(await rig.data('PUT', path, { name: 'Bob' })).toMatchObject({ webhook_url: null })
    expect((await rig.outside.assistants.get(liveId)).server).toEqual(server)
    await rig.data('PUT', path, { name: 'Bob', metadata: { webhook_url: null } })
    expect((await rig.outside.assistants.get(liveId)).server ?? null).toBeNull()
    expect(await rig.sweep()).toEqual([])
  })

  test('is cleared by a server_url of v2 as well (drift 10)', async () => {
    const operator = await rig.operator()
    const { id: base } = await rig.data('POST', '/admin/base-configs', { name: 'Base', config: {} }, operator)
    const record = await rig.data('POST', '/v2/assistants', { name: 'Ann', base_config_id: base })
    const liveId = String(record.voice_assistant_id)
    await rig.outside.assistants.update(liveId, { server: { url, credentialId: crypto.randomUUID() } })
    await rig.data('PUT', `/v2/assistants/${record.assistant_id}`, { name: 'Bob' })
    expect((await rig.outside.assistants.get(liveId)).server).toMatchObject({ url })
    await rig.data('PUT', `/v2/assistants/${record.assistant_id}`, { server_url: null })
    expect((await rig.outside.assistants.get(liveId)).server ?? null).toBeNull()
    expect(await rig.sweep()).toEqual([])
  })

  test.each(ways)('is the webhook of the number, without retries where it has none there: %s', async (how) => {
    const { id, voice_phone_number_id: liveId } = await numberOf()
    const path = `/phone-numbers/${id}`
    const live = async () => ((await rig.outside.phoneNumbers.get(String(liveId))) as unknown as Body).server
    await rig.outside.phoneNumbers.update(String(liveId), { provider: 'twilio', server: { url, timeoutSeconds: 9 } })
    if (how !== 'PUT') await rig.data('POST', `${path}/reconcile`, { keep: how })
    await rig.data('PUT', path, { name: 'Desk' })
    expect(await rig.data('GET', path)).toMatchObject({ server: { url, timeoutSeconds: 9 } })
    expect(await live()).toEqual({ url, timeoutSeconds: 9 })
    await rig.data('PUT', path, { server: null })
    expect((await live()) ?? null).toBeNull()
    expect(await rig.sweep()).toEqual([])
  })
})

test.each(['theirs', 'merge'])(
  'the destinations of a squad keep their type when its live object is taken on: %s',
  async (keep) => {
    const [ann, bob] = [await make('Ann'), await make('Bob')]
    const handsTo = { type: 'assistant', assistantName: 'Bob', assistantId: bob.assistant_id }
    const members = [
      { assistantId: ann.assistant_id, assistantDestinations: [handsTo] },
      { assistantId: bob.assistant_id },
    ]
    const draft = await rig.data('POST', '/squads', { name: 'Team', members })
    const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, {
      name: 'Team',
      members,
    })
    const [first, ...others] = (await rig.outside.squads.get(String(id))).members
    const said = { type: 'assistant', assistantName: 'Bob', message: 'One moment' }
    await rig.outside.squads.update(String(id), {
      members: [{ ...first, assistantDestinations: [said] }, ...others] as never,
    })
    const { members: taken } = await rig.data<{ members: Body[] }>('POST', `/squads/${id}/reconcile`, { keep })
    expect(taken[0]?.assistantDestinations).toEqual([{ ...handsTo, message: 'One moment' }])
    expect(await rig.sweep()).toEqual([])
  },
)
