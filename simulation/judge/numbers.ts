import { describe } from '../book.ts'
import type { Simulated } from '../simulated.ts'
import type { State } from './state.ts'
import { type Violation, violation } from './violation.ts'

const paid = violation('paid once')

/** Compares what the carrier was paid for with who has the numbers. */
export function judgeNumbers({ book, carrier }: Simulated, { numbers }: State): Violation[] {
  const found: Violation[] = []
  const references = new Set<string>()
  for (const { number, reference } of carrier.charges) {
    if (references.has(reference)) found.push(paid(`${number} was paid twice by ${reference}`))
    references.add(reference)
  }
  for (const { number, reference, id } of carrier.owned.values()) {
    const record = numbers.find((one) => one.number === number)
    if (!record) found.push(paid(`${number} is paid for by ${reference}, and nobody has it`))
    else if (record.carrierId !== id)
      found.push(paid(`${number} is recorded as another purchase than the one that is paid`))
  }
  for (const { number, carrierId } of numbers) {
    if (carrier.owned.get(number)?.id !== carrierId)
      found.push(paid(`${number} is recorded, and not ours at the carrier`))
  }
  const mine = book.writes.filter(({ subject }) => subject === 'number')
  for (const write of mine.filter(({ action }) => action === 'create')) {
    const isReleased = mine.some(
      ({ action, target, outcome, endedAt }) =>
        action === 'delete' && target === write.target && outcome !== 'refused' && endedAt > write.startedAt,
    )
    // Who releases it meanwhile may have its buyer told that there is no such number.
    if (isReleased) continue
    const isThere = numbers.some(({ purchaseRef }) => purchaseRef === write.token)
    if (write.outcome === 'refused' && references.has(write.token)) {
      found.push(paid(`paid although refused: ${describe(write)}`))
    }
    if (write.outcome === 'done' && !isThere) found.push(violation('acknowledged')(`nowhere: ${describe(write)}`))
  }
  return found
}
