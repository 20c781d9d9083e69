import { objectAt, textAt } from './api.ts'
import { noted } from './record.ts'
import type { World } from './world.ts'

function members({ random, assistants }: World) {
  const ids = [...assistants.keys()]
  const first = random.pick(ids)
  const second = random.pick(ids.filter((id) => id !== first))
  return [first, second].flatMap((assistantId) => (assistantId ? [{ assistantId }] : []))
}

/** Makes a draft; its first token stays in its metadata, as its id changes when it is published. */
export async function draftSquad(world: World): Promise<void> {
  const token = world.book.token()
  const intent = { subject: 'squad', action: 'create', target: token, token } as const
  const body = { name: token, members: members(world), metadata: { key: token } }
  const { outcome, body: answer } = await noted(world, world.mirrored, intent, {
    method: 'POST',
    path: '/squads',
    body,
  })
  const id = textAt(objectAt(answer, 'data'), 'external_squad_id')
  if (outcome === 'done' && id) world.squads.set(token, id)
}

/** Publishes one under a new name, with other members. */
export async function publishSquad(world: World): Promise<void> {
  const chosen = world.random.pick([...world.squads])
  if (!chosen) return
  const [target, id] = chosen
  const token = world.book.token()
  const intent = { subject: 'squad', action: 'update', target, token } as const
  const body = { name: token, members: members(world) }
  const { outcome, body: answer } = await noted(world, world.mirrored, intent, {
    method: 'PUT',
    path: `/squads/${id}`,
    body,
  })
  const published = textAt(objectAt(answer, 'data'), 'external_squad_id')
  if (outcome === 'done' && published) world.squads.set(target, published)
}

export async function deleteSquad(world: World): Promise<void> {
  const chosen = world.random.pick([...world.squads])
  if (!chosen) return
  const [target, id] = chosen
  const intent = { subject: 'squad', action: 'delete', target, token: world.book.token() } as const
  const { outcome } = await noted(world, world.mirrored, intent, { method: 'DELETE', path: `/squads/${id}` })
  if (outcome === 'done') world.squads.delete(target)
}
