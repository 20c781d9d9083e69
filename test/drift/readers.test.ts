import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Feature, TokenScope } from '../../src/accounts/account.ts'
import { newTokenFor, newUser } from '../support/app.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

/** A kind is told to who has its feature, over a token with the scope of that. */
const kinds = { assistants: ['assistant', 'tool'], phone_numbers: ['phone_number'], squads: ['squad'], ai_chat: [] }

let rig: DriftRig
beforeAll(async () => {
  rig = await createDriftRig()
  const make = (name: string) => rig.data('POST', '/assistants', { name })
  const [ann, bob] = [await make('Ann'), await make('Bob')]
  const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
  const squad = await rig.data('PUT', `/squads/${draft.external_squad_id}`, {
    name: 'Team',
    members: [{ assistantId: ann.assistant_id }],
  })
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  const number = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  const own = { label: 'Orders', description: 'Looks up.', type: 'function', scope: 'own', owner_id: rig.user.userId }
  const definition = { server: { url: 'https://shop.example/orders' } }
  const tool = await rig.data('POST', '/admin/tools', { ...own, definition }, await rig.operator())
  const { assistants, phoneNumbers, squads, tools } = rig.outside
  await assistants.update(String(bob.voice_assistant_id), { firstMessage: 'Outside' })
  const { members } = await squads.get(String(squad.external_squad_id))
  await squads.update(String(squad.external_squad_id), { members, name: 'Outside' })
  await phoneNumbers.update(String(number.voice_phone_number_id), { provider: 'twilio', name: 'Outside' })
  await tools.update(String(tool.id), { server: { ...definition.server, timeoutSeconds: 7 } } as never)
  await rig.sweep()
})
afterAll(() => rig.stop())

async function overMcp(token: string): Promise<Body[]> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const params = { name: 'call_operation', arguments: { operation: 'drift.list', input: {} } }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const response = await rig.app.send('POST', '/mcp', { token, headers, body })
  const [line = ''] = (await response.text()).split('\n').filter((one) => one.startsWith('data: '))
  return JSON.parse(JSON.parse(line.slice('data: '.length)).result.content[0].text).data
}

async function overTrpc(token: string): Promise<Body[]> {
  const { result } = await (await rig.app.send('GET', '/trpc/drift.list?input=%7B%7D', { token })).json()
  return result.data.data
}

const overRest = (token: string) => rig.data<Body[]>('GET', '/drift', undefined, token)

const all = ['assistant', 'phone_number', 'squad', 'tool']
const readers: [string, { features?: Feature[]; scopes?: TokenScope[]; role?: 'admin' }, string[]][] = [
  ['a user of every feature', {}, all],
  ['a user without features', { features: [] }, []],
  ['a token for the account alone', { scopes: ['account:read'] }, []],
  ['a token that reads all', { scopes: ['read'] }, all],
  ['a token for other areas', { scopes: ['account:read', 'ai_chat:write', 'admin:write'] }, []],
  ['a token for a feature that its user has not', { features: ['squads'], scopes: ['read'] }, kinds.squads],
  ["an operator's token for the account alone", { role: 'admin', scopes: ['account:read'] }, []],
  ...(['assistants', 'phone_numbers', 'squads'] as const).flatMap((feature): typeof readers => [
    [`a user of ${feature} alone`, { features: [feature] }, kinds[feature]],
    [`a token that reads ${feature}`, { scopes: ['account:read', `${feature}:read`] }, kinds[feature]],
    [`a token that writes ${feature}`, { scopes: ['account:read', `${feature}:write`] }, kinds[feature]],
  ]),
]

test.each(readers)('%s sees the kinds that it may read', async (_who, { features, scopes, role }, expected) => {
  const { database } = rig.app
  const { resellerId, workspaceId } = rig.user
  const { userId } = await newUser(database, {
    resellerId,
    workspaceId,
    ...(features && { features }),
    ...(role && { role }),
  })
  const token = await newTokenFor(database, userId, undefined, scopes)
  for (const read of [overRest, overTrpc, overMcp]) {
    const told = await read(token)
    expect(told.map(({ kind }) => kind).sort(), read.name).toEqual(expected)
  }
})
