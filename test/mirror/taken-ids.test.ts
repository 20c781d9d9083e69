import { beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'

let app: TestApp
let user: Client
let other: Client
let operator: Client
beforeAll(async () => {
  app = await testApp({ database: await freshDatabase(), mirrorTimes: { graceMs: 0 } })
  user = await newClient(app)
  other = await newClient(app)
  operator = await newClient(app, { role: 'admin' })
  return () => app.database.close()
})

const tool = { label: 'End', description: 'Hangs up', type: 'endCall', scope: 'global' }

/** What another account has, and a create that the platform answers with the id of it. */
const cases = [
  {
    kind: 'assistants' as const,
    theirs: async () => (await other.data('POST', '/assistants', { name: 'Theirs' })).voice_assistant_id,
    send: () => user.send('POST', '/assistants', { name: 'Mine' }),
    failed: { status: 500, message: 'Failed to create assistant in Cloud. Please try again.' },
  },
  {
    kind: 'squads' as const,
    async theirs() {
      const { assistant_id: assistantId } = await other.data('POST', '/assistants', { name: 'Member' })
      const body = { name: 'Theirs', members: [{ assistantId }] }
      const { external_squad_id: draft } = await other.data('POST', '/squads', body)
      return (await other.data('PUT', `/squads/${draft}`, body)).external_squad_id
    },
    async send() {
      const { assistant_id: assistantId } = await user.data('POST', '/assistants', { name: 'Member' })
      const body = { name: 'Mine', members: [{ assistantId }] }
      const { external_squad_id: draft } = await user.data('POST', '/squads', body)
      return user.send('PUT', `/squads/${draft}`, body)
    },
    failed: { status: 502, message: 'Failed to publish the squad. Please try again.' },
  },
  {
    kind: 'tools' as const,
    theirs: async () => (await operator.data('POST', '/admin/tools', tool)).id,
    send: () => operator.send('POST', '/admin/tools', tool),
    failed: { status: 502, message: 'Failed to write the tool on the voice platform. Please try again.' },
  },
]

test.each(cases)('the $kind of another record stay when the platform answers a create with them', async (one) => {
  const { kind, theirs, send, failed } = one
  const id = await theirs()
  const live = app.services.platform[kind]
  const before = await live.get(id)
  const create = vi.spyOn(live, 'create').mockResolvedValue(before as never)
  const { status, body } = await send()
  create.mockRestore()
  expect({ status, message: body.message }).toEqual(failed)
  await app.services.mirror.work.run()
  expect(await live.get(id)).toEqual(before)
  expect((await send()).status).toBeLessThan(300)
})
