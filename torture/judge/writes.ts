import type { Subject, Write } from '../book.ts'
import { type Json, objectAt } from '../clients/api.ts'
import { greetingOf } from '../clients/assistants.ts'
import type { World } from '../clients/world.ts'
import type { State } from './state.ts'
import { clean, merge, type Verdict } from './verdict.ts'

/** A record as the judge sees it: what it was made as, and what it says now. */
interface Found {
  /** By which updates and deletes name it. */
  target: string
  /** The token of its create. */
  made: string
  /** The token that it shows now. */
  shown: string
}

export const describe = ({ subject, action, target, token, outcome, said, tries }: Write) =>
  `${action} of ${subject} ${target} (${token}, ${outcome}, tries ${tries}: ${said})`

/** What a record shows has to be a write's that was not refused, and that no acknowledged one came after. */
function judgeShown(found: Found, writes: readonly Write[]): Partial<Verdict> {
  const mine = writes.find(({ token }) => token === found.shown)
  if (!mine) return { divergences: [`${found.made} shows ${found.shown}, which nobody wrote`] }
  if (mine.outcome === 'refused') return { divergences: [`${found.made} shows a refused write: ${describe(mine)}`] }
  const lost = writes.find(
    (later) => later.outcome === 'done' && later.action === 'update' && later.startedAt > mine.endedAt,
  )
  return lost ? { losses: [`${found.made} shows ${found.shown}, and lost the ${describe(lost)}`] } : {}
}

/** A record that is there: made once, not refused, not deleted, and showing what it may. */
function judgeRecord(record: Found, writes: readonly Write[]): Verdict {
  const verdict = clean()
  const about = writes.filter(({ action, token, target }) =>
    action === 'create' ? token === record.made : target === record.target,
  )
  for (const write of about) {
    if (write.action === 'create' && write.outcome === 'refused') {
      verdict.divergences.push(`made although refused: ${describe(write)}`)
    }
    if (write.action === 'delete' && write.outcome === 'done') {
      verdict.divergences.push(`still there after the ${describe(write)}`)
    }
  }
  merge(verdict, judgeShown(record, about))
  return verdict
}

/** Acknowledged creates without a record, although nobody may have deleted it. */
function missing(records: readonly Found[], writes: readonly Write[]): string[] {
  const there = new Set(records.map(({ made }) => made))
  const creates = writes.filter((write) => write.action === 'create' && write.outcome === 'done')
  return creates.flatMap((create) => {
    const target = create.id ?? create.target
    const deleted = writes.some(
      (write) => write.action === 'delete' && write.outcome !== 'refused' && write.target === target,
    )
    return there.has(create.token) || deleted ? [] : [`gone without a delete: ${describe(create)}`]
  })
}

function judgeKind(subject: Subject, records: readonly Found[], all: readonly Write[]): Verdict {
  const writes = all.filter((write) => write.subject === subject)
  const verdict = clean()
  const seen = new Set<string>()
  for (const record of records) {
    if (seen.has(record.made)) verdict.divergences.push(`${subject} ${record.made} was made more than once`)
    seen.add(record.made)
    merge(verdict, judgeRecord(record, writes))
  }
  verdict.losses.push(...missing(records, writes))
  return verdict
}

const foundAssistant = (record: Json): Found => ({
  target: String(record.assistant_id),
  made: String(objectAt(record, 'metadata').company_name),
  shown: String(record.name),
})

const foundSquad = (record: Json): Found => {
  const key = String(objectAt(record, 'metadata').key)
  return { target: key, made: key, shown: String(record.name) }
}

/** Compares the records with what the clients were told of their writes. */
export function judgeWrites({ book }: Pick<World, 'book'>, state: State): Verdict {
  const foundNumber = (record: Json): Found => {
    const target = String(record.phone_number)
    const create = book.of('number', target).find(({ action }) => action === 'create')
    return { target, made: create?.token ?? target, shown: String(record.name) }
  }
  const verdict = clean()
  merge(verdict, judgeKind('assistant', state.assistants.map(foundAssistant), book.writes))
  merge(verdict, judgeKind('squad', state.squads.map(foundSquad), book.writes))
  merge(verdict, judgeKind('number', state.numbers.map(foundNumber), book.writes))
  for (const { name, first_message: greeting } of state.assistants) {
    if (greeting !== greetingOf(String(name))) {
      verdict.divergences.push(`assistant ${name} greets with another write's words: ${greeting}`)
    }
  }
  return verdict
}
