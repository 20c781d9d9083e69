import type { Book } from '../book.ts'
import type { Faults } from '../faults.ts'
import { modelName } from '../outside/language-model.ts'
import type { Random } from '../random.ts'
import { adminKey, type Fleet } from '../server/fleet.ts'
import type { ServerProcess } from '../server/server-process.ts'
import { type ApiRequest, type Json, objectAt, textAt } from './api.ts'
import { write } from './write.ts'

/** A workspace of its own for each round, with the clients' token, on one set of servers. */
export interface Tenant {
  servers: readonly ServerProcess[]
  token: string
  workspaceId: number
}

/** What the clients of a round share. */
export interface World {
  book: Book
  random: Random
  faults: Faults
  mirrored: Tenant
  calls: Tenant
  baseConfigId: number
  /** The assistant that is called. */
  calledId: string
  agentId: string
  /** Public ids of assistants; the value says whether v2 built it. */
  assistants: Map<string, boolean>
  /** External ids of squads, by the key in their metadata. */
  squads: Map<string, string>
  numbers: Set<string>
  /** Of calls that were answered. */
  callIds: Set<string>
  stopped: boolean
}

/** The balance that a round starts with, in dollars: little, so that it runs out. */
export const firstCredit = 0.5

/** Writes until it is done; nothing is broken meanwhile. */
async function must(servers: readonly ServerProcess[], token: string, random: Random, request: ApiRequest) {
  const { outcome, body, said } = await write(servers, token, request, {
    random,
    retry: true,
    ...(request.method === 'POST' && { key: crypto.randomUUID() }),
  })
  if (outcome !== 'done') throw new Error(`${request.method} ${request.path} was not done: ${said}`)
  return objectAt(body, 'data')
}

async function tenantOf(servers: readonly ServerProcess[], random: Random, name: string): Promise<Tenant> {
  const admin = (request: ApiRequest) => must(servers, adminKey, random, request)
  const body = { name, email: `${name}@example.com` }
  const user = await admin({ method: 'POST', path: '/admin/users', body })
  const tokens = await admin({ method: 'POST', path: `/admin/users/${user.id}/tokens`, body: { name } })
  return { servers, token: String(tokens.token), workspaceId: Number(user.workspace_id) }
}

const price = { model: modelName, prompt_usd_per_million: 100, completion_usd_per_million: 100 }

/** What the operator makes once. */
export async function makeCatalogue({ servers }: Fleet, random: Random): Promise<number> {
  await must(servers, adminKey, random, { method: 'POST', path: '/admin/model-prices', body: price })
  const body = { name: 'Torture', config: { maxDurationSeconds: 300 } }
  const { id } = await must(servers, adminKey, random, { method: 'POST', path: '/admin/base-configs', body })
  return Number(id)
}

/** A fresh workspace with all that a round's clients work on. */
export async function makeWorld(
  fleet: Fleet,
  make: { name: string; random: Random; faults: Faults; book: Book; baseConfigId: number; receiverUrl: string },
): Promise<World> {
  const { name, random, faults, book, baseConfigId } = make
  const mirrored = await tenantOf(fleet.servers, random, name)
  const calls = await tenantOf([fleet.caller], random, name)
  const admin = (request: ApiRequest) => must(fleet.servers, adminKey, random, request)
  const user = (request: ApiRequest) => must(fleet.servers, mirrored.token, random, request)
  const { workspaceId } = mirrored
  await admin({ method: 'PATCH', path: `/admin/workspaces/${workspaceId}`, body: { billing: 'usd' } })
  const credit = { payment_id: `${name}-first`, amount_usd: firstCredit }
  await admin({ method: 'POST', path: `/admin/workspaces/${workspaceId}/credits`, body: credit })
  const agent = await user({ method: 'POST', path: '/agents', body: { name: 'Torture' } })
  const metadata = { webhook_url: make.receiverUrl }
  const body = { name: 'Called', firstMessage: 'Hello, who is it?', metadata }
  const called = await must([fleet.caller], calls.token, random, { method: 'POST', path: '/assistants', body })
  return {
    book,
    random,
    faults,
    mirrored,
    calls,
    baseConfigId,
    calledId: idOf(called, 'assistant_id'),
    agentId: idOf(agent, 'id'),
    assistants: new Map(),
    squads: new Map(),
    numbers: new Set(),
    callIds: new Set(),
    stopped: false,
  }
}

/** A text that an answer must have. */
export function idOf(data: Json, name: string): string {
  const id = textAt(data, name)
  if (id === undefined) throw new Error(`An answer has no ${name}`)
  return id
}
