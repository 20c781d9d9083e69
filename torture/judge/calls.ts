import { readAll } from '../clients/api.ts'
import type { World } from '../clients/world.ts'
import type { Receiver } from '../outside/webhook-receiver.ts'

/** Calls that are not ended, or that nobody was told the end of. */
export async function openCalls({ calls, calledId, callIds }: World, receiver: Receiver): Promise<string[]> {
  const listed = await readAll(calls.servers, calls.token, `/assistants/${calledId}/calls`)
  const open = listed.flatMap(({ id, status }) => {
    if (status !== 'ended') return [`call ${id} is ${status}`]
    return receiver.reported.has(String(id)) ? [] : [`call ${id} has no end-of-call-report`]
  })
  const there = new Set(listed.map(({ id }) => id))
  const lost = [...callIds].filter((id) => !there.has(id)).map((id) => `call ${id} was answered and is not listed`)
  return [...open, ...lost]
}
