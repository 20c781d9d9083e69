import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from './support/app.ts'
import { type Client, newClient } from './support/client.ts'
import { caller } from './support/numbers/rig.ts'
import { newWidget } from './widget/rig.ts'

let app: TestApp
let operator: Client
let agent: string
beforeAll(async () => {
  app = await testApp({ remember: false })
  operator = await newClient(app, { role: 'admin' })
  agent = `/agents/${(await operator.data('POST', '/agents', { name: 'Desk' })).id}`
})

const file = () => {
  const form = new FormData()
  form.set('file', new File(['We deliver on Mondays.'], 'hours.txt'))
  return form
}
const make = async (path: string, id: string, body: unknown) =>
  `${path}/${(await operator.data('POST', path, body))[id]}`

async function publishedSquad(): Promise<string> {
  const member = await operator.data('POST', '/assistants', { name: 'Member' })
  const path = await make('/squads', 'external_squad_id', { name: 'Desk' })
  const members = [{ assistantId: member.assistant_id }]
  return `/squads/${(await operator.data('PUT', path, { name: 'Desk', members })).external_squad_id}`
}

async function conversation(): Promise<string> {
  const widget = await newWidget(app)
  await app.send('POST', `/widget/${await widget.key()}/chat`, { body: { message: 'Hello' } })
  const path = `/assistants/${widget.assistantId}/conversations`
  return `${path}/${(await operator.data('GET', path))[0].id}`
}

const kinds: [name: string, make: () => Promise<string>, notFound: string][] = [
  ['an agent', () => make('/agents', 'id', { name: 'Desk' }), 'Agent not found.'],
  ['a chat', () => make(`${agent}/chats`, 'id', {}), 'Chat not found.'],
  ['a file', () => make(`${agent}/files`, 'id', file()), 'File not found.'],
  [
    'a connector',
    () => make('/connectors', 'uid', { name: 'Tools', server_url: 'https://tools.example/mcp' }),
    'Connector not found.',
  ],
  ['an assistant', () => make('/assistants', 'assistant_id', { name: 'Desk' }), 'Assistant not found'],
  ['a squad', () => make('/squads', 'external_squad_id', { name: 'Desk' }), 'Squad not found'],
  ['a published squad', publishedSquad, 'Squad not found'],
  ["a visitor's conversation", conversation, 'Conversation not found'],
  [
    'a phone number',
    async () => `/phone-numbers/${(await (await caller(app)).number()).phone_number}`,
    'Phone number configuration not found.',
  ],
  [
    'an entry of the catalogue',
    () => make('/admin/personalities', 'id', { key: crypto.randomUUID(), name: 'Calm', voice: {} }),
    'Catalogue entry not found',
  ],
]

test.each(kinds)('of two deletes of %s at once one is 404', async (_name, made, message) => {
  for (const headers of [undefined, { 'if-match': '*' }]) {
    const path = await made()
    const both = await Promise.all([1, 2].map(() => operator.send('DELETE', path, undefined, headers)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(both.find(({ status }) => status === 404)?.body).toMatchObject({ message })
  }
})
