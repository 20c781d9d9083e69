import { secondsOf } from '../clients/assistants.ts'
import type { Sightings } from '../outside/sightings.ts'
import type { Simulated } from '../simulated.ts'
import type { State } from './state.ts'
import { type Violation, violation } from './violation.ts'

/** Whether what was changed on the dashboard is still to be found, and whether drift tells of nothing else. */
export function judgeOutside({ book, objects }: Simulated, state: State, sightings: Sightings): Violation[] {
  const found: Violation[] = []
  const ever = new Map<string, string>()
  for (const { id, body } of objects.all.values()) ever.set(id, JSON.stringify(body))
  const gone = new Set(book.edits.filter(({ action }) => action === 'delete').map(({ liveId }) => liveId))
  for (const { action, liveId, token, at, field } of book.edits) {
    if (action !== 'edit' || gone.has(liveId)) continue
    const record = state.assistants.find((one) => one.liveId === liveId)
    if (!record || sightings.unseen(liveId, at, field)) continue
    const drift = state.drifts.filter((one) => one.liveId === liveId)
    const told = [JSON.stringify(record.live), record.history, ever.get(liveId), ...drift.map(({ leaves }) => leaves)]
    // Who changes the same field again outside overwrites it there.
    const again = book.edits.some((one) => one.liveId === liveId && one.field === field && one.at > at)
    if (again || told.some((text) => text?.includes(`Changed by ${token}.`))) continue
    found.push(
      violation('outside')(`${token} at ${at.toFixed(0)} ms to ${field} of ${liveId} (${record.name}) is nowhere`),
    )
  }
  for (const { kind, liveId, ref, difference, leaves } of state.everDrifts) {
    const edits = book.edits.filter((one) => one.liveId === liveId)
    const expected = { changed: 'edit', missing: 'delete', unmanaged: 'create' }[difference]
    const isDuration = edits.some(({ token }) => leaves.includes(`"theirs":${secondsOf(token)}`))
    const isTheirs = difference !== 'changed' || leaves.includes('Changed by e') || isDuration
    if (isTheirs && edits.some(({ action }) => action === expected)) continue
    found.push(violation('no false drift')(`${difference} ${kind} ${ref ?? liveId}, which nobody touched: ${leaves}`))
  }
  return found
}
