import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'

type Body = Record<string, unknown>

const serverMessages = ['conversation-update', 'speech-update', 'transcript', 'status-update', 'end-of-call-report']

test('the webhooks of a long call repeat its prompt and what was said for two million characters', async () => {
  const client = await newClient(await testApp())
  const prompt = 'Never promise a discount. '.repeat(3_800)
  const { assistant_id: id } = await client.data('POST', '/assistants', {
    name: 'Desk',
    firstMessage: 'Hello.',
    serverMessages,
    metadata: { webhook_url: 'https://hooks.example/calls' },
    model: { messages: [{ role: 'system', content: prompt }] },
  })
  const messages = Array.from({ length: 9 }, (_, n) => `This is what I ask as number ${n}.`)
  await client.data('POST', `/assistants/${id}/test-calls`, { messages })
  const listed = await client.data('GET', `/assistants/${id}/deliveries?per_page=100`)
  const told: Body[] = await Promise.all(
    listed.map(async (one: Body) => (await client.data('GET', `/deliveries/${one.id}`)).payload.message),
  )
  expect(told.length).toBeGreaterThan(70)
  expect(told.length).toBeLessThan(100)
  const size = told.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
  expect(size).toBeGreaterThan(1_800_000)
  expect(size).toBeLessThan(3_000_000)
  const of = (type: string) =>
    told.filter((message) => message.type === type).sort((a, b) => Number(a.timestamp) - Number(b.timestamp))
  const [first, ...later] = of('conversation-update')
  expect(first).toMatchObject({ assistant: { name: 'Desk', firstMessage: 'Hello.' }, messages: [{}] })
  expect(JSON.stringify(first)).toContain(prompt)
  const last = later.at(-1) as { assistant: Body; messages: Body[]; messagesOpenAIFormatted: Body[] }
  expect(last.assistant).toEqual({ name: 'Desk' })
  expect(last.messages).toHaveLength(10)
  expect(last.messagesOpenAIFormatted.at(-1)).toMatchObject({ role: 'assistant' })
  const [report] = of('end-of-call-report')
  expect(report).toMatchObject({
    assistant: { name: 'Desk' },
    artifact: { transcript: expect.stringContaining('number 8') },
  })
})
