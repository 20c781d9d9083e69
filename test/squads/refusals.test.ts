import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'

let app: TestApp
let me: Caller
let anna: Awaited<ReturnType<Caller['assistant']>>
let bob: Awaited<ReturnType<Caller['assistant']>>

beforeAll(async () => {
  app = await testApp()
  me = await caller(app)
  anna = await me.assistant('Anna')
  bob = await me.assistant('Bob')
})
beforeEach(() => app.platform.faults.clear())

const draft = (body: object = { name: 'Front desk', members: [] }) => me.data(201, 'POST', '/squads', body)
const draftPath = async () => `/squads/${(await draft()).external_squad_id}`
const put = async (path: string, body: unknown) => {
  const answer = await me.send('PUT', path, body)
  return { status: answer.status, body: await answer.json() }
}
const members = () => [{ assistantId: anna.assistant_id }, { assistantId: bob.assistant_id }]

describe('a body is refused with 422', () => {
  const member = (more: object) => ({ name: 'x', members: [{ assistantId: anna.assistant_id, ...more }] })
  const destination = (more: object) => () => member({ assistantDestinations: [{ assistantName: 'Bob', ...more }] })
  const at = 'members.0.assistantDestinations.0'
  test.each<[string, () => object, string, string]>([
    ['no name', () => ({ members: members() }), 'name', 'The name field is required.'],
    [
      'a name over 100',
      () => ({ name: 'x'.repeat(101), members: members() }),
      'name',
      'The name field must have at most 100 characters.',
    ],
    ['null for a name', () => ({ name: null, members: members() }), 'name', 'The name field is required.'],
    ['no members', () => ({ name: 'x' }), 'members', 'The members field is required.'],
    ['an empty list', () => ({ name: 'x', members: [] }), 'members', 'The members field must have at least 1 items.'],
    [
      'a member without id',
      () => ({ name: 'x', members: [{}] }),
      'members.0.assistantId',
      'The members.0.assistantId field is required.',
    ],
    [
      'an id that is no UUID',
      () => ({ name: 'x', members: [{ assistantId: '7' }] }),
      'members.0.assistantId',
      'The members.0.assistantId field must be a valid UUID.',
    ],
    [
      'overrides that are no object',
      () => member({ assistantOverrides: [] }),
      'members.0.assistantOverrides',
      'The members.0.assistantOverrides field must be an object.',
    ],
    ['another type', destination({ type: 'number' }), `${at}.type`, `The ${at}.type field must be one of: assistant.`],
    [
      'no assistantName',
      destination({ assistantName: undefined }),
      `${at}.assistantName`,
      `The ${at}.assistantName field is required.`,
    ],
    [
      'an assistantName over 255',
      destination({ assistantName: 'x'.repeat(256) }),
      `${at}.assistantName`,
      `The ${at}.assistantName field must have at most 255 characters.`,
    ],
    [
      'a message over 1000',
      destination({ message: 'x'.repeat(1001) }),
      `${at}.message`,
      `The ${at}.message field must have at most 1000 characters.`,
    ],
    [
      'a description over 2000',
      destination({ description: 'x'.repeat(2001) }),
      `${at}.description`,
      `The ${at}.description field must have at most 2000 characters.`,
    ],
    [
      'another transferMode',
      destination({ transferMode: 'beam' }),
      `${at}.transferMode`,
      `The ${at}.transferMode field must be one of: rolling-history, swap-system-message-in-history, swap-system-message-in-history-and-remove-transfer-tool-messages, delete-history.`,
    ],
    [
      'a position of texts',
      () => member({ position: { x: '1' } }),
      'members.0.position.x',
      'The members.0.position.x field must be a number.',
    ],
  ])('%s', async (_, body, field, text) => {
    expect(await put(await draftPath(), body())).toEqual({
      status: 422,
      body: { success: false, message: text, errors: { [field]: [text] } },
    })
  })
})

describe('a composition is refused before the platform is asked', () => {
  const to = (more: object) => [{ assistantName: 'Bob', ...more }]
  test.each<[string, () => Promise<object[]> | object[], RegExp, object?]>([
    [
      'of an assistant that does not exist',
      () => [...members(), { assistantId: '5f0c2f0e-3d3b-4a7e-9f5e-0d5a3a1c9b10' }],
      /member 3 \(5f0c2f0e-.*\) is not an assistant of this account\./,
    ],
    [
      'of an assistant whose id is of no version of UUIDs',
      () => [{ assistantId: '11111111-1111-1111-1111-111111111111' }],
      /member 1 \(1{8}-.*\) is not an assistant of this account\./,
    ],
    [
      "of another account's assistant",
      async () => [{ assistantId: (await (await caller(app)).assistant()).assistant_id }],
      /member 1 \(.*\) is not an assistant of this account\./,
    ],
    [
      'with one assistant twice',
      () => [...members(), { assistantId: anna.voice_assistant_id }],
      /member 3 "Anna" has the name of member 1 "Anna"\./,
    ],
    [
      'with two assistants of one name',
      async () => [...members(), { assistantId: (await me.assistant('Bob')).assistant_id }],
      /member 3 "Bob" has the name of member 2 "Bob"\./,
    ],
    [
      'with a destination that is no member',
      () => [{ assistantId: anna.assistant_id, assistantDestinations: to({}) }],
      /member 1 "Anna" hands over to "Bob", which is no member of the squad\./,
    ],
    [
      'with a destination whose id is no member',
      () => [{ assistantId: anna.assistant_id, assistantDestinations: to({ assistantId: 'x' }) }, members()[1] ?? {}],
      /member 1 "Anna" hands over to x, which is no member of the squad\./,
    ],
    [
      'with a destination to itself',
      () => [members()[0] ?? {}, { assistantId: bob.assistant_id, assistantDestinations: to({}) }],
      /member 2 "Bob" hands over to itself\./,
    ],
    [
      'with overrides that are too much for each member together',
      () => members().map((member) => ({ ...member, assistantOverrides: { firstMessage: 'x'.repeat(10) } })),
      /the overrides of all members together have more than 2000000 characters\./,
      { variableValues: { text: 'x'.repeat(999_970) } },
    ],
  ])('%s', async (_, compose, detail, membersOverrides) => {
    const path = await draftPath()
    const squad = await me.squad([anna.assistant_id])
    const body = { name: 'x', members: await compose(), ...(membersOverrides && { membersOverrides }) }
    for (const at of [path, `/squads/${squad.external_squad_id}`]) {
      const asked = app.platform.requests.length
      const answer = await put(at, body)
      expect(answer.status).toBe(422)
      expect(answer.body.message).toMatch(new RegExp(`^Squad payload invalid: ${detail.source}$`))
      expect(answer.body).toEqual({ success: false, message: answer.body.message })
      expect(app.platform.requests.length).toBe(asked)
    }
    await me.send('DELETE', `/squads/${squad.external_squad_id}`)
  })
})

test.each([402, 403, 409])('a %i of the live platform says nothing of the composition: it is 502', async (status) => {
  app.platform.faults.add({ method: 'POST', path: /squad/, mode: 'status', status, body: { message: 'no' } })
  expect(await put(await draftPath(), { name: 'Front desk', members: members() })).toEqual({
    status: 502,
    body: { success: false, message: 'Failed to publish the squad. Please try again.' },
  })
})
