import type { Database } from '../../db/client.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { type AdoptParts, type ImportItem, refuseItem } from './adopt-item.ts'
import { adopterOf } from './candidates.ts'

/** How often an object may fail to be read that others of its kind can be. */
const maxTries = 10

const readMs = 20_000

type Platform = Pick<AdoptParts, 'platform'>

/** Whether the platform shows an object; throws what is not the platform's failure. */
async function canRead({ platform }: Platform, { kind }: ImportItem, id: string): Promise<boolean> {
  try {
    await adopterOf(kind).get(platform, id, { timeoutMs: readMs })
    return true
  } catch (error) {
    if (error instanceof PlatformError) return false
    throw error
  }
}

/** An object of the same kind, or undefined where there is none; throws while the platform lists none. */
async function anotherOf({ platform }: Platform, { kind, liveId }: ImportItem): Promise<string | undefined> {
  for await (const page of adopterOf(kind).pages(platform, { timeoutMs: readMs })) {
    const other = page.find(({ id }) => id !== liveId)
    if (other) return other.id
  }
  return undefined
}

/** Whether an object itself fails: it cannot be read, and others of its kind can. A write that fails may be the platform's trouble. */
export async function isOfItem(parts: Platform, item: ImportItem, error: unknown): Promise<boolean> {
  if (!(error instanceof PlatformError) || error.kind !== 'unknown') return false
  try {
    if (await canRead(parts, item, item.liveId)) return false
    const other = await anotherOf(parts, item)
    return other === undefined || (await canRead(parts, item, other))
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
      await refuseItem(db, item, `The live platform has failed ${maxTries} times to show it.`)
      tries.delete(item.id)
      return true
    },
  }
}
