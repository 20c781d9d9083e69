import { expect, test } from 'vitest'
import { createRig } from '../support/voice-platform/embedded.ts'

const body = { name: 'Anna', metadata: { external_ref: 'ref-1' } }

test('a search walks every page backwards, also over objects of one moment', async () => {
  const { client, platform, clock } = createRig()
  await clock.settle(client.assistants.create(body))
  const since = clock.now()
  for (let count = 0; count < 2300; count += 1) {
    if (count % 700 === 0) clock.pass(1)
    await platform.fetch(
      new Request('http://localhost/assistant', {
        method: 'POST',
        headers: { authorization: 'Bearer private-key-of-the-tests' },
        body: JSON.stringify({ name: 'Other' }),
      }),
    )
  }
  platform.requests.length = 0
  expect(await clock.settle(client.assistants.findByExternalRef('ref-1', since))).toMatchObject({ name: 'Anna' })
  expect(platform.requests.map(({ query }) => query.limit)).toEqual(['1000', '1000', '1000'])
  expect(platform.requests[0]?.query.createdAtGe).toBe(since.toISOString())
  const later = new Date(since.getTime() + 2)
  expect(await clock.settle(client.assistants.findByExternalRef('ref-1', later))).toBeNull()
})

test('a squad is found by the metadata of its overrides, a phone number by its number', async () => {
  const { client, platform, clock } = createRig()
  const squad = {
    id: 's',
    createdAt: '2030-01-01T00:00:00.000Z',
    membersOverrides: { metadata: { external_ref: 'r' } },
  }
  const number = { id: 'n', createdAt: '2030-01-01T00:00:00.000Z', number: '+14155550100' }
  platform.faults.add({
    path: /^\/squad$/,
    mode: 'status',
    status: 200,
    body: [{ ...squad, id: 'x', membersOverrides: {} }, squad],
  })
  platform.faults.add({ path: /^\/phone-number$/, times: 2, mode: 'status', status: 200, body: [number] })
  expect(await clock.settle(client.squads.findByExternalRef('r', clock.now()))).toEqual(squad)
  expect(await clock.settle(client.phoneNumbers.findByNumber('+14155550100'))).toEqual(number)
  expect(await clock.settle(client.phoneNumbers.findByNumber('+1'))).toBeNull()
})
