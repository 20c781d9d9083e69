import { BuyInput, UpdateInput } from '../../src/resources/phone-numbers/schema.ts'
import { buyNumber, releaseNumber } from '../../src/resources/phone-numbers/service.ts'
import { updateNumber } from '../../src/resources/phone-numbers/write/configure.ts'
import { referenceOf } from '../outside/live-objects.ts'
import { request, type Simulated } from '../simulated.ts'
import { assistantsOf } from './assistants.ts'
import { numbers } from './pool.ts'
import { squadsOf } from './squads.ts'

const pick = (simulated: Simulated) => {
  const bought = simulated.book.writes.filter(({ subject, action }) => subject === 'number' && action === 'create')
  return simulated.world.random().pick(bought)?.target
}

export async function buy(simulated: Simulated, number?: string): Promise<void> {
  const { book, world } = simulated
  const [ctx, target] = [request(simulated), number ?? world.random().pick(numbers)]
  if (!ctx?.idempotencyId || !target) return
  const input = BuyInput.parse({ phone_number: target, name: book.token('n') })
  const write = { subject: 'number', action: 'create', target, token: ctx.idempotencyId } as const
  await book.attempt(write, () => buyNumber(ctx, input))
}

export async function route(simulated: Simulated, number?: string): Promise<void> {
  const { book, world, objects } = simulated
  const [ctx, target] = [request(simulated), number ?? pick(simulated)]
  if (!ctx || !target) return
  const refs = new Set([...assistantsOf(simulated), ...squadsOf(simulated)])
  const ours = [...objects.all.values()].filter((object) => refs.has(referenceOf(object) ?? ''))
  const token = book.token('n')
  const to = world.random().chance(0.7) ? world.random().pick(ours) : undefined
  const leads = to && (to.kind === 'squad' ? { voice_squad_id: to.id } : { voice_assistant_id: to.id })
  const input = UpdateInput.parse({ id: target.slice(1), name: token, ...leads })
  await book.attempt({ subject: 'number', action: 'update', target, token }, () => updateNumber(ctx, input))
}

export async function release(simulated: Simulated): Promise<void> {
  const { book } = simulated
  const [ctx, target] = [request(simulated), pick(simulated)]
  if (!ctx || !target) return
  const write = { subject: 'number', action: 'delete', target, token: book.token('d') } as const
  await book.attempt(write, () => releaseNumber(ctx, { id: target.slice(1) }))
}
