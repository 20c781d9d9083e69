import { beforeAll, expect, test } from 'vitest'
import { newTokenFor, newUser, type TestApp, testApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'

let app: TestApp
let me: Caller
beforeAll(async () => {
  app = await testApp()
  me = await caller(app)
})

const server = (secret: string) => ({
  url: 'https://hooks.example.com/line',
  timeoutSeconds: 5,
  secret,
  headers: { 'X-Place': `${secret} of the desk` },
})
const tool = (secret: string) => ({ type: 'function', function: { name: 'look_up' }, server: server(secret) })

/** What each place of a squad's overrides that may hold one is told. */
const secrets = ['member-server', 'member-tool', 'squad-server', 'squad-tool']
const [memberServer, memberTool, squadServer, squadTool] = secrets.map((name) => `${name}-secret`)

const draft = async () => {
  const { assistant_id } = await me.assistant()
  const body = {
    name: 'Desk',
    members: [
      {
        assistantId: assistant_id,
        assistantOverrides: {
          firstMessage: 'Hello',
          server: server(String(memberServer)),
          model: { tools: [tool(String(memberTool))] },
        },
      },
    ],
    membersOverrides: { server: server(String(squadServer)), 'tools:append': [tool(String(squadTool))] },
  }
  const made = await me.data(201, 'POST', '/squads', body)
  return { body, made, path: `/squads/${made.external_squad_id}` }
}

test('the secrets in a squad are seen by who may publish it', async () => {
  const { body, made, path } = await draft()
  expect(made).toMatchObject({ members: body.members, members_overrides: body.membersOverrides })
  expect(await me.data(200, 'GET', path)).toEqual(made)
  const editor = await newUser(app.database, { workspaceId: me.workspaceId, workspaceRole: 'editor' })
  expect((await clientOf(app, editor.token).send('GET', path)).body.data).toEqual(made)
})

test('a viewer and a token that only reads see the rest of it', async () => {
  const { body, path } = await draft()
  const viewer = await newUser(app.database, { workspaceId: me.workspaceId, workspaceRole: 'viewer' })
  const reading = await newTokenFor(app.database, me.userId, undefined, ['squads:read'])
  const mask = '••••'
  const masked = {
    url: 'https://hooks.example.com/line',
    timeoutSeconds: 5,
    secret: mask,
    headers: { 'X-Place': mask },
  }
  const maskedTool = { type: 'function', function: { name: 'look_up' }, server: masked }
  const seen = {
    name: 'Desk',
    members: [
      {
        assistantId: body.members[0]?.assistantId,
        assistantOverrides: { firstMessage: 'Hello', server: masked, model: { tools: [maskedTool] } },
      },
    ],
    members_overrides: { server: masked, 'tools:append': [maskedTool] },
  }
  for (const token of [viewer.token, reading]) {
    const reader = clientOf(app, token)
    const one = await reader.send('GET', path)
    const listed = await reader.send('GET', '/squads')
    expect(one).toMatchObject({ status: 200, body: { data: seen } })
    expect(listed.body.data).toContainEqual(one.body.data)
    for (const { body } of [one, listed]) expect(JSON.stringify(body)).not.toMatch(/-secret/)
  }
})
