import { reconcileAssistant } from '../../src/resources/assistants/outside/reconcile.ts'
import { createAssistant } from '../../src/resources/assistants/write/create.ts'
import { deleteAssistant } from '../../src/resources/assistants/write/delete.ts'
import { CreateInput, UpdateInput } from '../../src/resources/assistants/write/schema.ts'
import { updateAssistant } from '../../src/resources/assistants/write/update.ts'
import { request, type Simulated } from '../simulated.ts'

const maxAssistants = 6

/** The assistants that may be there, by their public ids. */
export function assistantsOf({ book }: Pick<Simulated, 'book'>): string[] {
  const mine = book.writes.filter(({ subject }) => subject === 'assistant')
  const gone = new Set(
    mine.filter((one) => one.action === 'delete' && one.outcome === 'done').map(({ target }) => target),
  )
  const made = mine.filter(({ action, outcome }) => action === 'create' && outcome !== 'refused')
  return made.map(({ target }) => target).filter((target) => !gone.has(target))
}

const pick = (simulated: Simulated) => simulated.world.random().pick(assistantsOf(simulated))

/** The greeting that a write of this token sets, when it sets one. */
export const greetingOf = (token: string): string => `Hello from ${token}.`

export async function create(simulated: Simulated): Promise<void> {
  if (assistantsOf(simulated).length >= maxAssistants) return update(simulated)
  return make(simulated)
}

async function make(simulated: Simulated): Promise<void> {
  const { book } = simulated
  const ctx = request(simulated)
  if (!ctx?.idempotencyId) return
  const token = book.token('w')
  const input = CreateInput.parse({ name: token, first_message: greetingOf(token) })
  const write = { subject: 'assistant', action: 'create', target: ctx.idempotencyId, token } as const
  await book.attempt(write, () => createAssistant(ctx, input))
}

export async function update(simulated: Simulated): Promise<void> {
  const { book, world } = simulated
  const target = pick(simulated)
  if (!target) return make(simulated)
  const ctx = request(simulated)
  if (!ctx) return
  const token = book.token('w')
  const greeting = world.random().chance(0.5) && { first_message: greetingOf(token) }
  const input = UpdateInput.parse({ assistantId: target, name: token, ...greeting })
  const write = { subject: 'assistant', action: 'update', target, token, greets: greeting !== false } as const
  await book.attempt(write, () => updateAssistant(ctx, input))
}

export async function remove(simulated: Simulated): Promise<void> {
  const { book } = simulated
  const [ctx, target] = [request(simulated), pick(simulated)]
  if (!ctx || !target) return
  const write = { subject: 'assistant', action: 'delete', target, token: book.token('d') } as const
  await book.attempt(write, () => deleteAssistant(ctx, { assistantId: target }))
}

export async function reconcile(simulated: Simulated): Promise<void> {
  const { book, world } = simulated
  const [ctx, target] = [request(simulated), pick(simulated)]
  if (!ctx || !target) return
  const keep = world.random().chance(0.5) ? 'merge' : 'ours'
  const write = { subject: 'assistant', action: 'reconcile', target, token: book.token('r') } as const
  await book.attempt(write, () => reconcileAssistant(ctx, { assistantId: target, keep }))
}
