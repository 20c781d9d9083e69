import { beforeAll, expect, test } from 'vitest'
import { type Feature, features, type TokenScope } from '../../src/accounts/account.ts'
import { embeddedEmbedderId } from '../../src/knowledge/embedder.ts'
import { newTokenFor, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { nextNumber } from '../support/numbers/numbers.ts'
import { changeUser, changeWorkspace } from '../support/rows/accounts.ts'
import { addDeadDelivery } from '../support/rows/deliveries.ts'

let app: TestApp
let user: TestUser
let assistant: { assistant_id: string; voice_assistant_id: string; workspace_id: number }
beforeAll(async () => {
  app = await testApp({ database: await testDatabase() })
  user = await newUser(app.database)
  const post = async (path: string, body: object = {}) => {
    const response = await app.send('POST', path, { token: user.token, body })
    const read = await response.json()
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(read)}`)
    return read.data
  }
  assistant = await post('/assistants', { name: 'Front desk' })
  await post(`/assistants/${assistant.assistant_id}/test-calls`)
  await post('/phone-numbers', { phone_number: nextNumber() })
  await post('/squads', { name: 'Team', members: [] })
  const agent = await post('/agents', { name: 'Guide' })
  const chat = await post(`/agents/${agent.id}/chats`)
  await post(`/agents/${agent.id}/chats/${chat.id}/messages`, { content: 'Hi' })
  await addDeadDelivery(app.database, assistant)
})

const overview = async (token: string) => (await (await app.send('GET', '/overview', { token })).json()).data

test('GET /overview counts the workspace alone, with what happened today and what failed', async () => {
  const stranger = await newUser(app.database)
  const own = await overview(user.token)
  expect(own.parts).toEqual({
    database: { kind: app.services.health.database, working: true },
    voice_platform: { kind: 'embedded', working: true },
    language_model: { kind: 'built-in', id: 'local-extractive', working: true },
    embedder: { kind: 'built-in', id: embeddedEmbedderId, working: true },
    carrier: { kind: 'embedded', working: true },
  })
  expect(own.counts).toEqual({ assistants: 1, phone_numbers: 1, squads: 1, agents: 1, users: 1 })
  expect(own.today).toEqual({ calls: 1, turns: 1, spent_usd: null, spent_tokens: null })
  expect(own.failures).toMatchObject([
    { assistant_id: assistant.assistant_id, assistant_name: 'Front desk', reason: 'The receiver answered 500.' },
  ])

  const others = await overview(stranger.token)
  expect(others.counts).toEqual({ assistants: 0, phone_numbers: 0, squads: 0, agents: 0, users: 1 })
  expect([others.today.calls, others.today.turns, others.failures]).toEqual([0, 0, []])
})

const nothing = {
  counts: { assistants: 0, phone_numbers: 0, squads: 0, agents: 0, users: 1 },
  today: { calls: null, turns: 0, spent_usd: null, spent_tokens: null },
  failures: [],
}
/** What the overview tells who may read these features. */
const told = (readable: readonly Feature[]) => {
  const has = (feature: Feature) => readable.includes(feature)
  const { counts, today } = nothing
  return {
    counts: {
      ...counts,
      ...(has('assistants') && { assistants: 1 }),
      ...(has('phone_numbers') && { phone_numbers: 1 }),
      ...(has('squads') && { squads: 1 }),
      ...(has('ai_chat') && { agents: 1 }),
    },
    today: {
      ...today,
      ...(has('assistants') && { calls: 1 }),
      ...(has('ai_chat') && { turns: 1, spent_usd: 0 }),
    },
    failures: has('assistants') ? [expect.objectContaining({ assistant_name: 'Front desk' })] : [],
  }
}

const readers: [string, { has?: Feature[]; scopes?: TokenScope[] }, readonly Feature[]][] = [
  ['a user of every feature', {}, features],
  ['a user without features', { has: [] }, []],
  ['a token for the account alone', { scopes: ['account:read'] }, []],
  ['a token that reads all', { scopes: ['read'] }, features],
  ['a token for a feature that its user has not', { has: ['squads'], scopes: ['read'] }, ['squads']],
  ...features.flatMap((feature): typeof readers => [
    [`a user of ${feature} alone`, { has: [feature] }, [feature]],
    [`a token that reads ${feature}`, { scopes: ['account:read', `${feature}:read`] }, [feature]],
  ]),
]

test.each(readers)('GET /overview tells %s what may be read', async (_who, { has = features, scopes }, readable) => {
  const { database, services } = app
  await changeWorkspace(database, user.workspaceId, { billing: 'usd' })
  await changeUser(database, user.userId, { features: [...has] })
  services.invalidateAccounts()
  const { parts, ...rest } = await overview(await newTokenFor(database, user.userId, undefined, scopes))
  expect(rest).toEqual(told(readable))
  expect(Object.keys(parts)).toHaveLength(5)
})
