import { beforeAll, describe, expect, test } from 'vitest'
import type { Feature, TokenScope } from '../../src/accounts/account.ts'
import { newTokenFor, newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'
import { addDelivery } from '../support/rows/deliveries.ts'

/** Webhooks of calls that no assistant took tell of a number alone: they are for who may see that. */
let app: TestApp
let owner: Caller
const ids = { assistant: '', number: '' }

beforeAll(async () => {
  app = await testApp()
  owner = await caller(app)
  const { workspaceId } = owner
  const { voice_assistant_id } = await owner.assistant()
  const add = async (liveAssistantId: string | null) => {
    const [row] = await addDelivery(app.database, { liveAssistantId, workspaceId }).returning()
    return String(row?.id)
  }
  ids.assistant = await add(voice_assistant_id)
  ids.number = await add(null)
})

type Reader = { features?: Feature[]; scopes?: TokenScope[]; role?: 'admin' }

async function tokenOf({ scopes, ...options }: Reader): Promise<string> {
  const { resellerId, workspaceId } = owner
  const { userId } = await newUser(app.database, { resellerId, workspaceId, ...options })
  return newTokenFor(app.database, userId, undefined, scopes)
}

async function read(path: string, token: string) {
  const response = await app.send('GET', path, { token })
  const { data } = await response.json()
  return response.status === 200 ? data.map(({ id }: { id: string }) => id) : response.status
}

const readers: [string, Reader, boolean][] = [
  ['a user of every feature', {}, true],
  ['a user without numbers', { features: ['assistants'] }, false],
  ['a token that reads all', { scopes: ['read'] }, true],
  ['a token for assistants alone', { scopes: ['assistants:write'] }, false],
  ['a token for assistants and numbers', { scopes: ['assistants:write', 'phone_numbers:read'] }, true],
  ["an operator's token for assistants alone", { role: 'admin', scopes: ['assistants:write'] }, false],
]

describe.each(readers)('to %s', (_who, reader, isShown) => {
  test('lists show a webhook without an assistant only with its number', async () => {
    const token = await tokenOf(reader)
    expect(await read('/deliveries', token)).toEqual(isShown ? [ids.number] : [])
    expect(await read(`/deliveries?workspace_id=${owner.workspaceId}`, token)).toEqual(
      isShown ? [ids.number, ids.assistant] : [ids.assistant],
    )
  })

  test('it is not found without its number', async () => {
    const token = await tokenOf(reader)
    const status = async (method: string, path: string) => (await app.send(method, path, { token })).status
    expect(await status('GET', `/deliveries/${ids.assistant}`)).toBe(200)
    expect(await status('GET', `/deliveries/${ids.number}`)).toBe(isShown ? 200 : 404)
    if (!isShown) expect(await status('POST', `/deliveries/${ids.number}/replay`)).toBe(404)
  })
})
