import { beforeEach, describe, expect, test } from 'vitest'
import { violations } from '../support/voice-platform/description.ts'
import { createRig, type EmbeddedRig } from '../support/voice-platform/embedded.ts'

let rig: EmbeddedRig
let anna: string
let bob: string
let alsoAnna: string

beforeEach(async () => {
  rig = createRig()
  const made = async (name: string) => (await rig.clock.settle(rig.client.assistants.create({ name }))).id
  anna = await made('Anna')
  bob = await made('Bob')
  alsoAnna = await made('Anna')
})

const call: EmbeddedRig['call'] = (...request) => rig.call(...request)

const handoff = { type: 'assistant', assistantName: 'Bob', message: '', transferMode: 'delete-history' }

describe('a squad on the embedded platform', () => {
  test('is created, patched with all its members, and deleted', async () => {
    const sent = {
      name: 'Desk',
      members: [
        { assistantId: anna, assistantOverrides: { firstMessage: 'Hi' }, assistantDestinations: [handoff] },
        { assistantId: bob },
      ],
      membersOverrides: { variableValues: { city: 'Austin' }, metadata: { external_ref: 'r1' } },
    }
    expect(violations('CreateSquadDTO', sent)).toEqual([])
    const { status, body } = await call('POST', '/squad', sent)
    expect(status).toBe(201)
    expect(body).toMatchObject(sent)
    expect(violations('Squad', body)).toEqual([])
    const change = {
      members: [{ assistantId: alsoAnna, assistantOverrides: { name: 'Carla' } }, { assistantId: anna }],
    }
    expect((await call('PATCH', `/squad/${body.id}`, change)).body).toMatchObject({ name: 'Desk', ...change })
    expect((await call('DELETE', `/squad/${body.id}`)).status).toBe(200)
    expect((await call('GET', `/squad/${body.id}`)).status).toBe(404)
  })

  test.each<[string, () => object, string | string[]]>([
    ['no members', () => ({ name: 'Desk' }), ['members must be an array']],
    ['an empty list', () => ({ members: [] }), ['members must contain at least 1 elements']],
    ['a member of nothing', () => ({ members: [{}] }), 'members.0 must have an assistantId or an assistant.'],
    [
      'an unknown assistant',
      () => ({ members: [{ assistantId: anna }, { assistantId: 'x' }] }),
      'members.1.assistantId must be the id of an existing assistant.',
    ],
    [
      'two members of one name',
      () => ({ members: [{ assistantId: anna }, { assistantId: alsoAnna }] }),
      'members.1 must have a name that no other member has.',
    ],
    [
      'a position',
      () => ({ members: [{ assistantId: anna, position: { x: 1, y: 2 } }] }),
      ['members.0.property position should not exist'],
    ],
    [
      'a destination by id',
      () => ({ members: [{ assistantId: anna, assistantDestinations: [{ ...handoff, assistantId: bob }] }] }),
      ['members.0.assistantDestinations.0.property assistantId should not exist'],
    ],
    ['metadata', () => ({ members: [{ assistantId: anna }], metadata: {} }), ['property metadata should not exist']],
    [
      'variables beside the overrides',
      () => ({ members: [{ assistantId: anna }], variableValues: {} }),
      ['property variableValues should not exist'],
    ],
  ])('is refused with %s', async (_, body, message) => {
    expect(await call('POST', '/squad', body())).toEqual({
      status: 400,
      body: { message, error: 'Bad Request', statusCode: 400 },
    })
  })

  test('asks for its members on PATCH too', async () => {
    const { body } = await call('POST', '/squad', { members: [{ assistantId: anna }] })
    expect((await call('PATCH', `/squad/${body.id}`, { name: 'Other' })).status).toBe(400)
  })
})
