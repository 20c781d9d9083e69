import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, caller } from '../support/numbers/rig.ts'
import { asAnotherProcess, createMirrorRig, createNetwork, type MirrorRig } from './rig.ts'

const network = createNetwork()
let one: MirrorRig
let other: MirrorRig
let me: Caller
let meElsewhere: Caller

beforeAll(async () => {
  const transport = { timeoutMs: 20_000 }
  one = await createMirrorRig({ network, transport })
  other = await createMirrorRig({ network, transport, database: asAnotherProcess(one.database) })
  me = await caller(one.app)
  meElsewhere = await caller(other.app, { workspaceId: me.workspaceId })
  return async () => {
    await other.stop()
    await one.stop()
  }
})
afterAll(async () => {
  expect(await one.settle()).toEqual([])
})

const toolsFor = (assistantId: string) => [{ type: 'handoff', destinations: [{ type: 'assistant', assistantId }] }]

/** A record that may name an assistant: the request that has it do so, and what it and its live object name. */
const records = [
  {
    record: 'an assistant',
    kind: 'assistant',
    async prepare() {
      const { assistant_id: id, voice_assistant_id: liveId } = await me.assistant('Desk')
      return {
        save: (tools?: object[]) => me.send('PUT', `/assistants/${id}`, { name: 'Front', model: tools && { tools } }),
        named: async () => (await one.app.services.platform.assistants.get(liveId)).model?.tools ?? [],
      }
    },
  },
  {
    record: 'a squad',
    kind: 'squad',
    async prepare() {
      const members = [{ assistantId: (await me.assistant()).assistant_id }]
      const { external_squad_id: id } = await me.squad(members.map(({ assistantId }) => assistantId))
      return {
        save: (tools?: object[]) =>
          me.send('PUT', `/squads/${id}`, {
            name: 'Crew',
            members,
            membersOverrides: tools && { 'tools:append': tools },
          }),
        named: async () => {
          const { membersOverrides } = await one.app.services.platform.squads.get(id)
          return (membersOverrides as { 'tools:append'?: object[] })['tools:append'] ?? []
        },
      }
    },
  },
]

/** An assistant that is made again while the platform is told of a save. */
async function whileTold(save: (liveId: string) => Promise<Response>, before?: (liveId: string) => Promise<Response>) {
  const { assistant_id: id, voice_assistant_id: liveId } = await me.assistant()
  if (before) expect((await before(liveId)).status).toBe(200)
  const telling = network.hold('PATCH')
  const saving = save(liveId)
  await telling.sent
  await one.app.services.platform.assistants.delete(liveId)
  await meElsewhere.data(200, 'POST', `/assistants/${id}/reconcile`, { keep: 'ours' })
  const again: { voice_assistant_id?: string } = await me.data(200, 'GET', `/assistants/${id}`)
  await telling.arrive()
  const response = await saving
  const body = await response.json()
  return { status: response.status, body, tools: toolsFor(String(again.voice_assistant_id)) }
}

test.each(records)(
  '$record does not name an assistant that was made again while the platform was told',
  async ({ prepare }) => {
    const { save, named } = await prepare()
    const { status, body } = await whileTold((liveId) => save(toolsFor(liveId)))
    expect({ status, body }).toMatchObject({ status: 422, body: { message: 'The selected assistant does not exist.' } })
    expect(await one.settle()).toEqual([])
    expect(await named()).toEqual([])
  },
)

test.each(records)('$record that named it before is not saved over its new id', async ({ prepare, kind }) => {
  const { save, named } = await prepare()
  const { status, body, tools } = await whileTold(
    () => save(),
    (liveId) => save(toolsFor(liveId)),
  )
  const message = `Other changes of this ${kind} are still under way. Please try again.`
  expect({ status, body }).toEqual({ status: 409, body: { success: false, message } })
  expect(await one.settle()).toEqual([])
  expect(await named()).toMatchObject(tools)
  expect((await save()).status).toBe(200)
  expect(await named()).toMatchObject(tools)
})
