import { findAssistant } from '../../src/resources/assistants/read/find.ts'
import { findSquad } from '../../src/resources/squads/find.ts'
import { reconcileSquad } from '../../src/resources/squads/outside/reconcile.ts'
import { DraftInput, PublishInput } from '../../src/resources/squads/schema.ts'
import { deleteSquad, draftSquad, publishSquad } from '../../src/resources/squads/service.ts'
import { request, type Simulated } from '../simulated.ts'
import { assistantsOf } from './assistants.ts'

const maxMembers = 3

/** The squads that may be there, by their references. */
export function squadsOf({ book }: Pick<Simulated, 'book'>): string[] {
  const mine = book.writes.filter(({ subject }) => subject === 'squad')
  const gone = mine.filter(({ action, outcome }) => action === 'delete' && outcome === 'done')
  const made = mine.filter(({ action }) => action === 'create').map(({ target }) => target)
  return made.filter((target) => !gone.some((one) => one.target === target))
}

interface Member {
  assistantId: string
  assistantDestinations?: { type: 'assistant'; assistantName: string }[]
}

/** Members of which each hands calls over to the next by its name, as far as the client can read that. */
async function handingOver(simulated: Simulated, chosen: readonly Member[]): Promise<Member[]> {
  const ctx = request(simulated)
  const read = async ({ assistantId }: Member) => ctx && findAssistant(ctx.db, ctx.scope, assistantId)
  const found = await Promise.all(chosen.map(read)).catch(() => [])
  return chosen.map((member, index) => {
    const next = found[index + 1]
    return next ? { ...member, assistantDestinations: [{ type: 'assistant', assistantName: next.name }] } : member
  })
}

/** Assistants that may be there, each once. */
function members(simulated: Simulated): Member[] {
  const { world } = simulated
  const left = new Set(assistantsOf(simulated))
  const count = world.random().between(1, maxMembers)
  return Array.from({ length: count }, () => {
    const chosen = world.random().pick([...left])
    if (chosen) left.delete(chosen)
    return chosen
  }).flatMap((assistantId) => (assistantId ? [{ assistantId }] : []))
}

/** A squad that may be there, as the client reads it: its id, which is another one once it was made again. */
async function read(simulated: Simulated) {
  const ctx = request(simulated)
  const ref = simulated.world.random().pick(squadsOf(simulated))
  const row = ctx && ref ? await findSquad(ctx, ctx.scope, { ref }).catch(() => undefined) : undefined
  return ctx && ref && row ? { ctx, ref, id: row.externalSquadId } : undefined
}

export async function create(simulated: Simulated): Promise<void> {
  if (squadsOf(simulated).length >= simulated.profile.maxAssistants) return update(simulated)
  const { book } = simulated
  const ctx = request(simulated)
  const chosen = await handingOver(simulated, members(simulated))
  if (!ctx?.idempotencyId || chosen.length === 0) return
  const token = book.token('q')
  const input = { name: token, members: chosen }
  // The platform knows nothing of a draft.
  const draft = await draftSquad(ctx, DraftInput.parse(input)).catch(() => undefined)
  if (!draft) return
  const write = { subject: 'squad', action: 'create', target: ctx.idempotencyId, token } as const
  const published = PublishInput.parse({ ...input, id: draft.external_squad_id })
  await book.attempt(write, () => publishSquad(ctx, published))
}

export async function update(simulated: Simulated): Promise<void> {
  const { book } = simulated
  const found = await read(simulated)
  const chosen = await handingOver(simulated, members(simulated))
  if (!found || chosen.length === 0) return
  const { ctx, ref: target, id } = found
  const token = book.token('q')
  const input = PublishInput.parse({ id, name: token, members: chosen })
  await book.attempt({ subject: 'squad', action: 'update', target, token }, () => publishSquad(ctx, input))
}

export async function remove(simulated: Simulated): Promise<void> {
  const { book } = simulated
  const found = await read(simulated)
  if (!found) return
  const { ctx, ref: target, id } = found
  const write = { subject: 'squad', action: 'delete', target, token: book.token('d') } as const
  await book.attempt(write, () => deleteSquad(ctx, { id }))
}

export async function reconcile(simulated: Simulated): Promise<void> {
  const { book, world } = simulated
  const found = await read(simulated)
  if (!found) return
  const { ctx, ref: target, id } = found
  const keep = world.random().chance(0.5) ? 'merge' : 'ours'
  const write = { subject: 'squad', action: 'reconcile', target, token: book.token('r') } as const
  await book.attempt(write, () => reconcileSquad(ctx, { id, keep }))
}
