import { randomUUID } from 'node:crypto'
import type { ErrorName } from '../../src/api/errors/api-error.ts'
import type { Operation } from '../../src/api/operations.ts'
import { newUser } from '../support/app.ts'
import { addImport } from '../support/rows/accounts.ts'
import { remember } from '../support/rows/chats.ts'
import { knowTools } from '../support/rows/connectors.ts'
import { inputs } from './inputs.ts'
import type { Input, World } from './world.ts'

/** Makes what a path parameter names, given those before it in the path. */
type Factory = (world: World, before: Input, operation: Operation) => Promise<string | number>

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error(`not a text: ${value}`)
  return value
}
const number = (value: unknown): number => {
  if (typeof value !== 'number') throw new Error(`not a number: ${value}`)
  return value
}
const first = (value: unknown, at = 0): Input => (value as Input[])[at] ?? {}

/** A delivery of a webhook, of an assistant of the owner. */
async function delivery({ make }: World) {
  const webhook = { webhook_url: 'https://hooks.example.com/calls' }
  const { assistant_id: id } = await make('POST', '/assistants', { name: 'Told', metadata: webhook })
  await make('POST', `/assistants/${id}/test-calls`, {})
  return text(first(await make('GET', `/assistants/${id}/deliveries`)).id)
}

/** An agent that the owner was given a share of. */
async function sharedAgent({ app, make, owner }: World) {
  const stranger = await newUser(app.database)
  const { id } = await make('POST', '/agents', { name: 'Lent' }, stranger)
  await make('PUT', `/agents/${id}/shares/${owner.userId}`, { access: 'view' }, stranger)
  return text(id)
}

/** An entry of the history that can be restored. */
const version: Factory = async ({ make }, { assistantId }) => {
  await make('PUT', `/assistants/${assistantId}`, { name: 'Changed' })
  return number(first(await make('GET', `/assistants/${assistantId}/update-log`), 1).id)
}

/** By what a path parameter's 404 says, because `id` alone says nothing. All belong to the owner. */
export const factories: Partial<Record<ErrorName, Factory>> = {
  model_not_found: async ({ make }) => text(first(await make('GET', '/models')).id),
  async assistant_not_found(world, _before, { name }) {
    const isBuilt = name === 'assistantBuilder.update'
    const body = isBuilt ? await inputs['assistantBuilder.create']?.(world, {}) : { name: 'Desk' }
    return text((await world.make('POST', isBuilt ? '/v2/assistants' : '/assistants', body)).assistant_id)
  },
  version_not_found: version,
  version_unknown: version,
  delivery_not_found: delivery,
  async widget_not_found({ make }) {
    const { assistant_id: id } = await make('POST', '/assistants', { name: 'Widget' })
    return text((await make('GET', `/assistants/${id}/embed`)).public_key)
  },
  async conversation_not_found({ make }, { assistantId }) {
    const { public_key: key } = await make('GET', `/assistants/${assistantId}/embed`)
    await make('POST', `/widget/${key}/chat`, { message: 'Hello' })
    return text(first(await make('GET', `/assistants/${assistantId}/conversations`)).id)
  },
  async phone_number_not_found({ make }) {
    const offer = first(await make('GET', '/phone-numbers/available'))
    const { phone_number: bought } = await make('POST', '/phone-numbers', { phone_number: offer.phone_number })
    return text(bought).slice(1)
  },
  async squad_not_found(world, _before, { name }) {
    const draft = text((await world.make('POST', '/squads', { name: 'Team', members: [] })).external_squad_id)
    if (name !== 'calls.testSquad') return draft
    return text(
      (await world.make('PUT', `/squads/${draft}`, await inputs['squads.publish']?.(world, {}))).external_squad_id,
    )
  },
  agent_not_found: async (world, _before, { name }) =>
    name === 'agentShares.leave'
      ? sharedAgent(world)
      : text((await world.make('POST', '/agents', { name: 'Helper' })).id),
  chat_not_found: async ({ make }, { agent_id: agent }) => text((await make('POST', `/agents/${agent}/chats`, {})).id),
  async file_not_found({ make }, { agent_id: agent }) {
    const form = new FormData()
    form.set('file', new File(['We open at nine.'], 'hours.txt'))
    return number((await make('POST', `/agents/${agent}/files`, form)).id)
  },
  connector_not_found: async (world) =>
    text((await world.make('POST', '/connectors', await inputs['connectors.create']?.(world, {}))).uid),
  async tool_not_found({ app, make }, { agent_id: agent, connector_id: connector }) {
    await make('PUT', `/agents/${agent}/connectors/${connector}`, { enabled: true })
    const name = `look_up_${randomUUID().slice(0, 8)}`
    await knowTools(app.database, text(connector), [{ name, description: 'Looks something up.' }])
    return name
  },
  async note_not_found({ app, make }, { agent_id: agent }) {
    await remember(app.database, text(agent), `- [2026-03-01] The user likes tea, cup ${randomUUID()}.`)
    return text(first(await make('GET', `/agents/${agent}/memory`)).id)
  },
  share_user_not_found: async ({ app }) => (await newUser(app.database)).userId,
  async share_not_found({ app, make }, { agent_id: agent }) {
    const { userId } = await newUser(app.database)
    await make('PUT', `/agents/${agent}/shares/${userId}`, { access: 'view' })
    return userId
  },
  async import_not_found({ app, operator }) {
    return addImport(app.database, operator)
  },
  async token_not_found({ make, operator }, { id: user }) {
    if (user === undefined) return number((await make('POST', '/user/tokens', { name: 'Mine' })).id)
    return number((await make('POST', `/admin/users/${user}/tokens`, {}, operator)).id)
  },
  user_not_found: async ({ app }) => (await newUser(app.database)).userId,
  workspace_not_found: async ({ app }) => (await newUser(app.database)).workspaceId,
  async catalogue_entry_not_found(world, _before, { name, path }) {
    const create = inputs[name.replace(/\.\w+$/, '.create')]
    const body = await create?.(world, {})
    return (await world.make('POST', path.replace('/{id}', ''), body, world.operator)).id as string | number
  },
}
