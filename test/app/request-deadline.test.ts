import { expect, test } from 'vitest'
import { newUser, testApp } from '../support/app.ts'

const unknown = 'The service is temporarily unavailable. The change may have been made; read it before trying again.'

test('a write that takes longer than a request may is 503, and says that it may have been made', async () => {
  const app = await testApp({ requestMs: 100 })
  const { token } = await newUser(app.database)
  app.platform.faults.add({ method: 'POST', path: /assistant/, mode: 'timeout' })
  const response = await app.send('POST', '/assistants', { token, body: { name: 'Slow' } })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await response.json()).toMatchObject({ message: unknown })
})

test('the same over tRPC', async () => {
  const app = await testApp({ requestMs: 100 })
  const { token } = await newUser(app.database)
  app.platform.faults.add({ method: 'POST', path: /assistant/, mode: 'timeout' })
  const response = await app.send('POST', '/trpc/assistants.create', { token, body: { name: 'Slow' } })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ error: { message: unknown } })
})
