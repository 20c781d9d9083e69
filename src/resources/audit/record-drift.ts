import type { Transaction } from '../../db/client.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Announce } from '../../voice-platform/drift/findings.ts'
import { shown } from '../history/diff.ts'
import { auditEntries } from './table.ts'

/** What readers see of a value at a dotted path: secrets are masked, the values of headers as well. */
export function shownAt(path: string, value: unknown): unknown {
  const keys = path.split('.')
  const isHeader = keys.includes('headers')
  const key = isHeader ? 'secret' : (keys.findLast((name) => !/^\d+$/.test(name)) ?? '')
  return shown(key, value)
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
