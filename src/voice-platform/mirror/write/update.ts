import type { Transaction } from '../../../db/client.ts'
import { agreedOn } from '../agreement/base.ts'
import { toldOf } from '../agreement/merge.ts'
import { EntryLostError } from '../journal/entry.ts'
import { OutcomeUnknownError } from '../outcome.ts'
import type { LiveObject, RemoteKind } from '../remote-kind.ts'
import { lookUpTimeoutMs, type Steps } from './steps.ts'

/** What an update writes: the twin, its whole new body, and the local change that records it. */
export interface LiveUpdate<Body extends object, T> {
  liveId: string
  body: Body
  commit(tx: Transaction, live: LiveObject): Promise<T>
}

/** The update of a live object and its record, in the resource's turn. */
export function createUpdate({ db, journal, bases, reconcile, record, attempt, handOver, abandon }: Steps) {
  return <Body extends object, T>(
    remote: RemoteKind<Body>,
    ref: string,
    plan: () => Promise<LiveUpdate<Body, T>>,
  ): Promise<T> =>
    journal.turn({ kind: remote.kind, ref, action: 'update' }, reconcile, async (entry) => {
      const planned = async () => {
        const update = await plan()
        const base = await bases.read(db, remote.kind, ref)
        return { ...update, told: toldOf(base, update.liveId, update.body) }
      }
      const { liveId, body, told, commit } = await planned().catch(async (error) => {
        await abandon(entry, error)
        throw error
      })
      const lookUp = async () => {
        const live = await remote.live.get(liveId, { ...entry.call, timeoutMs: lookUpTimeoutMs })
        return remote.live.differs(told, live).length === 0 ? live : undefined
      }
      const live = await attempt(entry, () => remote.live.update(liveId, told, entry.call), lookUp)
      let computed = false
      try {
        return await record(
          entry,
          async (tx) => {
            const result = await commit(tx, live)
            await bases.save(tx, remote.kind, ref, agreedOn({ liveId, composed: body, sent: told }, live))
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
