import { noted } from './record.ts'
import type { World } from './world.ts'

/** Numbers that no client of any round tried to buy before. */
const areaCodes = ['212', '305', '312', '415', '512']
let bought = 0

function nextNumber(): string {
  bought += 1
  const line = String(Math.floor(bought / areaCodes.length)).padStart(4, '0')
  return `+1${areaCodes[bought % areaCodes.length]}555${line}`
}

export async function buyNumber(world: World): Promise<void> {
  const target = nextNumber()
  const token = world.book.token()
  const intent = { subject: 'number', action: 'create', target, token } as const
  const body = { phone_number: target, name: token }
  const { outcome } = await noted(world, world.mirrored, intent, { method: 'POST', path: '/phone-numbers', body })
  if (outcome === 'done') world.numbers.add(target)
}

/** Renames one, and leads it to an assistant, a squad or nowhere. */
export async function updateNumber(world: World): Promise<void> {
  const { random } = world
  const target = random.pick([...world.numbers])
  if (!target) return
  const token = world.book.token()
  const published = [...world.squads.values()].filter((id) => !id.startsWith('draft_'))
  const squad = random.chance(0.3) ? random.pick(published) : undefined
  const assistant = random.chance(0.8) ? random.pick([...world.assistants.keys()]) : null
  const route = squad ? { voice_squad_id: squad } : { voice_assistant_id: assistant ?? null }
  const intent = { subject: 'number', action: 'update', target, token } as const
  const body = { name: token, ...route }
  await noted(world, world.mirrored, intent, { method: 'PUT', path: `/phone-numbers/${target.slice(1)}`, body })
}

export async function releaseNumber(world: World): Promise<void> {
  const target = world.random.pick([...world.numbers])
  if (!target) return
  const intent = { subject: 'number', action: 'delete', target, token: world.book.token() } as const
  const path = `/phone-numbers/${target.slice(1)}`
  const { outcome } = await noted(world, world.mirrored, intent, { method: 'DELETE', path })
  if (outcome === 'done') world.numbers.delete(target)
}
