import { reconcileAssistant } from '../../src/resources/assistants/outside/reconcile.ts'
import { createAssistant } from '../../src/resources/assistants/write/create.ts'
import { deleteAssistant } from '../../src/resources/assistants/write/delete.ts'
import { CreateInput, UpdateInput } from '../../src/resources/assistants/write/schema.ts'
import { updateAssistant } from '../../src/resources/assistants/write/update.ts'
import type { Write } from '../book.ts'
import { request, type Simulated } from '../simulated.ts'
import { numbers } from './pool.ts'

/** For so long a create of which nothing was heard may still be made, in milliseconds. */
const makingMs = 30_000

/** Whether this is how a client hears that there is no such assistant, some time after it was to be made. */
const isMissing = ({ outcome, said, startedAt }: Write, made: Write) =>
  outcome === 'refused' && said.endsWith('not found') && startedAt > Math.min(made.endedAt, made.startedAt + makingMs)

/** The assistants that may be there, by their public ids, each once: neither deleted nor found to be missing. */
export function assistantsOf({ book }: Pick<Simulated, 'book'>): string[] {
  const mine = book.writes.filter(({ subject }) => subject === 'assistant')
  const made = new Map<string, Write>()
  for (const write of mine) if (write.action === 'create' && write.outcome !== 'refused') made.set(write.target, write)
  for (const write of mine) {
    const create = made.get(write.target)
    const isDeleted =
      write.action === 'delete' && write.outcome === 'done' && create && write.endedAt > create.startedAt
    if (create && (isDeleted || isMissing(write, create))) made.delete(write.target)
  }
  return [...made.keys()]
}

const pick = (simulated: Simulated) => simulated.world.random().pick(assistantsOf(simulated))

/** The greeting that a write of this token sets, when it sets one. */
export const greetingOf = (token: string): string => `Hello from ${token}.`

/** What everybody chooses from for the longest duration, in seconds. */
const durations = [100, 200] as const

/**
 * The duration that a write or an edit of this token sets, when it sets one: clients mean the one most of the time, the
 * person on the dashboard the other, so that what was changed outside is often set back. None of it is chance: seeds go
 * on as they did before.
 */
export function secondsOf(token: string): number | undefined {
  const [usual, other] = token.startsWith('e') ? durations.toReversed() : durations
  const mixed = (Math.imul(Number(token.slice(1)), 0x9e3779b1) >>> 24) % 8
  if (mixed < 2) return other
  return mixed < 7 || token.startsWith('e') ? usual : undefined
}

/** The duration that a new one begins with. */
const firstSeconds = (token: string): number => secondsOf(token) ?? durations[0]

export async function create(simulated: Simulated): Promise<void> {
  if (assistantsOf(simulated).length >= simulated.profile.maxAssistants) return update(simulated)
  return make(simulated)
}

/** Makes one with a number that was bought and leads nowhere, or another one that is to be bought first. */
export async function createWithNumber(simulated: Simulated): Promise<void> {
  if (assistantsOf(simulated).length >= simulated.profile.maxAssistants) return remove(simulated)
  return make(simulated, simulated.world.random().pick(numbers))
}

/** A client that does not know what became of its create asks for the same again, under the same key. */
export async function createAgain(simulated: Simulated): Promise<void> {
  const { book, world, profile } = simulated
  const left = book.writes.filter(
    ({ subject, action, outcome }) => subject === 'assistant' && action === 'create' && outcome === 'open',
  )
  const isUnderWay = (one: Write) => !Number.isFinite(one.endedAt) && one.startedAt > world.now() - profile.retryMs
  const idle = left.filter(({ target }) => !book.writes.some((one) => one.target === target && isUnderWay(one)))
  const before = world.random().pick(idle.slice(-3))
  const ctx = request(simulated)
  if (!before || !ctx) return create(simulated)
  const { target, token } = before
  const input = CreateInput.parse({
    name: token,
    firstMessage: greetingOf(token),
    maxDurationSeconds: firstSeconds(token),
  })
  const write = { subject: 'assistant', action: 'create', target, token } as const
  await book.attempt(write, () => createAssistant({ ...ctx, idempotencyId: target }, input))
}

async function make(simulated: Simulated, number?: string): Promise<void> {
  const { book } = simulated
  const ctx = request(simulated)
  if (!ctx?.idempotencyId) return
  const token = book.token('w')
  const input = CreateInput.parse({
    name: token,
    firstMessage: greetingOf(token),
    maxDurationSeconds: firstSeconds(token),
    ...(number && { selected_phone_number: number }),
  })
  const write = { subject: 'assistant', action: 'create', target: ctx.idempotencyId, token } as const
  await book.attempt(write, () => createAssistant(ctx, input))
}

export async function update(simulated: Simulated, chosen?: string): Promise<void> {
  const { book, world } = simulated
  const target = chosen ?? pick(simulated)
  if (!target) return make(simulated)
  const ctx = request(simulated)
  if (!ctx) return
  const token = book.token('w')
  const greeting = world.random().chance(0.5) && { firstMessage: greetingOf(token) }
  const seconds = secondsOf(token)
  const duration = seconds !== undefined && { maxDurationSeconds: seconds }
  const input = UpdateInput.parse({ assistantId: target, name: token, ...greeting, ...duration })
  const write = { subject: 'assistant', action: 'update', target, token, greets: greeting !== false } as const
  await book.attempt(write, () => updateAssistant(ctx, 'regular', input))
}

export async function remove(simulated: Simulated, chosen?: string): Promise<void> {
  const { book } = simulated
  const [ctx, target] = [request(simulated), chosen ?? pick(simulated)]
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
