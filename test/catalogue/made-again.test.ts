import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { orderTool } from './order-tool.ts'

let rig: DriftRig
let token: string
beforeEach(async () => {
  rig = await createDriftRig()
  token = await rig.operator()
  return () => rig.stop()
})

const asOperator = <T = Body>(method: string, path: string, body?: object) => rig.data<T>(method, path, body, token)
const withTool = (id: unknown) => ({ model: { provider: 'openai', model: 'gpt-4o', toolIds: [id] } })
const pathOf = (assistant: Body) => `/assistants/${assistant.assistant_id}`

/** Everything that can name a tool. */
async function naming(id: unknown) {
  const base = await asOperator('POST', '/admin/base-configs', { name: 'Plain', config: withTool(id) })
  const preset = { key: crypto.randomUUID(), name: 'Calm', overrides: withTool(id) }
  const { id: presetId } = await asOperator('POST', '/admin/layer2-presets', preset)
  const assistant = await rig.data('POST', '/assistants', { name: 'Ann', model: { toolIds: [id] } })
  const members = [{ assistantId: assistant.assistant_id, assistantOverrides: withTool(id) }]
  const draft = await rig.data('POST', '/squads', { name: 'Draft', members })
  const { external_squad_id: other } = await rig.data('POST', '/squads', { name: 'Team', members })
  const squad = await rig.data('PUT', `/squads/${other}`, { name: 'Team', members })
  return { base, presetId, assistant, draft, squad }
}

/** That all of it names this tool, and nothing else, on both sides. */
async function expectNamed(id: unknown, all: Awaited<ReturnType<typeof naming>>) {
  const { base, presetId, assistant, draft, squad } = all
  const { model } = withTool(id)
  expect(await asOperator('GET', `/admin/base-configs/${base.id}`)).toMatchObject({ config: { model } })
  expect(await asOperator('GET', `/admin/layer2-presets/${presetId}`)).toMatchObject({ overrides: { model } })
  expect(await rig.data('GET', pathOf(assistant))).toMatchObject({ model: { toolIds: [id] } })
  const live = await rig.outside.assistants.get(String(assistant.voice_assistant_id))
  expect(live.model?.toolIds).toEqual([id])
  const members = [{ assistantOverrides: { model } }]
  for (const one of [draft, squad]) {
    expect(await rig.data('GET', `/squads/${one.external_squad_id}`)).toMatchObject({ members })
  }
  expect(await rig.outside.squads.get(String(squad.external_squad_id))).toMatchObject({ members })
}

/** The one tool of the catalogue that this test made. */
async function found() {
  const all = await asOperator<Body[]>('GET', '/admin/tools?per_page=100')
  return all.find(({ label }) => label === orderTool.label)
}

describe.each([false, true])('a tool in use that is made again (locked: %s)', (locked) => {
  const make = () => asOperator('POST', '/admin/tools', { ...orderTool, locked })

  test('after a delete that failed and was carried out late: what was saved with it meanwhile follows', async () => {
    const { id } = await make()
    rig.platform.faults.add({ method: 'DELETE', path: /^\/tool\//, mode: 'status', status: 502, times: 3 })
    expect((await rig.send('DELETE', `/admin/tools/${id}`, undefined, token)).status).toBe(502)
    rig.platform.faults.clear()
    const all = await naming(id)
    await rig.outside.tools.delete(String(id))
    await rig.settle()
    const again = await found()
    expect(again?.id).not.toBe(id)
    await rig.settle()
    await expectNamed(again?.id, all)
    // The id that its caller knows goes on finding it.
    expect(await asOperator('GET', `/admin/tools/${id}`)).toMatchObject({ id: again?.id })
    expect(await asOperator('PUT', `/admin/tools/${id}`, { ...orderTool, locked })).toMatchObject({ id: again?.id })
    expect((await rig.send('DELETE', `/admin/tools/${id}`, undefined, token)).status).toBe(409)
    expect(await rig.sweep()).toEqual([])
  })

  test('by a save, after the platform lost it', async () => {
    const { id } = await make()
    const all = await naming(id)
    await rig.data('PUT', pathOf(all.assistant), { name: 'Bob' })
    await rig.outside.tools.delete(String(id))
    const saved = await asOperator('PUT', `/admin/tools/${id}`, { ...orderTool, locked, description: 'Looks it up.' })
    expect(saved.id).not.toBe(id)
    expect(await rig.outside.tools.get(String(saved.id))).toMatchObject({ function: { description: 'Looks it up.' } })
    await rig.settle()
    await expectNamed(saved.id, all)
    // A save of each goes on, and so does the way back.
    const { assistant, squad } = all
    const { members } = await rig.data('GET', `/squads/${squad.external_squad_id}`)
    await rig.data('PUT', `/squads/${squad.external_squad_id}`, { name: 'Crew', members })
    await rig.data('PUT', pathOf(assistant), { name: 'Eve', model: { toolIds: [saved.id] } })
    const versions = await rig.data<Body[]>('GET', `${pathOf(assistant)}/update-log`)
    await rig.data('POST', `${pathOf(assistant)}/update-log/${versions.at(-1)?.id}/restore`)
    await rig.settle()
    await expectNamed(saved.id, all)
    expect(await rig.sweep()).toEqual([])
  })
})

test('a tool that the platform lost stays as it is while that does not make it again', async () => {
  const { id } = await asOperator('POST', '/admin/tools', orderTool)
  await rig.outside.tools.delete(String(id))
  rig.platform.faults.add({ method: 'POST', path: /^\/tool$/, mode: 'refuse', times: 3 })
  const refused = await rig.send('PUT', `/admin/tools/${id}`, { ...orderTool, description: 'Other' }, token)
  expect(refused.status).toBe(502)
  rig.platform.faults.clear()
  expect(await asOperator('GET', `/admin/tools/${id}`)).toMatchObject({ description: orderTool.description })
})
