import { modelName } from '../outside/language-model.ts'
import { adminKey } from '../server/fleet.ts'
import { objectAt, textAt } from './api.ts'
import { noted } from './record.ts'
import type { World } from './world.ts'

/** What a client says in a turn. */
export const questionOf = (token: string) => `What is ${token}?`

/** What one payment brings, in micro-dollars. */
export const paymentMicroUsd = 30_000

/** One client's thread; `undefined` until it has one. */
export interface Thread {
  chatId?: string
}

/** Takes a turn in the client's own thread. */
export async function takeTurn(world: World, thread: Thread): Promise<void> {
  const { agentId, mirrored, book } = world
  if (!thread.chatId) {
    const intent = { subject: 'turn', action: 'create', target: 'thread', token: book.token() } as const
    const request = { method: 'POST', path: `/agents/${agentId}/chats`, body: {} } as const
    const { outcome, body } = await noted(world, mirrored, intent, request)
    if (outcome === 'done') thread.chatId = textAt(objectAt(body, 'data'), 'id')
    return
  }
  const token = book.token()
  const intent = { subject: 'turn', action: 'update', target: thread.chatId, token } as const
  const body = { content: questionOf(token), model: modelName }
  const path = `/agents/${agentId}/chats/${thread.chatId}/messages`
  await noted(world, mirrored, intent, { method: 'POST', path, body })
}

/** Pays into the workspace's balance. */
export async function pay(world: World): Promise<void> {
  const token = world.book.token()
  const { workspaceId } = world.mirrored
  const intent = { subject: 'credit', action: 'create', target: String(workspaceId), token } as const
  const body = { payment_id: token, amount_usd: paymentMicroUsd / 1_000_000 }
  const operator = { ...world.mirrored, token: adminKey }
  await noted(world, operator, intent, { method: 'POST', path: `/admin/workspaces/${workspaceId}/credits`, body })
}
