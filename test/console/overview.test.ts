import { expect, test } from 'vitest'
import { embeddedEmbedderId } from '../../src/knowledge/embedder.ts'
import { newUser, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { addDeadDelivery } from '../support/rows/deliveries.ts'

test('GET /overview counts the workspace alone, with what happened today and what failed', async () => {
  const app = await testApp({ database: await testDatabase() })
  const user = await newUser(app.database)
  const stranger = await newUser(app.database)
  const overview = async (token: string) => (await (await app.send('GET', '/overview', { token })).json()).data
  const made = await app.send('POST', '/assistants', { token: user.token, body: { name: 'Front desk' } })
  const { data: assistant } = await made.json()
  await app.send('POST', `/assistants/${assistant.assistant_id}/test-calls`, { token: user.token, body: {} })
  const { data: agent } = await (
    await app.send('POST', '/agents', { token: user.token, body: { name: 'Guide' } })
  ).json()
  const { data: chat } = await (
    await app.send('POST', `/agents/${agent.id}/chats`, { token: user.token, body: {} })
  ).json()
  await app.send('POST', `/agents/${agent.id}/chats/${chat.id}/messages`, {
    token: user.token,
    body: { content: 'Hi' },
  })
  await addDeadDelivery(app.database, assistant)

  const own = await overview(user.token)
  expect(own.parts).toEqual({
    database: { kind: app.services.health.database, working: true },
    voice_platform: { kind: 'embedded', working: true },
    language_model: { kind: 'built-in', id: 'local-extractive', working: true },
    embedder: { kind: 'built-in', id: embeddedEmbedderId, working: true },
    carrier: { kind: 'embedded', working: true },
  })
  expect(own.counts).toEqual({ assistants: 1, phone_numbers: 0, squads: 0, agents: 1, users: 1 })
  expect(own.today).toEqual({ calls: 1, turns: 1, spent_usd: null, spent_tokens: null })
  expect(own.failures).toMatchObject([
    { assistant_id: assistant.assistant_id, assistant_name: 'Front desk', reason: 'The receiver answered 500.' },
  ])

  const others = await overview(stranger.token)
  expect(others.counts).toEqual({ assistants: 0, phone_numbers: 0, squads: 0, agents: 0, users: 1 })
  expect([others.today.calls, others.today.turns, others.failures]).toEqual([0, 0, []])
})
