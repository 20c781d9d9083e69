import type { Transaction } from '../../../db/client.ts'
import type { DriftResolution } from '../../drift/table.ts'
import { managedOf, recordedIn } from '../agreement/base.ts'
import { leavesBetween } from '../agreement/leaves.ts'
import { merge } from '../agreement/merge.ts'
import type { Outside } from '../agreement/survey.ts'
import { type Entry, EntryLostError } from '../journal/entry.ts'
import { OutcomeUnknownError } from '../outcome.ts'
import { readLive } from '../reapply.ts'
import type { LiveObject, RemoteKind } from '../remote-kind.ts'
import { partOf } from './part.ts'
import { lookUpTimeoutMs, type Steps } from './steps.ts'

/** What an update writes: the remote object, its whole new body, and the local change that records it. */
export interface LiveUpdate<Body extends object, T> {
  liveId: string
  body: Body
  /** What the record composes by itself, when the body has more. */
  composed?: Body
  /** The body goes as it is, whatever was kept of outside changes. */
  exact?: boolean
  /** The record stays as it is: the body is what `local.read` gives of it, and outside changes are undone. */
  same?: boolean
  /** Nothing is sent when the live object is so already. */
  lazy?: boolean
  /** What becomes of what was changed outside; `adopted` unless said. */
  resolution?: DriftResolution
  /** `sent` is what the live object was told: the body, with what is kept of outside changes. */
  commit(tx: Transaction, live: LiveObject, sent: Body): Promise<T>
}

/** Says what an update writes; with `outside`, on top of what was changed there since both sides agreed. */
export type Plan<Body extends object, T> = (outside?: Outside<Body>) => Promise<LiveUpdate<Body, T>>

/** How long the look at the live object before an update may take. */
const surveyTimeoutMs = 8_000

/** The update of a live object and its record, in the resource's turn. */
export function createUpdate({
  journal,
  bases,
  reconcile,
  survey,
  noteOutside,
  record,
  attempt,
  handOver,
  abandon,
}: Steps) {
  /**
   * The plan on top of what was changed outside. An object that is gone is written to all the same: the failure of that
   * is the one that is promised.
   */
  const prepare = async <Body extends object, T>(entry: Entry, remote: RemoteKind<Body>, plan: Plan<Body, T>) => {
    const first = await plan()
    if (!remote.agreement) {
      return { planned: first, sent: first.body, told: partOf(entry, remote, first.body, undefined) }
    }
    const live = await readLive(remote, first.liveId, { ...entry.call, timeoutMs: surveyTimeoutMs })
    const outside = await survey(entry, remote, first.liveId, live)
    const isChanged = outside.changes.length > 0
    const planned = isChanged ? await plan(outside) : first
    const { base, changes } = outside
    const { asTold } = remote.local
    const own = { ...base, composed: recordedIn(base, asTold) }
    const merged = planned.same ? merge(own, [], planned.body) : merge(base, changes, planned.body)
    const sent = planned.exact ? planned.body : merged.body
    const composed = planned.same && asTold ? base.composed : planned.composed
    const isThere = live !== undefined && leavesBetween(managedOf(sent, live), sent).length === 0
    return {
      planned: { ...planned, composed },
      sent,
      told: partOf(entry, remote, sent, live),
      outside: isChanged ? outside : undefined,
      there: isThere ? live : undefined,
    }
  }

  return <Body extends object, T>(remote: RemoteKind<Body>, ref: string, plan: Plan<Body, T>): Promise<T> =>
    journal.turn({ kind: remote.kind, ref, action: 'update' }, reconcile, async (entry) => {
      const ready = async () => {
        const made = await prepare(entry, remote, plan)
        const { sent, outside } = made
        if (remote.agreement) {
          const seen = outside && { outside: outside.live, revision: outside.revision }
          await journal.noteIntent(entry, { sent, ...seen })
        }
        return made
      }
      const { planned, sent, told, outside, there } = await ready().catch(async (error) => {
        await abandon(entry, error)
        throw error
      })
      const { liveId, body, composed = body, lazy, commit, resolution = 'adopted' } = planned
      const lookUp = async () => {
        const live = await remote.live.get(liveId, { ...entry.call, timeoutMs: lookUpTimeoutMs })
        return remote.live.differs(sent, live).length === 0 ? live : undefined
      }
      const write = () => remote.live.update(liveId, told.body, entry.call)
      const live = lazy && there ? there : await attempt(entry, write, lookUp)
      let computed = false
      try {
        return await record(
          entry,
          async (tx) => {
            const result = await commit(tx, live, sent)
            const same = lazy && there && !outside
            if (!same) await bases.save(tx, remote.kind, ref, told.agreed({ liveId, composed, sent }, live))
            if (outside) {
              const { base } = outside
              const ours = recordedIn(base, remote.local.asTold)
              await noteOutside(tx, { kind: remote.kind, ref }, outside, ours, resolution)
            }
            return result
          },
          () => {
            computed = true
          },
        )
      } catch (error) {
        const open = !(error instanceof EntryLostError) && (await journal.renew(entry).catch(() => false))
        await (open ? reconcile(entry) : handOver(entry, error))
        throw computed && !open ? new OutcomeUnknownError(error) : error
      }
    })
}
