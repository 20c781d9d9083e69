import type { Database } from '../../db/client.ts'
import { isDatabaseFault } from '../../db/unreachable.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { showsAnother } from '../../voice-platform/shows-another.ts'
import { importerOf } from './candidates.ts'
import { type ImportItem, type ImportParts, refuseItem } from './import-item.ts'

/** How often an object may fail where others are seen not to. */
const maxTries = 10
/**
 * How often where none is seen not to: for a quarter of an hour at least, as the pause between two tries is ten
 * seconds.
 */
const maxTriesAlone = 100

const readMs = 20_000

/** What fails of an object: reading it, giving it our reference, or our own work on it. */
export type ItemFault = 'read' | 'write' | 'work'

const reasons: Record<ItemFault, (tries: number) => string> = {
  read: (tries) => `The live platform has failed ${tries} times to show it.`,
  write: (tries) => `The live platform has failed ${tries} times to take our reference.`,
  work: (tries) => `Taking it over has failed ${tries} times.`,
}

/**
 * What fails of an object itself, as far as can be told, undefined for what stops every object: a side that is out of
 * reach, or a platform that shows no other object of the kind. A write that fails may be the platform's trouble.
 */
export async function faultOf(
  parts: Omit<ImportParts, 'bases'>,
  { kind, liveId }: ImportItem,
  error: unknown,
): Promise<ItemFault | undefined> {
  if (isDatabaseFault(error)) return undefined
  if (!(error instanceof PlatformError)) return 'work'
  if (error.kind !== 'unknown') return undefined
  const { remote, mark } = importerOf(kind)
  const { live } = remote(parts)
  const options = { timeoutMs: readMs, countsFailure: false }
  try {
    const isReadable = await live.get(liveId, options).then(
      () => true,
      (failed: unknown) => {
        if (failed instanceof PlatformError) return false
        throw failed
      },
    )
    if (isReadable) return mark && 'write'
    return (await showsAnother(live, new Set([liveId]), options)) === false ? undefined : 'read'
  } catch (failed) {
    if (failed instanceof PlatformError) return undefined
    throw failed
  }
}

/** How often each object failed since this process started. */
export function itemFailures(db: Database) {
  const failed = new Map<string, { tries: number; adoptedBefore: number }>()
  let adopted = 0
  return {
    noteAdopted() {
      adopted += 1
    },

    /**
     * Counts a failure. The last one refuses the object, so that what comes after it is not held up for ever: the
     * tenth, or the hundredth where no other object was adopted since the first and so nothing says that the fault is
     * its own. Returns whether it did.
     */
    async ends(item: ImportItem, fault: ItemFault): Promise<boolean> {
      const key = `${item.id} ${fault}`
      const { tries, adoptedBefore } = failed.get(key) ?? { tries: 0, adoptedBefore: adopted }
      const max = fault === 'read' || adopted > adoptedBefore ? maxTries : maxTriesAlone
      if (tries + 1 < max) {
        failed.set(key, { tries: tries + 1, adoptedBefore })
        return false
      }
      await refuseItem(db, item, reasons[fault](tries + 1))
      failed.delete(key)
      return true
    },
  }
}
