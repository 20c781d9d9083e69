import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/client.ts'
import { uuidPattern } from '../../runtime/uuid.ts'
import type { NoteLost, NoteOutside } from '../drift/note.ts'
import type { DriftResolution } from '../drift/table.ts'
import { judgedBody, orGone, PlatformError } from '../errors.ts'
import type { CallOptions } from '../transport.ts'
import { agreedOn, recordedIn, seenOf } from './agreement/base.ts'
import type { Bases } from './agreement/bases.ts'
import { exactLeavesBetween, type Leaf } from './agreement/leaves.ts'
import { bodyToSend, merge } from './agreement/merge.ts'
import type { Survey } from './agreement/survey.ts'
import { unwritten } from './agreement/unwritten.ts'
import { comparable } from './comparable.ts'
import { type Entry, EntryLostError } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import { liveDiffers } from './live-differs.ts'
import { lookBackFrom, type RemoteKind, sendable } from './remote-kind.ts'

const maxPauseMs = 5_000

type Read = NonNullable<Awaited<ReturnType<RemoteKind['local']['read']>>>

export interface ReapplyOptions {
  db: Database
  journal: Journal
  bases: Bases
  survey: Survey
  noteOutside: NoteOutside
  noteLost: NoteLost
  log: Logger
  /** How long a row is left at first; doubled each time, to 5 s at most. */
  pauseMs: number
}

/** How long a row is left after so many attempts. */
export const nextPause = (pauseMs: number, attempts: number): number =>
  Math.min(maxPauseMs, pauseMs * 2 ** Math.min(attempts, 20))

/** After so many attempts, what the platform refuses of a body is sent no more. */
const maxRefused = 20

/** Whether the platform goes on refusing a body: it would for ever, as long as neither side changes. */
const isRefused = (error: unknown, { attempts }: Entry): boolean =>
  attempts >= maxRefused && error instanceof PlatformError && judgedBody(error)

/** Deletes a live object; one that is gone already is fine. */
export async function deleteLive(remote: RemoteKind, liveId: string, call: CallOptions): Promise<void> {
  await orGone(remote.live.delete(liveId, call))
}

/**
 * The live object, or undefined when the platform says that it does not exist. Throws {@link PlatformError}, also for
 * one that cannot be compared.
 */
export const readLive = (remote: RemoteKind, liveId: string, call: CallOptions) =>
  orGone(remote.live.get(liveId, call).then(comparable))

/**
 * Deletes an object that no record names. One whose id is no UUID may be refused for that, however often it is asked:
 * it is left.
 */
async function deleteStray(remote: RemoteKind, id: string, call: CallOptions): Promise<void> {
  await deleteLive(remote, id, call).catch((error: unknown) => {
    const isRefused = error instanceof PlatformError && error.kind === 'rejected'
    if (!isRefused || uuidPattern.test(id)) throw error
  })
}

/**
 * Deletes what creates made that no record names, and nothing that somebody copied from it where the creates had marks.
 */
export async function deleteStrays(
  remote: RemoteKind,
  { ref, createdAt, createsMarked }: Pick<Entry, 'ref' | 'createdAt' | 'createsMarked'>,
  liveId: string | undefined,
  call: CallOptions,
): Promise<void> {
  const found = await remote.live.find(ref, lookBackFrom(createdAt), call)
  const made = createsMarked ? found.filter((live) => remote.live.mark?.isOn(live)) : found
  for (const { id } of made) if (id !== liveId) await deleteStray(remote, id, call)
}

/** What a record makes of its object, what the platform is sent of it, and the object that is gone. */
interface Recorded {
  body: object
  sent: object
  goneId: string
}

/** The steps that bring both sides of a resource together, the record deciding; whatever stops them is thrown. */
export function createReapply(options: ReapplyOptions) {
  const { db, journal, bases, survey, noteOutside, noteLost, log, pauseMs } = options

  /** Ends a row, unless a write that got no response may still arrive: then it is looked at again. */
  const settle = async (entry: Entry) => {
    const pause = nextPause(pauseMs, entry.attempts)
    if (entry.lateMs <= 0) return journal.settle(db, entry, pause)
    const action = entry.action === 'delete' ? 'update' : entry.action
    await journal.release(entry, Math.min(pause, entry.lateMs), 'waiting for a late write', { action, agreed: true })
  }

  const sayRefused = ({ kind, ref }: Entry, err: unknown) =>
    log.warn({ event: 'live_write_refused', kind, ref, err }, 'the voice platform goes on refusing a live write')

  /** What both sides agree on is saved only by who still has the row: a process may have stood still meanwhile. */
  const whileLeased = <T>(entry: Entry, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const result = await work(tx)
      // Last, as whoever marks the row has locked the record before.
      if (!(await journal.renew(entry, tx))) throw new EntryLostError(entry)
      return result
    })

  /**
   * Whether an object of the platform has the reference of a record whose own one is gone: somebody copied that one.
   */
  const isCopied = async (remote: RemoteKind, { ref, createdAt }: Entry, goneId: string, call: CallOptions) => {
    const listed = await remote.live.find(ref, lookBackFrom(createdAt), call)
    // What a list shows may be gone.
    for (const { id } of listed) if (id !== goneId && (await readLive(remote, id, call))) return true
    return false
  }

  /** Gives the record another remote object in place of one that is gone. */
  const recreate = async (
    remote: RemoteKind,
    entry: Entry,
    { body, sent, goneId }: Recorded,
    call: CallOptions,
    resolution: DriftResolution,
  ) => {
    const { mark } = remote.live
    // Without a mark, what this makes twice would be deleted by its reference, and copies with it.
    const isNoted = mark !== undefined || !(await isCopied(remote, entry, goneId, call))
    if (isNoted) await journal.noteSent(entry, 'createSent', mark !== undefined)
    entry.assertHeld()
    const made = await remote.live.create(mark ? mark.put(sent, entry.id) : sent, call).catch((error: unknown) => {
      if (!isRefused(error, entry)) throw error
      sayRefused(entry, error)
    })
    // The sweep finds that it is missing (contract: drift 26).
    if (!made) return settle(entry)
    const live = comparable(made)
    const { id } = live
    // The old one may have been there all the same: the object is looked at again.
    entry.call.onDoubt()
    await whileLeased(entry, async (tx) => {
      await remote.local.rebind(tx, entry.ref, id)
      await noteLost(tx, { kind: entry.kind, ref: entry.ref, liveId: goneId, body: sent }, resolution)
      await bases.save(
        tx,
        entry.kind,
        entry.ref,
        agreedOn({ liveId: id, composed: body, sent }, live, remote.agreement.all),
      )
    })
    // What somebody copies from it from now on has no mark. Where this fails, the next look finds the difference.
    if (mark) await remote.live.update(id, sent, call).catch(() => {})
    await journal.settle(db, entry, pauseMs)
    log.warn(
      { event: 'live_object_remade', kind: entry.kind, ref: entry.ref },
      'a live remote object that was gone was made again',
    )
  }

  /**
   * What the live object is to be: what the record says, with what was changed outside since both sides agreed, which
   * the record takes in first.
   */
  const bodyFor = async (remote: RemoteKind, entry: Entry, recorded: Read, live: object, call: CallOptions) => {
    const { kind, ref } = entry
    const outside = await survey(entry, remote, recorded.liveId, live, true)
    const { base, changes, found, isRenamed } = outside
    const before = recordedIn(base, remote.local.asSent)
    const merged = merge({ ...base, composed: before }, changes, recorded.body)
    const composed = remote.local.asSent ? base.composed : recorded.body
    const body = await sendable(remote, merged.body, composed, call)
    const missing = unwritten({ body: merged.before, seen: base.seen ?? base.sent }, body, live)
    if (found.changes.length === 0) {
      return { composed, body, missing, isAgreed: !isRenamed && exactLeavesBetween(base.sent, body).length === 0 }
    }
    return whileLeased(entry, async (tx) => {
      const adopted = await remote.local.adopt(tx, ref, outside, { sent: body, recorded: recorded.body })
      // As it is there, not as the record names things by now: the write of that may fail.
      const seen = seenOf(body, live, remote.agreement.all)
      await bases.save(tx, kind, ref, { liveId: recorded.liveId, composed: adopted, sent: body, seen })
      await noteOutside(tx, entry, { base, changes: found.changes }, before, 'adopted')
      return { composed: adopted, body, missing, isAgreed: true }
    })
  }

  /**
   * The platform then has what the record says, and what others changed; an object that is gone is made again, which
   * ends its difference with `resolution`.
   */
  return async (
    remote: RemoteKind,
    entry: Entry,
    call: CallOptions,
    resolution: DriftResolution = 'kept_ours',
  ): Promise<void> => {
    const recorded = await remote.local.read(db, entry.ref)
    if (entry.createSent) await deleteStrays(remote, entry, recorded?.liveId, call)
    if (!recorded) return settle(entry)
    const { liveId } = recorded
    const live = await readLive(remote, liveId, call)
    entry.assertHeld()
    if (!live) {
      const base = await bases.read(db, entry.kind, entry.ref)
      const { asSent } = remote.local
      const body = (asSent && base?.composed) || recorded.body
      const sent = asSent ? recorded.body : bodyToSend(base, liveId, recorded.body)
      const again = { body, sent: await sendable(remote, sent, body, call), goneId: liveId }
      return recreate(remote, entry, again, call, resolution)
    }
    const { composed, body, missing, isAgreed } = await bodyFor(remote, entry, recorded, live, call)
    const agree = (live: object, refused?: readonly Leaf[]) =>
      whileLeased(entry, (tx) => {
        const agreed = agreedOn({ liveId, composed, sent: body }, live, remote.agreement.all)
        return bases.save(tx, entry.kind, entry.ref, { ...agreed, refused })
      })
    if (missing.length > 0 || liveDiffers(body, live).length > 0) {
      await journal.noteIntent(entry, { sent: body })
      entry.assertHeld()
      const written = await remote.live.update(liveId, body, call).then(comparable, (error: unknown) => {
        if (!isRefused(error, entry)) throw error
        sayRefused(entry, error)
      })
      await agree(written ?? live, written ? undefined : missing)
    } else if (!isAgreed) {
      // A write of ours was made whose agreement was not saved: without one it would count as a change made outside.
      await agree(live)
    }
    await settle(entry)
  }
}

export type Reapply = ReturnType<typeof createReapply>
