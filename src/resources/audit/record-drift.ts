import type { Transaction } from '../../db/client.ts'
import type { Clock } from '../../runtime/clock.ts'
import { holdsSecrets, namesSecret } from '../../secrets/leaves.ts'
import type { Announce } from '../../voice-platform/drift/findings.ts'
import { maskedValue } from '../history/mask.ts'
import { auditEntries } from './table.ts'

const isPlace = (key: string | undefined) => key !== undefined && /^\d+$/.test(key)

/** Whether all below the key at a place of a path is a secret. */
const hidesBelow = (key: string, at: number, keys: readonly string[]) =>
  namesSecret(key, isPlace(keys[at + 1]) ? [] : undefined) || holdsSecrets(key)

/** What readers see of a value at a dotted path: secrets are masked, with all below them, and the values of headers. */
export function shownAt(path: string, value: unknown): unknown {
  const keys = path.split('.')
  const isWithin = keys.slice(0, -1).some((key, at) => hidesBelow(key, at, keys))
  const key = isWithin ? 'secret' : (keys.findLast((name) => !isPlace(name)) ?? '')
  return maskedValue(key, value)
}

const sideOf = (path: string, name: 'from' | 'to', value: unknown) =>
  value === undefined ? {} : { [name]: shownAt(path, value) }

/** Adds to the audit trail that a live object was found to differ from its record (contract: drift 9). */
export const recordDrift =
  (clock: Clock): Announce =>
  async (tx: Transaction, { kind, ref, liveId, difference, leaves }) => {
    const changes =
      difference === 'changed'
        ? leaves.map(({ path, base, theirs }) => ({
            path,
            ...sideOf(path, 'from', base),
            ...sideOf(path, 'to', theirs),
          }))
        : [{ path: 'live_object', to: difference }]
    await tx.insert(auditEntries).values({
      action: 'drifted',
      subjectKind: kind,
      subjectId: ref ?? liveId,
      changes,
      createdAt: clock.now(),
    })
  }
