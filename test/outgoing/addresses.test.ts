import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { nextNumber } from '../support/numbers/numbers.ts'

let app: TestApp
let me: Client
beforeAll(async () => {
  app = await testApp()
  me = await newClient(app)
})

const addresses = [
  'https://x.example/\r\nfoo',
  'https://x.exa\nmple/',
  'https://x.example/\tfoo',
  '\thttps://x.example/',
  'https://x.example/ ',
  ' https://x.example/',
  'https://x.example/\u007f',
]

const fields: [field: string, save: (url: string) => Promise<{ status: number; body: unknown }>][] = [
  ['metadata.webhook_url', (webhook_url) => me.post('/assistants', { name: 'A', metadata: { webhook_url } })],
  ['server_url', (server_url) => me.post('/v2/assistants', { name: 'A', base_config_id: 1, server_url })],
  ['monitorPlan.websocketUrl', (websocketUrl) => me.post('/assistants', { name: 'A', monitorPlan: { websocketUrl } })],
  ['server_url', (server_url) => me.post('/connectors', { name: 'C', server_url })],
  [
    'server.url',
    async (url) => {
      const { phone_number } = await me.data('POST', '/phone-numbers', { phone_number: nextNumber() })
      return me.send('PUT', `/phone-numbers/${phone_number}`, { server: { url } })
    },
  ],
]

test.each(fields)('%s takes no address that a reader would change', async (field, save) => {
  for (const address of addresses) {
    const errors = { [field]: [expect.stringMatching(/must be a valid URL/)] }
    expect(await save(address), JSON.stringify(address)).toMatchObject({ status: 422, body: { errors } })
  }
})
