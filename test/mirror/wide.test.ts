import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { cpuMsUntil } from '../support/cpu-time.ts'

let app: TestApp
let client: Client

beforeAll(async () => {
  app = await testApp()
})
beforeEach(async () => {
  client = await newClient(app)
})

/** So many keys with the same value. */
const keys = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, value]))

type Version = (count: number, version: number) => object

const plan = (properties: object) => ({
  name: 'Desk',
  analysisPlan: { structuredDataPlan: { enabled: true, schema: { type: 'object', properties } } },
})

const assistants: [string, Version][] = [
  ['numbers', (count, version) => plan(keys(count, version))],
  ['servers, each of which selects its settings', (count, version) => plan(keys(count, { url: `u${version}` }))],
]

/** Four times as many of them may cost eight times as much; the square would be sixteen. */
async function expectLinear(costOfMany: (count: number) => Promise<number>) {
  const few = await costOfMany(2_000)
  expect(await costOfMany(8_000)).toBeLessThan(8 * few)
}

test.each(assistants)('a save of an assistant takes as long as its body is: %s', async (_, body) => {
  await expectLinear(async (count) => {
    const { assistant_id: id } = await client.data('POST', '/assistants', { name: 'Desk' })
    const save = (version: number) => client.data('PUT', `/assistants/${id}/advanced`, body(count, version))
    await save(1)
    return cpuMsUntil(() => save(2))
  })
})

test('a save of a published squad takes as long as its overrides are', async () => {
  const { assistant_id: assistantId } = await client.data('POST', '/assistants', { name: 'Desk' })
  const squad = (count: number, version: number) => ({
    name: 'Desk',
    status: 'published',
    members: [{ assistantId, assistantOverrides: { variableValues: keys(count, version) } }],
  })
  await expectLinear(async (count) => {
    const draft = await client.data('POST', '/squads', { ...squad(count, 1), status: 'draft' })
    const { external_squad_id: id } = await client.data('PUT', `/squads/${draft.external_squad_id}`, squad(count, 1))
    return cpuMsUntil(() => client.data('PUT', `/squads/${id}`, squad(count, 2)))
  })
})
