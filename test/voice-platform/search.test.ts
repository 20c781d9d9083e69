import { expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient } from '../../src/voice-platform/client.ts'
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

test.each([
  ['newest', -1],
  ['oldest', 1],
])('a list that begins with the %s is read to its end', async (_first, direction) => {
  const madeAt = (n: number) => new Date(Date.UTC(2030, 0, 1) + Math.floor(n / 700)).toISOString()
  const objects = Array.from({ length: 2_300 }, (_, n) => ({ id: String(n), name: 'Other', createdAt: madeAt(n) }))
  const listed = objects.toSorted((a, b) => direction * (Number(a.id) - Number(b.id)))
  const asked: string[] = []
  const client = createPlatformClient({
    baseUrl: 'http://platform.test',
    apiKey: 'key',
    clock: systemClock,
    async fetch(input) {
      const { search, searchParams: query } = new URL(input instanceof Request ? input.url : String(input))
      asked.push(search)
      const [from, to] = [query.get('createdAtGe') ?? '', query.get('createdAtLe') ?? '9']
      const page = listed.filter(({ createdAt }) => createdAt >= from && createdAt <= to)
      return Response.json(page.slice(0, Number(query.get('limit'))))
    },
  })
  const found: string[] = []
  for await (const page of client.assistants.pages({ createdAtGe: madeAt(0) })) found.push(...page.map(({ id }) => id))
  expect(found).toEqual(listed.map(({ id }) => id))
  expect(asked.length).toBeLessThan(6)
})
