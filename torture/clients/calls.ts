import { objectAt, textAt } from './api.ts'
import { noted } from './record.ts'
import type { World } from './world.ts'

/** Has a simulated call, which takes as long as the language model does. */
export async function takeCall(world: World): Promise<void> {
  const { calledId, calls, book } = world
  const token = book.token()
  const intent = { subject: 'call', action: 'create', target: token, token } as const
  const body = { messages: [`My name is ${token}.`, 'Thank you, goodbye.'] }
  const path = `/assistants/${calledId}/test-calls`
  const { outcome, body: answer } = await noted(world, calls, intent, { method: 'POST', path, body })
  const id = textAt(objectAt(answer, 'data'), 'id')
  if (outcome === 'done' && id) world.callIds.add(id)
}
