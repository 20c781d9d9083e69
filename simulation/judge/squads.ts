import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import type { Simulated } from '../simulated.ts'
import type { State } from './state.ts'
import { type Violation, violation } from './violation.ts'

const apart = violation('both sides')

/** Where squads and their objects are apart, and whether each names assistants that are there, by their objects. */
export function judgeSquads({ objects }: Simulated, { squads, assistants, drifts }: State): Violation[] {
  const open = new Set(drifts.map(({ liveId }) => liveId))
  return squads.flatMap(({ ref, liveId, name, status, live, members, named }) => {
    const found: Violation[] = []
    // A draft may name what is not there, or not yet.
    if (status !== 'published') return found
    const known = members.map((member) => assistants.find((one) => one.ref === member))
    const ids = new Set(known.map((one) => one?.id))
    if (ids.has(undefined)) found.push(apart(`squad ${ref} (${name}) names an assistant that is gone`))
    else if (ids.size !== named.length || !named.every((id) => ids.has(id))) {
      found.push(apart(`squad ${ref} (${name}) names others than it is noted to`))
    }
    if (open.has(liveId)) return found
    const object = objects.all.get(liveId)
    if (!object) return [...found, apart(`the object of squad ${ref} (${name}) is gone`)]
    const paths = live ? liveDiffers(live, object.body) : ['']
    if (paths.length > 0) found.push(apart(`squad ${ref} (${name}) differs from its object at ${paths.join(', ')}`))
    const targets = live?.members.flatMap(({ assistantDestinations = [] }) => assistantDestinations) ?? []
    const stale = targets.filter(({ assistantName }) => !known.some((one) => one?.name === assistantName))
    if (stale.length > 0) {
      found.push(apart(`squad ${ref} (${name}) hands over to ${stale[0]?.assistantName}, which no member is called`))
    }
    const told = live?.members.map(({ assistantId }) => assistantId) ?? []
    if (told.join() !== known.map((one) => one?.liveId).join()) {
      found.push(apart(`squad ${ref} (${name}) leads to objects that its assistants do not have`))
    }
    return found
  })
}
