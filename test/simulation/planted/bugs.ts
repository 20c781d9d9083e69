import type { Place, PlantedBug } from './bug.ts'
import { journalBugs } from './journal.ts'
import { moneyBugs } from './money.ts'
import { numberBugs } from './numbers.ts'
import { outsideBugs } from './outside.ts'
import { squadBugs } from './squads.ts'
import { writeBugs } from './writes.ts'

/** Every planted bug. */
export const plantedBugs: PlantedBug[] = [
  ...journalBugs,
  ...writeBugs,
  ...outsideBugs,
  ...numberBugs,
  ...squadBugs,
  ...moneyBugs,
]

/** The places of a bug. */
export const placesOf = ({ behind, ...first }: PlantedBug): Place[] => [first, ...(behind ? [behind] : [])]

/**
 * A file's text with a bug in one of its places. Throws when the place is not there, or more than once: then the bug
 * means nothing.
 */
export function plant(text: string, name: string, { file, find, replace }: Place): string {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`"${name}" no longer fits ${file}: its place is there ${parts.length - 1} times`)
  return parts.join(replace)
}
