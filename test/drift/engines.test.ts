import { beforeEach, describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
let viewer: string
let operator: string
beforeEach(async () => {
  rig = await createDriftRig()
  const { workspaceId } = rig.user
  viewer = (await newUser(rig.app.database, { workspaceId, workspaceRole: 'viewer' })).token
  operator = await rig.operator()
  return () => rig.stop()
})

interface Entry {
  difference: string
  leaves: { path: string; [side: string]: unknown }[]
}

const drift = (token: string, state = 'open') => rig.data<Entry[]>('GET', `/drift?state=${state}`, undefined, token)
const pathsIn = (entries: Entry[]) => entries.map(({ leaves }) => leaves.map(({ path }) => path).sort())
const update = (record: Body, body: Body) =>
  rig.outside.assistants.update(String(record.voice_assistant_id), body as never)

describe('which engine an assistant has', () => {
  const changed = async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann' })
    const { model } = await rig.outside.assistants.get(String(record.voice_assistant_id))
    await update(record, {
      model: { ...model, provider: 'anthropic', model: 'claude-3-5-sonnet-20241022' },
      voice: { provider: '11labs', voiceId: 'sarah' },
      transcriber: { provider: 'gladia' },
    })
    await rig.sweep()
    return record
  }
  const engines = ['model.model', 'model.provider']

  test('is left out of drift, open and resolved, but for operators', async () => {
    const record = await changed()
    for (const token of [viewer, rig.user.token]) {
      const entries = await drift(token)
      expect(JSON.stringify(entries)).not.toMatch(/claude|anthropic|vapi|11labs|gladia|gpt/)
      expect(JSON.stringify(entries)).toContain('sarah')
    }
    const seen = await drift(operator)
    expect(pathsIn(seen).flat()).toEqual(expect.arrayContaining(engines))
    expect(JSON.stringify(seen)).toContain('claude')
    await rig.data('POST', `/assistants/${record.assistant_id}/reconcile`, { keep: 'ours' })
    const resolved = await drift(viewer, 'resolved')
    expect(resolved).toMatchObject([{ difference: 'changed', resolution: 'kept_ours' }])
    expect(JSON.stringify(resolved)).not.toMatch(/claude|anthropic|vapi|11labs|gladia|gpt/)
    expect(pathsIn(await drift(operator, 'resolved')).flat()).toEqual(expect.arrayContaining(engines))
  })

  test('is still an entry where nothing else differs', async () => {
    const record = await rig.data('POST', '/assistants', { name: 'Ann' })
    const { model } = await rig.outside.assistants.get(String(record.voice_assistant_id))
    await update(record, { model: { ...model, model: 'gpt-4.1-mini' } })
    await rig.sweep()
    expect(await drift(viewer)).toMatchObject([{ difference: 'changed', resource: record.assistant_id, leaves: [] }])
    expect(pathsIn(await drift(operator))).toEqual([['model.model']])
  })
})

test('which engines the overrides of a squad name is left out as well', async () => {
  const ann = await rig.data('POST', '/assistants', { name: 'Ann' })
  const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
  const members = [{ assistantId: ann.assistant_id }]
  const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, {
    name: 'Team',
    members,
  })
  const live = await rig.outside.squads.get(String(id))
  const voice = {
    provider: '11labs',
    voiceId: 'sarah',
    fallbackPlan: { voices: [{ provider: 'azure', voiceId: 'emma' }] },
  }
  const own = { ...live.members[0], assistantOverrides: { transcriber: { provider: 'gladia' } } }
  const membersOverrides = { ...live.membersOverrides, voice }
  await rig.outside.squads.update(String(id), { name: 'Team', members: [own], membersOverrides } as never)
  await rig.sweep()
  const entries = await drift(viewer)
  expect(entries).toMatchObject([{ kind: 'squad', difference: 'changed' }])
  expect(JSON.stringify(entries)).toMatch(/sarah.*emma/)
  expect(JSON.stringify(entries)).not.toMatch(/vapi|11labs|azure|gladia|transcriber/)
  expect(JSON.stringify(await drift(operator))).toMatch(/gladia/)
})
