import type { PlantedBug } from './bug.ts'
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

/** A file's text with a bug in it. Throws when the place is not there, or more than once: then the bug means nothing. */
export function plant(text: string, { name, file, find, replace }: PlantedBug): string {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`"${name}" no longer fits ${file}: its place is there ${parts.length - 1} times`)
  return parts.join(replace)
}
