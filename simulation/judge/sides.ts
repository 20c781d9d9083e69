import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import type { Simulated } from '../simulated.ts'
import type { State } from './state.ts'
import { type Violation, violation } from './violation.ts'

const apart = violation('both sides')

/** Where records and objects are apart; objects of which drift tells are left out while it is open. */
export function judgeSides({ objects, book }: Simulated, state: State): Violation[] {
  const found: Violation[] = []
  const open = new Set(state.drifts.map(({ liveId }) => liveId))
  const named = new Set<string | null>()
  for (const { ref, liveId, name, live, seconds } of state.assistants) {
    named.add(liveId)
    if (open.has(liveId)) continue
    const object = objects.all.get(liveId)
    if (!object) {
      found.push(apart(`the object of assistant ${ref} (${name}) is gone`))
      continue
    }
    const paths = liveDiffers(live, object.body)
    if (paths.length > 0) found.push(apart(`assistant ${ref} (${name}) differs from its object at ${paths.join(', ')}`))
    const there = object.body.maxDurationSeconds
    if (Number(seconds) !== there)
      found.push(apart(`assistant ${ref} (${name}) says ${seconds} seconds, and ${there} there`))
  }
  for (const { liveId, status } of state.squads) if (status === 'published') named.add(liveId)
  const liveIds = new Map(state.assistants.map(({ id, liveId }) => [id, liveId]))
  const squadLiveIds = new Map(state.squads.map(({ id, liveId }) => [id, liveId]))
  for (const { number, liveId, name, status, target, targetLiveId, squad, squadLiveId } of state.numbers) {
    named.add(liveId)
    if (status !== 'owned') continue
    const object = liveId === null ? undefined : objects.all.get(liveId)
    if (!object) {
      found.push(apart(`number ${number} is not on the platform`))
      continue
    }
    const { body } = object
    if ((body.name || null) !== name) found.push(apart(`number ${number} is called ${name}, and ${body.name} there`))
    if ((body.assistantId ?? null) !== targetLiveId) {
      found.push(apart(`number ${number} leads to ${targetLiveId}, and to ${body.assistantId} there`))
    }
    if ((body.squadId ?? null) !== squadLiveId) {
      found.push(apart(`number ${number} leads to ${squadLiveId}, and to squad ${body.squadId} there`))
    }
    if (squad !== null && squadLiveIds.get(squad) !== squadLiveId) {
      found.push(apart(`number ${number} leads to an object that its squad no longer has`))
    }
    if (target !== null && liveIds.get(target) !== targetLiveId) {
      found.push(apart(`number ${number} leads to an object that its assistant no longer has`))
    }
  }
  const strays = new Set(book.edits.filter(({ action }) => action === 'create').map(({ liveId }) => liveId))
  for (const { id, kind, body } of objects.all.values()) {
    if (named.has(id) || strays.has(id)) continue
    found.push(apart(`the ${kind} ${id} (${body.name ?? body.number}) has no record`))
  }
  return found
}
