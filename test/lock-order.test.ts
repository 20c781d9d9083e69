import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, callerOf, operator, someEmail } from './admin/caller.ts'
import { newUser, type TestApp, testApp } from './support/app.ts'
import { newDatabase } from './support/database.ts'

/** What everybody takes in this order. */
const ranks = new Map(['users', 'assistants', 'workspaces', 'tools'].map((table, rank) => [table, rank]))

let app: TestApp
let admin: Caller
let me: Caller
let stranger: Caller
let statements: string[] = []
beforeAll(async () => {
  const database = await newDatabase({ onQuery: (statement) => void statements.push(statement.trim()) })
  app = await testApp({ database })
  admin = await operator(app)
  me = callerOf(app, await newUser(app.database))
  stranger = callerOf(app, await newUser(app.database))
  return () => database.close()
})

/** The tables that each transaction locked rows of, in the order in which it began to. */
function locked(): string[][] {
  const found: string[][] = []
  for (const statement of statements) {
    if (/^begin/i.test(statement)) found.push([])
    const [, table = ''] = /from "(\w+)".* for (?:no key |key )?(?:update|share)/s.exec(statement) ?? []
    if (ranks.has(table) && !found.at(-1)?.includes(table)) found.at(-1)?.push(table)
  }
  return found.filter((tables) => tables.length > 0)
}

const orderOf = (tables: string[]) => tables.toSorted((one, other) => Number(ranks.get(one)) - Number(ranks.get(other)))

const tool = (owner_id: unknown, definition: object | null = null) => ({
  label: 'Pass on',
  description: 'Passes the call on.',
  type: 'handoff',
  scope: 'own',
  owner_id,
  definition,
})
const to = (assistantId: unknown) => ({ destinations: [{ type: 'assistant', assistantId }] })
const makeTool = async (body: object) => String((await admin.data('POST', '/admin/tools', body)).id)
const desk = (of: Caller, name = 'Desk') => of.data('POST', '/assistants', { name })
const member = () =>
  admin.data('POST', '/admin/users', { name: 'Ada', email: someEmail(), workspace_id: me.workspaceId })

type Send = () => Promise<{ status: number }>
const cases: { what: string; order: string[]; prepare(): Promise<Send> }[] = [
  {
    what: 'a tool that is to name an assistant',
    order: ['users', 'workspaces', 'tools'],
    async prepare() {
      const id = await makeTool(tool(me.userId))
      const { voice_assistant_id } = await desk(me)
      return () => admin.send('PUT', `/admin/tools/${id}`, tool(me.userId, to(voice_assistant_id)))
    },
  },
  {
    what: 'an assistant that is to name an assistant and a tool',
    order: ['assistants', 'workspaces', 'tools'],
    async prepare() {
      const id = await makeTool(tool(me.userId))
      const [{ voice_assistant_id }, { assistant_id }] = [await desk(me), await desk(me)]
      const tools = [{ type: 'handoff', ...to(voice_assistant_id) }]
      return () => me.send('PUT', `/assistants/${assistant_id}`, { name: 'Desk', model: { toolIds: [id], tools } })
    },
  },
  {
    what: 'a member that is renamed, which an own tool names, and is to name an assistant',
    order: ['assistants', 'workspaces', 'tools'],
    async prepare() {
      const [ann, bob, eve] = [await desk(me, 'Ann'), await desk(me, 'Bob'), await desk(me, 'Eve')]
      const id = await makeTool(tool(me.userId, { destinations: [{ type: 'assistant', assistantName: 'Bob' }] }))
      await me.data('PUT', `/assistants/${ann.assistant_id}`, { name: 'Ann', model: { toolIds: [id] } })
      const members = [ann, bob].map(({ assistant_id }) => ({ assistantId: assistant_id }))
      const { external_squad_id } = await me.data('POST', '/squads', { name: 'Day', members })
      await me.data('PUT', `/squads/${external_squad_id}`, { name: 'Day', members })
      const tools = [{ type: 'handoff', ...to(eve.voice_assistant_id) }]
      return () => me.send('PUT', `/assistants/${bob.assistant_id}`, { name: 'Robert', model: { tools } })
    },
  },
  {
    what: 'an assistant that moves and is to name a tool',
    order: ['assistants', 'workspaces', 'tools'],
    async prepare() {
      const id = await makeTool(tool(stranger.userId))
      const { assistant_id } = await desk(me)
      const body = { name: 'Desk', user_id: stranger.userId, model: { toolIds: [id] } }
      return () => admin.send('PUT', `/assistants/${assistant_id}`, body)
    },
  },
  {
    what: 'a user who moves with a tool that names another',
    order: ['users', 'workspaces', 'tools'],
    async prepare() {
      const { id } = await member()
      const named = await makeTool(tool(id))
      const overrides = { assistantName: 'Desk', assistantOverrides: { model: { toolIds: [named] } } }
      await makeTool(tool(id, { destinations: [{ type: 'assistant', ...overrides }] }))
      return () => admin.send('PATCH', `/admin/users/${id}`, { workspace_id: stranger.workspaceId })
    },
  },
]

describe.each(cases)('$what', ({ order, prepare }) => {
  test('takes users, assistants, workspaces and tools in one order', async () => {
    const send = await prepare()
    statements = []
    expect((await send()).status).toBe(200)
    const taken = locked()
    expect(taken).toContainEqual(order)
    expect(taken).toEqual(taken.map(orderOf))
  })
})
