import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { assistants } from '../../src/resources/assistants/table.ts'
import { ledger } from '../../src/resources/billing/table.ts'
import { conversations } from '../../src/resources/conversations/table.ts'
import { leavesContext } from '../../src/voice-platform/drift/findings.ts'
import { drifts } from '../../src/voice-platform/drift/table.ts'
import { webhookDeliveries } from '../../src/webhooks/table.ts'
import { inputs } from './inputs.ts'
import type { Input, World } from './world.ts'

/** Adds one entry to what a list has for the world's owner, or for its operator. */
type Add = (world: World, params: Input) => Promise<unknown>

const leftovers: (() => Promise<unknown>)[] = []

/** Takes away what other tests of the same database would find. */
export async function clearEntries(): Promise<void> {
  for (const clear of leftovers.splice(0)) await clear()
}

const post =
  (path: string | ((params: Input) => string), body: object): Add =>
  ({ make }, params) =>
    make('POST', typeof path === 'string' ? path : path(params), body)

const assistant = post('/assistants', { name: 'Desk' })

async function rowOf({ app }: World, { assistantId }: Input) {
  const [row] = await app.database.db
    .select()
    .from(assistants)
    .where(eq(assistants.assistantId, String(assistantId)))
  if (!row) throw new Error('no assistant')
  return row
}

/** An entry of the catalogue, as its matrix makes one. */
const entry =
  (name: string, path: string): Add =>
  async (world, params) =>
    world.make('POST', path, await inputs[`${name}.create`]?.(world, params), world.operator)

async function addDelivery(world: World, of: { liveAssistantId: string | null; workspaceId: number }) {
  await world.app.database.db.insert(webhookDeliveries).values({
    ...{ ...of, callId: randomUUID(), type: 'status-update', address: 'https://example.com' },
    ...{ request: 'sealed', payload: {}, timeoutSeconds: 20, maxAttempts: 1, status: 'dead' },
    backoffPlan: { type: 'fixed', maxRetries: 0, baseDelaySeconds: 1 },
  })
}

/** By the names of the lists; those of accounts have many. */
export const adders: Record<string, Add> = {
  'assistants.list': assistant,
  'assistantBuilder.list': assistant,
  'assistantVersions.list': ({ make }, { assistantId }) =>
    make('PUT', `/assistants/${assistantId}`, { name: `Desk ${randomUUID().slice(0, 8)}` }),
  'calls.list': post(({ assistantId }) => `/assistants/${assistantId}/test-calls`, {}),
  async 'conversations.list'(world, params) {
    const { id: assistantId } = await rowOf(world, params)
    const now = new Date()
    const times = { createdAt: now, lastMessageAt: now }
    await world.app.database.db
      .insert(conversations)
      .values({ id: randomUUID(), assistantId, subject: 'Hello', messages: 0, ...times })
  },
  // The matrix has a visitor ask, and a reply.
  'conversations.messages': async () => {},
  async 'deliveries.list'(world, params) {
    const { voiceAssistantId: liveAssistantId, workspaceId } = await rowOf(world, params)
    await addDelivery(world, { liveAssistantId, workspaceId })
  },
  'deliveries.unassigned': (world) =>
    addDelivery(world, { liveAssistantId: null, workspaceId: world.owner.workspaceId }),
  'agents.list': post('/agents', { name: 'Guide' }),
  'chats.list': post(({ agent_id: id }) => `/agents/${id}/chats`, {}),
  async 'phoneNumbers.list'({ make }) {
    const [offer] = (await make('GET', '/phone-numbers/available')) as unknown as Input[]
    await make('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  },
  'squads.list': post('/squads', { name: 'Team', members: [] }),
  async 'drift.list'(world) {
    const { assistant_id: ref } = await world.make('POST', '/assistants', { name: 'Desk' })
    const { app } = world
    const { db } = app.database
    leftovers.push(() => db.delete(drifts).where(eq(drifts.ref, String(ref))))
    await db.insert(drifts).values({
      ...{ kind: 'assistant', ref: String(ref), liveId: randomUUID(), name: 'Desk', difference: 'changed' as const },
      ...{ leaves: app.services.vault.seal('[]', leavesContext), digest: randomUUID() },
    })
  },
  async 'imports.candidates'({ app }) {
    const { assistants: live } = app.services.platform
    const { id } = await live.create({ name: 'Nobody', metadata: {} })
    leftovers.push(() => live.delete(id))
  },
  'tokens.list': post('/user/tokens', { name: 'nightly' }),
  'usage.ledger': ({ app, owner: { workspaceId } }) =>
    app.database.db.insert(ledger).values({ workspaceId, currency: 'usd', kind: 'credit', delta: 1 }),
  'admin.resellers.list': ({ make, operator }) => make('POST', '/admin/resellers', { name: 'Another' }, operator),
  'admin.workspaces.list': ({ make, operator }) => make('POST', '/admin/workspaces', { name: 'Another' }, operator),
  'admin.users.list': ({ make, operator }) =>
    make('POST', '/admin/users', { name: 'Ada', email: `${randomUUID()}@example.com` }, operator),
  'admin.tokens.list': ({ make, operator }, { id }) => make('POST', `/admin/users/${id}/tokens`, {}, operator),
  'admin.audit.list': ({ make, operator }) => make('POST', '/admin/resellers', { name: 'Another' }, operator),
  'admin.promptTemplates.list': entry('admin.promptTemplates', '/admin/prompt-templates'),
  'admin.baseConfigs.list': entry('admin.baseConfigs', '/admin/base-configs'),
  'admin.industryTemplates.list': entry('admin.industryTemplates', '/admin/industry-templates'),
  'admin.layer2Presets.list': entry('admin.layer2Presets', '/admin/layer2-presets'),
  'admin.personalities.list': entry('admin.personalities', '/admin/personalities'),
  'admin.tools.list': entry('admin.tools', '/admin/tools'),
  'admin.modelPrices.list': entry('admin.modelPrices', '/admin/model-prices'),
}
