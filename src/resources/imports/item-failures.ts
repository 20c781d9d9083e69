import type { Database } from '../../db/client.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { type AdoptParts, type ImportItem, refuseItem } from './adopt-item.ts'
import { adopterOf } from './candidates.ts'

/** How often an object may fail that the platform has while it responds for others. */
const maxTries = 10

const probeMs = 20_000

/** Whether an object itself fails: without a usable response for it, while the platform lists others of its kind. */
export async function isOfItem(
  { platform }: Pick<AdoptParts, 'platform'>,
  item: ImportItem,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof PlatformError) || error.kind !== 'unknown') return false
  try {
    for await (const _page of adopterOf(item.kind).pages(platform, { timeoutMs: probeMs })) break
    return true
  } catch (failed) {
    if (failed instanceof PlatformError) return false
    throw failed
  }
}

/** How often each object failed since this process started. */
export function itemFailures(db: Database) {
  const tries = new Map<number, number>()
  return {
    /** Counts a failure. The last one refuses the object, so that what comes after it is not held up for ever; returns whether it did. */
    async ends(item: ImportItem): Promise<boolean> {
      const count = (tries.get(item.id) ?? 0) + 1
      if (count < maxTries) {
        tries.set(item.id, count)
        return false
      }
      await refuseItem(db, item, `The live platform has failed ${maxTries} times to answer for it.`)
      tries.delete(item.id)
      return true
    },
  }
}
