import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, callerOf, operator, refusal, someEmail } from '../admin/caller.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'

let app: TestApp
let admin: Caller
let me: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
  me = callerOf(app, await newUser(app.database))
})

const tool = {
  label: 'Look up',
  description: 'Looks something up.',
  type: 'function',
  definition: { server: { url: 'https://member.example.com/orders' } },
}
const owned = (owner_id: unknown) => ({ ...tool, scope: 'own', owner_id })
const everybodys = { ...tool, scope: 'global', owner_id: null }

/** A member of my workspace, as the API makes one. */
const member = () =>
  admin.data('POST', '/admin/users', { name: 'Ada', email: someEmail(), workspace_id: me.workspaceId })
const toolOf = async (owner: unknown) => String((await admin.data('POST', '/admin/tools', owned(owner))).id)
const assistantWith = (toolId: string) => me.data('POST', '/assistants', { name: 'Desk', model: { toolIds: [toolId] } })
const elsewhere = async () => ({ workspace_id: (await newUser(app.database)).workspaceId })
const inUse = (field: string, user: string) => refusal(field, `The tool Look up is in use by the ${user}.`)

describe('a member whose tool an assistant of the workspace has', () => {
  test('moves once the tool is another member’s', async () => {
    const ada = await member()
    const id = await toolOf(ada.id)
    await assistantWith(id)
    const path = `/admin/users/${ada.id}`
    const target = await elsewhere()
    expect(await admin.send('PATCH', path, target)).toMatchObject(inUse('workspace_id', 'assistant Desk'))
    expect(await admin.data('GET', path)).toMatchObject({ workspace_id: me.workspaceId })
    expect((await admin.send('PATCH', path, { name: 'Ada L.', workspace_id: me.workspaceId })).status).toBe(200)

    expect((await admin.send('PUT', `/admin/tools/${id}`, owned(me.userId))).status).toBe(200)
    expect((await admin.send('PATCH', path, target)).body.data).toMatchObject(target)
  })

  test('moves once nothing has it', async () => {
    const ada = await member()
    const { assistant_id } = await assistantWith(await toolOf(ada.id))
    const path = `/admin/users/${ada.id}`
    const target = await elsewhere()
    await me.data('PUT', `/assistants/${assistant_id}`, { name: 'Desk', model: { toolIds: [] } })
    expect((await admin.send('PATCH', path, target)).body.data).toMatchObject(target)
  })

  test('stays also where a squad’s overrides name the tool', async () => {
    const ada = await member()
    const membersOverrides = { model: { toolIds: [(await toolOf(ada.id)).toUpperCase()] } }
    await me.data('POST', '/squads', { name: 'Team', members: [], membersOverrides })
    const moved = await admin.send('PATCH', `/admin/users/${ada.id}`, await elsewhere())
    expect(moved).toMatchObject(inUse('workspace_id', 'squad Team'))
  })
})

describe('a tool that an assistant has', () => {
  test('is given to nobody of another workspace', async () => {
    const id = await toolOf(me.userId)
    await assistantWith(id)
    const stranger = await newUser(app.database)
    const given = await admin.send('PUT', `/admin/tools/${id}`, owned(stranger.userId))
    expect(given).toMatchObject(inUse('owner_id', 'assistant Desk'))
    expect(await admin.data('GET', `/admin/tools/${id}`)).toMatchObject({ owner_id: me.userId })
  })

  test('and is everybody’s becomes the own one of nobody else', async () => {
    const { id } = await admin.data('POST', '/admin/tools', everybodys)
    await assistantWith(String(id))
    const path = `/admin/tools/${id}`
    const stranger = await newUser(app.database)
    expect(await admin.send('PUT', path, owned(stranger.userId))).toMatchObject(inUse('owner_id', 'assistant Desk'))
    expect((await admin.send('PUT', path, owned(me.userId))).status).toBe(200)
    expect((await admin.send('PUT', path, everybodys)).status).toBe(200)
  })
})

describe('a tool that is somebody’s own, for an operator who sees all', () => {
  test('does not come back to an assistant that has moved when an old version is restored', async () => {
    const id = await toolOf(me.userId)
    const { assistant_id } = await assistantWith(id)
    const path = `/assistants/${assistant_id}`
    const [version] = await me.data('GET', `${path}/update-log`)
    const other = callerOf(app, await newUser(app.database))
    await admin.data('PUT', path, { name: 'Moved', user_id: other.userId })
    const restored = await admin.send('POST', `${path}/update-log/${version.id}/restore`)
    expect(restored).toMatchObject({ status: 200, body: { left_out: [{ kind: 'tool', id }] } })
    const { voice_assistant_id: liveId } = await other.data('GET', path)
    expect((await app.services.platform.assistants.get(String(liveId))).model?.toolIds).toEqual([])
  })

  test('is not named by the overrides of a squad elsewhere', async () => {
    const toolIds = [await toolOf(me.userId)]
    const { userId } = await newUser(app.database)
    const body = { name: 'Team', members: [], membersOverrides: { model: { toolIds } } }
    const drafted = await admin.send('POST', '/squads', { ...body, user_id: userId })
    expect(drafted).toMatchObject({
      status: 422,
      body: { errors: { 'membersOverrides.model.toolIds.0': ['The selected tool does not exist.'] } },
    })
    expect((await admin.send('POST', '/squads', { ...body, user_id: me.userId })).status).toBe(201)
  })
})

test('the label of a tool is not told to another workspace by the history of an assistant that came from there', async () => {
  const id = await toolOf(me.userId)
  const { assistant_id } = await assistantWith(id)
  const path = `/assistants/${assistant_id}`
  const other = callerOf(app, await newUser(app.database))
  await admin.data('PUT', `/admin/tools/${id}`, { ...owned(me.userId), label: 'Before the move' })
  await admin.data('PUT', path, { name: 'Moved', user_id: other.userId })
  await admin.data('PUT', `/admin/tools/${id}`, { ...owned(me.userId), label: 'After the move' })
  const [moved, made] = await other.data('GET', `${path}/update-log`)
  const compared = await other.data('GET', `${path}/update-log/${made.id}/compare/${moved.id}`)
  const change = { path: 'model.toolIds', from: [id], from_name: [id] }
  expect([moved.changes, compared.changes]).toEqual(
    Array(2).fill(expect.arrayContaining([expect.objectContaining(change)])),
  )
  expect(JSON.stringify([moved, compared])).not.toMatch(/the move/)

  const mine = await assistantWith(id)
  const its = `/assistants/${mine.assistant_id}`
  await me.data('PUT', its, { name: 'Desk', model: { toolIds: [] } })
  const [detached] = await me.data('GET', `${its}/update-log`)
  expect(detached.changes).toMatchObject([{ path: 'model.toolIds', from_name: ['After the move'] }])
})
