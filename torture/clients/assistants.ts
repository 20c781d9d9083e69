import { objectAt, textAt } from './api.ts'
import { noted } from './record.ts'
import type { World } from './world.ts'

/** The name and the greeting are one write's, so that a mixture of two is seen. */
export const greetingOf = (token: string) => `Hello from ${token}`

/** Creates one, by the regular editor or by v2; its first token stays in its metadata. */
export async function createAssistant(world: World, builder: boolean): Promise<void> {
  const token = world.book.token()
  const intent = { subject: 'assistant', action: 'create', target: token, token } as const
  const metadata = { company_name: token }
  const body = builder
    ? { base_config_id: world.baseConfigId, name: token, first_message: greetingOf(token), metadata }
    : { name: token, firstMessage: greetingOf(token), metadata }
  const path = builder ? '/v2/assistants' : '/assistants'
  const { outcome, body: answer } = await noted(world, world.mirrored, intent, { method: 'POST', path, body })
  const id = textAt(objectAt(answer, 'data'), 'assistant_id')
  if (outcome === 'done' && id) world.assistants.set(id, builder)
}

/** Renames one by any editor that takes it. */
export async function updateAssistant(world: World): Promise<void> {
  const chosen = world.random.pick([...world.assistants])
  if (!chosen) return
  const [target, builder] = chosen
  const token = world.book.token()
  const editor = world.random.pick(builder ? ['v2', 'v2', 'regular', 'advanced'] : ['regular', 'regular', 'advanced'])
  const path = { v2: `/v2/assistants/${target}`, advanced: `/assistants/${target}/advanced` }[editor ?? '']
  const intent = { subject: 'assistant', action: 'update', target, token } as const
  const greeting = greetingOf(token)
  const body = editor === 'v2' ? { name: token, first_message: greeting } : { name: token, firstMessage: greeting }
  await noted(world, world.mirrored, intent, { method: 'PUT', path: path ?? `/assistants/${target}`, body })
}

/** Configures the widget of one. */
export async function updateEmbed(world: World): Promise<void> {
  const target = world.random.pick([...world.assistants.keys()])
  if (!target) return
  const token = world.book.token()
  const intent = { subject: 'embed', action: 'update', target, token } as const
  const body = { embed_config: { title: token, cta_title: token } }
  await noted(world, world.mirrored, intent, { method: 'PUT', path: `/assistants/${target}/embed`, body })
}

export async function deleteAssistant(world: World): Promise<void> {
  const target = world.random.pick([...world.assistants.keys()])
  if (!target) return
  const intent = { subject: 'assistant', action: 'delete', target, token: world.book.token() } as const
  const { outcome } = await noted(world, world.mirrored, intent, { method: 'DELETE', path: `/assistants/${target}` })
  if (outcome === 'done') world.assistants.delete(target)
}
