import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { addDelivery } from '../support/rows/deliveries.ts'

test('GET /admin/installation tells the version, the upgrade and how background work is doing', async () => {
  const app = await testApp({ database: await testDatabase() })
  const operator = await newClient(app, { role: 'admin' })
  const read = () => operator.data('GET', '/admin/installation')
  const webhooks = async () => (await read()).work.find(({ name }: { name: string }) => name === 'webhooks')
  const before = await webhooks()
  const anHour = 60 * 60 * 1000
  await addDelivery(app.database, { status: 'dead', lastError: 'gone' })
  await addDelivery(app.database, { status: 'pending', attempts: 2, dueAt: new Date(Date.now() + anHour) })
  await addDelivery(app.database, { status: 'delivered' })
  const found = await read()
  expect(found).toMatchObject({
    version: manifest.version,
    ready: true,
    reason: null,
    voice_platform: 'embedded (simulated)',
    database: { migrations: { applied: expect.any(Number), pending: 0, unknown: 0 } },
  })
  expect(found.database.migrations.applied).toBeGreaterThan(30)
  const names = found.work.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['unfinished live writes', 'webhooks', 'indexing', 'drift']))
  const after = await webhooks()
  expect(['dead', 'waiting', 'failing', 'due', 'claimed'].map((key) => after[key] - before[key])).toEqual([
    1, 1, 1, 0, 0,
  ])
})

test('it is for operators alone', async () => {
  const app = await testApp()
  expect((await (await newClient(app)).get('/admin/installation')).status).toBe(403)
})
