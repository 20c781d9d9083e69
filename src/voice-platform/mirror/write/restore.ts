import type { DriftResolution } from '../../drift/table.ts'
import { OutcomeUnknownError } from '../outcome.ts'
import type { RemoteKind } from '../remote-kind.ts'
import type { Steps } from './steps.ts'

/** How long one live call may take. */
const timeoutMs = 8_000

/** Makes the live object of a record again when it is gone, as its only writer. */
export function createRestore({ asOnlyWriter, reapply, abandon }: Steps) {
  return (remote: RemoteKind, ref: string, check: () => Promise<void>, resolution?: DriftResolution): Promise<void> =>
    asOnlyWriter({ kind: remote.kind, ref, action: 'update' }, async (entry) => {
      try {
        await check()
        await reapply(remote, entry, { ...entry.call, timeoutMs }, resolution)
      } catch (error) {
        // What may have been made is looked at by recovery, which then makes it.
        const ended = await abandon(entry, error)
        throw ended && !entry.inDoubt ? error : new OutcomeUnknownError(error)
      }
    })
}
