import { describe, type Write } from '../book.ts'
import { greetingOf } from '../clients/assistants.ts'
import { referenceOf } from '../outside/live-objects.ts'
import type { Sightings } from '../outside/sightings.ts'
import type { Simulated } from '../simulated.ts'
import type { AssistantState, State } from './state.ts'
import { type Violation, violation } from './violation.ts'

/** Letters and numbers that tokens are made of; no part of an id. */
const words = (text: string) => new Set(text.match(/(?<![\w-])[a-z]\d+(?![\w-])/g))

/**
 * What a resource shows has to be a write's that was not refused, and that no acknowledged one came after; those before
 * `madeAt` may have gone with what was deleted.
 */
function judgeShown(
  record: Pick<AssistantState, 'ref' | 'name'>,
  writes: readonly Write[],
  madeAt = Number.NEGATIVE_INFINITY,
): Violation[] {
  const mine = writes.find(({ token }) => token === record.name)
  if (!mine) return [violation('both sides')(`${record.ref} is called ${record.name}, as nobody called it`)]
  const shownAt = Math.max(mine.endedAt, madeAt)
  const later = writes.find((one) => one.outcome === 'done' && one.action === 'update' && one.startedAt > shownAt)
  return later ? [violation('acknowledged')(`${record.ref} shows ${record.name}, and lost the ${describe(later)}`)] : []
}

/** A squad has no history: it shows a write that was not refused, and that no acknowledged one came after. */
export function judgeSquadWrites({ book }: Simulated, { squads }: State): Violation[] {
  const all = book.writes.filter(({ subject }) => subject === 'squad')
  return [...new Set(all.map(({ target }) => target))].flatMap((target) => {
    const writes = all.filter((write) => write.target === target)
    const record = squads.find(({ ref, status }) => ref === target && status === 'published')
    const deletes = writes.filter(({ action, outcome }) => action === 'delete' && outcome !== 'refused')
    const made = writes.find(
      ({ action, outcome }) => (action === 'create' || action === 'update') && outcome === 'done',
    )
    if (!record) {
      return made && deletes.length === 0 ? [violation('acknowledged')(`gone without a delete: ${describe(made)}`)] : []
    }
    const deleted = deletes.find(({ outcome }) => outcome === 'done')
    const saves = writes.filter(({ action }) => action === 'create' || action === 'update')
    const refused = saves.find(({ token, outcome }) => token === record.name && outcome === 'refused')
    return [
      ...(deleted ? [violation('deleted')(`still there after the ${describe(deleted)}`)] : []),
      ...(refused ? [violation('refused')(`shown although refused: ${describe(refused)}`)] : []),
      ...judgeShown(record, saves),
    ]
  })
}

/** Compares the assistants with what clients were told. */
export function judgeWrites({ book, objects }: Simulated, { assistants }: State, sightings: Sightings): Violation[] {
  const found: Violation[] = []
  const all = book.writes.filter(({ subject }) => subject === 'assistant')
  const records = new Map(assistants.map((record) => [record.ref, record]))
  const targets = new Set(all.map(({ target }) => target))
  for (const target of targets) {
    const writes = all.filter((write) => write.target === target)
    const record = records.get(target)
    const deletes = writes.filter(({ action, outcome }) => action === 'delete' && outcome !== 'refused')
    const created = writes.find(({ action, outcome }) => action === 'create' && outcome === 'done')
    if (!record) {
      if (created && deletes.length === 0)
        found.push(violation('acknowledged')(`gone without a delete: ${describe(created)}`))
      continue
    }
    // Who asks for a create again after a delete makes another one.
    const creates = writes.filter(({ action }) => action === 'create')
    const lastMade = Math.max(...creates.map(({ endedAt }) => endedAt))
    const isMadeAgain = creates.length > 1 && deletes.some(({ startedAt }) => startedAt < lastMade)
    const madeAt = isMadeAgain ? lastMade : Number.NEGATIVE_INFINITY
    const deleted = deletes.find(({ outcome, startedAt }) => outcome === 'done' && startedAt > lastMade)
    if (deleted) found.push(violation('deleted')(`still there after the ${describe(deleted)}`))
    const isOfTarget = (liveId: string) => {
      const object = objects.ever(liveId)
      return object !== undefined && referenceOf(object) === target
    }
    const taken = deletes.find(
      ({ actor, startedAt, endedAt }) => startedAt > lastMade && sightings.deletedBy(actor, endedAt).some(isOfTarget),
    )
    if (taken && !deleted) found.push(violation('deleted')(`made again after it was taken by the ${describe(taken)}`))
    found.push(
      ...judgeShown(
        record,
        writes.filter(({ action }) => action === 'create' || action === 'update'),
        madeAt,
      ),
    )
    const live = objects.all.get(record.liveId)
    const tokens = words(
      `${record.name} ${JSON.stringify(record.live)} ${record.history} ${JSON.stringify(live?.body)}`,
    )
    for (const write of writes.filter(({ action }) => action === 'create' || action === 'update')) {
      const isShown = tokens.has(write.token)
      const again = writes.some(({ token, outcome }) => token === write.token && outcome !== 'refused')
      if (write.outcome === 'refused' && isShown && !again) {
        found.push(violation('refused')(`shown although refused: ${describe(write)}`))
      }
      if (write.outcome === 'done' && write.startedAt > madeAt && !isShown)
        found.push(violation('acknowledged')(`nowhere: ${describe(write)}`))
    }
  }
  for (const { ref, name, live } of assistants) {
    const greeting = String(live.firstMessage ?? '')
    const [said] = words(greeting)
    if (said?.startsWith('w') && greeting === greetingOf(said)) {
      const write = all.find(({ token }) => token === said)
      if (write?.target !== ref)
        found.push(violation('both sides')(`${ref} (${name}) greets with another's words: ${greeting}`))
    }
  }
  return found
}
