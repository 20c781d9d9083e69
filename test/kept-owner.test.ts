import { beforeAll, describe, expect, test } from 'vitest'
import { createMirrorRig, createNetwork, type MirrorRig } from './mirror/rig.ts'
import { type Caller, caller } from './support/numbers/rig.ts'

let rig: MirrorRig
let me: Caller
let operator: Caller
let newHome: Caller

beforeAll(async () => {
  rig = await createMirrorRig({ network: createNetwork() })
  me = await caller(rig.app)
  newHome = await caller(rig.app)
  operator = await caller(rig.app, { role: 'admin' })
  return () => rig.stop()
})

/** What an owner made, which moved to another workspace afterwards. */
async function madeByOneWhoLeft() {
  const { workspaceId, resellerId } = me
  const owner = await caller(rig.app, { workspaceId, resellerId })
  const assistant = await owner.assistant('Desk')
  const squad = await owner.squad([(await owner.assistant('Member')).assistant_id])
  const body = { workspace_id: newHome.workspaceId, workspace_role: 'editor' }
  await operator.data(200, 'PATCH', `/admin/users/${owner.userId}`, body)
  return {
    owner,
    assistant: `/assistants/${assistant.assistant_id}`,
    squad: `/squads/${squad.external_squad_id}`,
  }
}

const admins = [
  { role: 'an operator', admin: () => operator },
  {
    role: 'the admin of its reseller',
    admin: () => caller(rig.app, { role: 'reseller_admin', resellerId: me.resellerId }),
  },
]

describe.each(admins)('what $role sends back as it was read stays in its workspace', ({ admin }) => {
  test.each(['', '/advanced'])('of an assistant, PUT%s', async (editor) => {
    const by = await admin()
    const { assistant, owner } = await madeByOneWhoLeft()
    const read = await by.data(200, 'GET', `${assistant}${editor}`)
    const whose = { user_id: owner.userId, workspace_id: me.workspaceId }
    expect(read).toMatchObject(whose)
    const log = await by.data(200, 'GET', `${assistant}/update-log`)
    expect(await by.data(200, 'PUT', `${assistant}${editor}`, read)).toMatchObject(whose)
    expect(await by.data(200, 'GET', `${assistant}/update-log`)).toEqual(log)
    const named = { name: 'Front desk', user_id: owner.userId }
    expect(await by.data(200, 'PUT', `${assistant}${editor}`, named)).toMatchObject({ ...whose, name: 'Front desk' })
  })

  test('of a squad', async () => {
    const by = await admin()
    const { squad, owner } = await madeByOneWhoLeft()
    const read = await by.data(200, 'GET', squad)
    expect(await by.data(200, 'PUT', squad, read)).toMatchObject({
      user_id: owner.userId,
      workspace_id: me.workspaceId,
    })
  })
})

test('an assistant that was given to a reseller stays there when it is sent back as it was read', async () => {
  const { resellerId } = newHome
  const { assistant_id: id } = await me.assistant('Desk')
  await operator.data(200, 'PUT', `/assistants/${id}/advanced`, { name: 'Desk', reseller_id: resellerId })
  const theirs = await caller(rig.app, { role: 'reseller_admin', resellerId })
  for (const by of [operator, theirs]) {
    const read = await by.data(200, 'GET', `/assistants/${id}`)
    expect(await by.data(200, 'PUT', `/assistants/${id}`, read)).toMatchObject({ reseller_id: String(resellerId) })
  }
})

test('an operator gives it to another owner in the new workspace', async () => {
  const { assistant } = await madeByOneWhoLeft()
  expect(await operator.data(200, 'PUT', assistant, { name: 'Desk', user_id: newHome.userId })).toMatchObject({
    user_id: newHome.userId,
    workspace_id: newHome.workspaceId,
  })
})
