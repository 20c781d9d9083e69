import { describe, type Write } from '../book.ts'
import type { Engine } from '../database/engine.ts'
import type { Server } from '../database/server.ts'
import type { Simulated } from '../simulated.ts'
import { judgeWallet } from './money.ts'
import { violation } from './violation.ts'

interface Seen {
  /** Whether the resource has a record. */
  there: boolean
  /** Whether what was written is in that, or in its history. */
  kept: boolean
  /** The assistants whose record and its live body say other durations. */
  apart: string[]
  /** Numbers that are recorded, or whose purchase is under way. */
  numbers: string[]
}

/** What the database says right after a write ended. */
async function see({ handle }: Engine, { subject, target, token }: Write): Promise<Seen | undefined> {
  const numbers = handle.sql`(select coalesce(json_agg(number), '[]') from (select phone_number as number from phone_numbers
    union select phone_number from phone_number_purchases) as known)`
  const apart = handle.sql`(select coalesce(json_agg(name), '[]') from assistants
    where config->>'maxDurationSeconds' is distinct from live->>'maxDurationSeconds') as apart`
  const ways = {
    assistant: () => handle.sql<Seen[]>`
      select exists (select 1 from assistants where assistant_id::text = ${target}) as there,
        exists (select 1 from assistant_versions v join assistants a on a.id = v.assistant_id
          where a.assistant_id::text = ${target} and v.configuration->>'name' = ${token}) as kept, ${numbers} as numbers, ${apart}`,
    squad: () => handle.sql<Seen[]>`
      select exists (select 1 from squads where ref::text = ${target}) as there,
        exists (select 1 from squads where ref::text = ${target}) as kept, ${numbers} as numbers, ${apart}`,
    number: () => handle.sql<Seen[]>`
      select exists (select 1 from phone_numbers where phone_number = ${target}) as there,
        exists (select 1 from phone_numbers where purchase_ref::text = ${token}) as kept, ${numbers} as numbers, ${apart}`,
    turn: () => handle.sql<Seen[]>`
      select true as there, exists (select 1 from ledger where turn_id = ${target}) as kept, ${numbers} as numbers, ${apart}`,
    payment: () => handle.sql<Seen[]>`
      select true as there, exists (select 1 from ledger where payment_id = ${target}) as kept, ${numbers} as numbers, ${apart}`,
  }
  const [row] = await ways[subject]()
  return row
}

/** Looks at what is cheap to see after each write that has ended, as soon as no transaction is open. */
export function createLookout({ engine, server }: { engine: Engine; server: Pick<Server, 'isBusy' | 'whenFree'> }) {
  const judgeWrite = (simulated: Simulated, write: Write, { there, kept }: Seen) => {
    const { book, objects, profile, weather } = simulated
    const { subject, target, action, token } = write
    if (write.outcome !== 'done') {
      const isKnown = book.writes.some(
        (one) => one.target === target && one.action === 'create' && one.endedAt <= write.startedAt,
      )
      if (profile.calm && weather.bad && (isKnown || action === 'create'))
        book.breaks(violation('serves')(describe(write)))
      return
    }
    const isDeleted = book.writes.some(
      (one) => one.target === target && one.action === 'delete' && one.outcome !== 'refused',
    )
    if (action === 'delete' && subject !== 'number') {
      const isMadeAgain = book.writes.some(
        (one) => one.target === target && one.action === 'create' && one.endedAt > write.startedAt,
      )
      if (there && !isMadeAgain) book.breaks(violation('deleted')(`still there right after the ${describe(write)}`))
      return
    }
    if (isDeleted || action === 'delete' || action === 'reconcile') return
    const isKept = subject === 'number' && action !== 'create' ? there : kept
    if (!there || !isKept) book.breaks(violation('acknowledged')(`not there right after the ${describe(write)}`))
    const isLive = subject === 'assistant' || subject === 'squad'
    if (isLive && !objects.wasCalled(token)) {
      book.breaks(violation('live first')(`the platform never heard of the ${describe(write)}`))
    }
  }

  const judgeNumbers = ({ book, carrier }: Simulated, { numbers }: Seen) => {
    const references = carrier.charges.map(({ reference }) => reference)
    if (new Set(references).size < references.length) book.breaks(violation('paid once')('a purchase was paid twice'))
    for (const number of carrier.owned.keys()) {
      if (!numbers.includes(number)) book.breaks(violation('paid once')(`${number} is paid for, and nothing says so`))
    }
  }

  return (simulated: Simulated, write: Write): void => {
    const look = async () => {
      if (server.isBusy()) return server.whenFree(look)
      const seen = await see(engine, write)
      if (!seen) return
      judgeWrite(simulated, write, seen)
      judgeNumbers(simulated, seen)
      for (const name of seen.apart) {
        simulated.book.breaks(violation('both sides')(`${name} and what its object is told differ unnoticed`))
      }
      for (const broken of await judgeWallet(engine, simulated.book.writes)) simulated.book.breaks(broken)
    }
    server.whenFree(look)
  }
}
