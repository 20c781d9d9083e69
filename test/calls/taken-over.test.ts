import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInstances, type Instances } from '../agents/instances.ts'
import type { TestApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { emptyWallet } from '../support/payer.ts'
import { loseResponses } from '../support/rows/idempotency.ts'

let instances: Instances
let stalled: TestApp
let other: TestApp

beforeAll(async () => {
  instances = await createInstances()
  ;({ stalled, other } = instances)
})
afterAll(() => instances.stop())
beforeEach(() => instances.reset())

/** What is called, as a user has it, with a call that is begun there. */
const setup = async (kind: 'assistants' | 'squads' | 'phone-numbers') => {
  const payer = await instances.payer()
  const me = clientOf(stalled, payer.token)
  const { assistant_id } = await me.data('POST', '/assistants', { name: 'Desk', firstMessage: 'Hello.' })
  // A call that nobody evaluates asks the model once.
  await me.data('PUT', `/assistants/${assistant_id}/advanced`, { name: 'Desk', artifactPlan: { analysis: false } })
  const make = {
    assistants: async () => assistant_id,
    async squads() {
      const { external_squad_id: draft } = await me.data('POST', '/squads', { name: 'Team', members: [] })
      const members = [{ assistantId: assistant_id }]
      return (await me.data('PUT', `/squads/${draft}`, { name: 'Team', members })).external_squad_id
    },
    async 'phone-numbers'() {
      const [offer] = await me.data('GET', '/phone-numbers/available')
      const { phone_number } = await me.data('POST', '/phone-numbers', { phone_number: offer.phone_number })
      await me.data('PUT', `/phone-numbers/${phone_number}`, { voice_assistant_id: assistant_id })
      return phone_number.slice(1)
    },
  }
  const path = `/${kind}/${await make[kind]()}/test-calls`
  const call = (app: TestApp) =>
    clientOf(app, payer.token).post(path, { messages: ['How much?'] }, { 'idempotency-key': 'one' })
  const outcome = async () => ({
    calls: (await me.data('GET', `/assistants/${assistant_id}/calls`)).map(({ id }: { id: string }) => id),
    charges: await instances.charges(payer),
  })
  return { payer, call, outcome }
}

describe.each(['assistants', 'squads', 'phone-numbers'] as const)('a test call to one of %s', (kind) => {
  test('under an Idempotency-Key that another instance takes over is one call, and charged once', async () => {
    const { call, outcome } = await setup(kind)
    const first = await instances.stall(() => call(stalled))
    await instances.loseLeases()
    const second = call(other)
    await Bun.sleep(100)
    first.goOn()
    const made = await first.sent
    expect(made).toMatchObject({
      status: 201,
      body: { data: { status: 'ended', ended_reason: 'customer-ended-call' } },
    })
    expect(await second).toEqual(made)
    expect(await call(stalled)).toEqual(made)
    expect(instances.fake.received).toHaveLength(1)
    expect(await outcome()).toEqual({ calls: [made.body.data.id], charges: 1 })
  })

  test('is found when it is sent again under its key, after its server was killed before it responded', async () => {
    const { call, outcome } = await setup(kind)
    const made = await call(stalled)
    await loseResponses(stalled.database)
    expect(await call(other)).toEqual(made)
    expect(await outcome()).toEqual({ calls: [made.body.data.id], charges: 1 })
  })
})

test('a reply to a test call that another instance ended meanwhile is charged to nobody', async () => {
  const { call, outcome } = await setup('assistants')
  const first = await instances.stall(() => call(stalled))
  await stalled.database.sql`update platform_calls set held_until = now() - interval '1 second' where not ended`
  while ((await other.platform.endAbandonedCalls(false)) > 0);
  first.goOn()
  const ended = { status: 'ended', ended_reason: 'call.in-progress.error-vapifault-worker-died' }
  expect(await first.sent).toMatchObject({ status: 201, body: { data: ended } })
  expect(await outcome()).toMatchObject({ charges: 0 })
})

test('a test call whose workspace has nothing left for another is found all the same', async () => {
  const { payer, call } = await setup('assistants')
  const made = await call(stalled)
  await emptyWallet(stalled, payer)
  await loseResponses(stalled.database)
  expect(await call(other)).toEqual(made)
})
