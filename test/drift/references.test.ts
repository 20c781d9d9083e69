import { beforeEach, describe, expect, test } from 'vitest'
import { markUnfinished } from '../../src/voice-platform/mirror/journal/mark.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string, body: Body = {}) => rig.data('POST', '/assistants', { name, ...body })
const live = async (record: Body) =>
  (await rig.outside.assistants.get(String(record.voice_assistant_id))) as unknown as Body
const modelOf = (record: Body) => record.model as Body

/** A tool of the catalogue that everyone may attach. */
async function tool(label: string) {
  const entry = { label, description: 'Looks it up.', type: 'function', scope: 'global' }
  return String((await rig.data('POST', '/admin/tools', entry, await rig.operator())).id)
}

describe('an assistant to which somebody attached tools outside', () => {
  const attach = async (record: Body, toolIds: string[]) => {
    const { model } = await live(record)
    await rig.outside.assistants.update(String(record.voice_assistant_id), {
      model: { ...(model as Body), toolIds },
    } as never)
  }

  test('takes on those that it may have, and names no other', async () => {
    const mine = await tool('mine')
    const { id: unknown } = await rig.outside.tools.create({ type: 'function', function: { name: 'unknown' } } as never)
    const record = await make('Ann')
    await attach(record, [mine])
    const path = `/assistants/${record.assistant_id}`
    const taken = await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })
    expect(modelOf(taken).toolIds).toEqual([mine])
    await attach(record, [mine, unknown])
    await rig.outside.assistants.update(String(record.voice_assistant_id), { firstMessage: 'Hello' })
    const kept = await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })
    expect(kept).toMatchObject({ first_message: 'Hello' })
    const both = [mine, unknown]
    expect((await rig.data<Body[]>('GET', `${path}/update-log`))[0]).toMatchObject({
      source: 'platform',
      changes: [{ path: 'firstMessage' }],
    })
    expect(modelOf(await rig.data('PUT', path, { name: 'Bob' })).toolIds).toEqual(both)
    expect(await live(record)).toMatchObject({ name: 'Bob', model: { toolIds: both } })
    for (const toolIds of [both, [mine]]) {
      expect(modelOf(await rig.data('PUT', path, { name: 'Bob', model: { toolIds } })).toolIds).toEqual(toolIds)
      expect(modelOf(await live(record)).toolIds).toEqual(toolIds)
    }
    expect((await rig.send('PUT', path, { name: 'Bob', model: { toolIds: both } })).status).toBe(422)
    expect(await rig.sweep()).toEqual([])
  })
})

describe('an assistant from which somebody took a locked tool outside', () => {
  const detached = async (others: string[]) => {
    const entry = { label: 'Locked', description: 'Stays.', type: 'function', scope: 'global', locked: true }
    const locked = String((await rig.data('POST', '/admin/tools', entry, await rig.operator())).id)
    const record = await make('Ann', { model: { toolIds: [locked] } })
    const { model } = await live(record)
    const toolIds = { model: { ...(model as Body), toolIds: others } }
    await rig.outside.assistants.update(String(record.voice_assistant_id), toolIds as never)
    return { locked, record, path: `/assistants/${record.assistant_id}` }
  }

  test.each([
    ['a save', 'PUT', '', { name: 'Bob' }, 'adopted'],
    ['theirs', 'POST', '/reconcile', { keep: 'theirs' }, 'kept_theirs'],
    ['both', 'POST', '/reconcile', { keep: 'merge' }, 'merged'],
    ['ours', 'POST', '/reconcile', { keep: 'ours' }, 'kept_ours'],
  ])('has it on both sides again after %s', async (_what, method, at, body, resolution) => {
    const { locked, record, path } = await detached([])
    expect(modelOf(await rig.data(method, `${path}${at}`, body)).toolIds).toEqual([locked])
    expect(modelOf(await live(record)).toolIds).toEqual([locked])
    expect(await rig.data('GET', '/drift?state=resolved')).toMatchObject([{ resolution }])
    expect(await rig.sweep()).toEqual([])
  })

  test('has it on both sides again after recovery', async () => {
    const { locked, record } = await detached([])
    await markUnfinished(rig.app.database.db, { kind: 'assistant', ref: String(record.assistant_id) })
    await rig.settle()
    expect(modelOf(await rig.data('GET', `/assistants/${record.assistant_id}`)).toolIds).toEqual([locked])
    expect(modelOf(await live(record)).toolIds).toEqual([locked])
    expect(await rig.sweep()).toEqual([])
  })

  test('has it beside the tool that was attached in its place', async () => {
    const mine = await tool('mine')
    const { locked, record, path } = await detached([mine])
    const taken = await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })
    expect(modelOf(taken).toolIds).toEqual([locked, mine])
    expect(modelOf(await live(record)).toolIds).toEqual([locked, mine])
    expect(modelOf(await rig.data('PUT', path, { name: 'Bob' })).toolIds).toEqual([locked, mine])
    expect(await rig.sweep()).toEqual([])
  })
})

describe('a squad to which somebody added members outside', () => {
  test('takes on assistants of its workspace alone', async () => {
    const [ann, bob] = [await make('Ann'), await make('Bob')]
    const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
    const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
    const path = `/squads/${draft.external_squad_id}`
    const squad = await rig.data('PUT', path, { name: 'Team', members: [{ assistantId: ann.assistant_id }] })
    const liveId = String(squad.external_squad_id)
    const become = async (...ids: unknown[]) => {
      const members = ids.map((assistantId) => ({ assistantId }))
      await rig.outside.squads.update(liveId, { name: 'Crew', members } as never)
      return rig.data('POST', `/squads/${liveId}/reconcile`, { keep: 'theirs' })
    }
    const both = [ann.voice_assistant_id, bob.voice_assistant_id]
    expect((await become(...both)).members).toEqual([
      { assistantId: ann.assistant_id },
      { assistantId: bob.assistant_id },
    ])
    const kept = await become(...both, stranger.id)
    expect(kept).toMatchObject({ name: 'Crew', memberCount: 2 })
    expect((await rig.outside.squads.get(liveId)).members).toHaveLength(3)
    expect(await rig.sweep()).toEqual([])
  })

  test.each(['PUT', 'first PUT', 'ours', 'recovery', 'made again'])(
    'drops one that the platform lost since: %s',
    async (how) => {
      const ann = await make('Ann')
      const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
      const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
      const body = { name: 'Team', members: [{ assistantId: ann.assistant_id }] }
      const squad = await rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
      const liveId = String(squad.external_squad_id)
      const own = { assistant: { name: 'Only here', model: { provider: 'openai', model: 'gpt-4o' } } }
      const members = [{ assistantId: ann.voice_assistant_id }, { assistantId: stranger.id }, own]
      await rig.outside.squads.update(liveId, { members } as never)
      if (how !== 'first PUT') await rig.data('PUT', `/squads/${liveId}`, { ...body, name: 'Crew' })
      const membersOf = async (id: string) => {
        const { name, members } = await rig.outside.squads.get(id)
        return [name, members.map(({ assistantId }) => assistantId)]
      }
      expect(await membersOf(liveId)).toEqual([
        how === 'first PUT' ? 'Team' : 'Crew',
        [ann.voice_assistant_id, stranger.id, undefined],
      ])
      await rig.outside.assistants.delete(stranger.id)
      if (how.endsWith('PUT')) await rig.data('PUT', `/squads/${liveId}`, body)
      else if (how === 'ours') await rig.data('POST', `/squads/${liveId}/reconcile`, { keep: 'ours' })
      else if (how === 'made again') {
        await rig.outside.squads.delete(liveId)
        await rig.data('POST', `/squads/${liveId}/reconcile`, { keep: 'ours' })
      } else {
        rig.platform.faults.add({ method: 'PATCH', mode: 'drop_before', times: 4 })
        expect((await rig.send('PUT', `/squads/${liveId}`, body)).status).toBe(502)
        await rig.settle()
      }
      const { external_squad_id: id, name } = await rig.data('GET', `/squads/${liveId}`)
      expect(await membersOf(String(id))).toEqual([name, [ann.voice_assistant_id, undefined]])
      await rig.data('PUT', `/squads/${id}`, { ...body, name: 'Desk' })
      expect(await membersOf(String(id))).toEqual(['Desk', [ann.voice_assistant_id, undefined]])
      expect(await rig.sweep()).toEqual([])
    },
  )

  test('leaves a member that only the squad itself has where it is', async () => {
    const ann = await make('Ann')
    const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
    const members = [{ assistantId: ann.assistant_id }]
    const squad = await rig.data('PUT', `/squads/${draft.external_squad_id}`, { name: 'Team', members })
    const liveId = String(squad.external_squad_id)
    const own = { assistant: { name: 'Only here', model: { provider: 'openai', model: 'gpt-4o' } } }
    await rig.outside.squads.update(liveId, { members: [{ assistantId: ann.voice_assistant_id }, own] } as never)
    expect(await rig.data('POST', `/squads/${liveId}/reconcile`, { keep: 'theirs' })).toMatchObject({ memberCount: 1 })
    expect((await rig.outside.squads.get(liveId)).members).toHaveLength(2)
  })
})

test('an assistant that another one names since a change outside does not move to another workspace', async () => {
  const [named, desk] = [await make('Named'), await make('Desk')]
  const tools = [{ type: 'handoff', destinations: [{ type: 'assistant', assistantId: named.voice_assistant_id }] }]
  const model = { ...modelOf(await live(desk)), tools }
  await rig.outside.assistants.update(String(desk.voice_assistant_id), { model } as never)
  await rig.data('POST', `/assistants/${desk.assistant_id}/reconcile`, { keep: 'theirs' })
  const email = `someone-${crypto.randomUUID()}@example.com`
  const operator = await rig.operator()
  const { id: user_id } = await rig.data('POST', '/admin/users', { name: 'Ada', email }, operator)
  const moved = await rig.send('PUT', `/assistants/${named.assistant_id}`, { name: 'Named', user_id }, operator)
  expect(moved).toMatchObject({
    status: 409,
    body: { message: 'This assistant is named by the assistant "Desk". Take it out of there first.' },
  })
})
