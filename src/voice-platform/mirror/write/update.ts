import type { Transaction } from '../../../db/client.ts'
import type { DriftResolution } from '../../drift/table.ts'
import { recordedIn } from '../agreement/base.ts'
import { merge, withNamed } from '../agreement/merge.ts'
import type { NamedPlace } from '../agreement/named.ts'
import type { Outside } from '../agreement/survey.ts'
import { unwritten } from '../agreement/unwritten.ts'
import { type Entry, EntryLostError } from '../journal/entry.ts'
import { liveDiffers } from '../live-differs.ts'
import { OutcomeUnknownError } from '../outcome.ts'
import { readLive } from '../reapply.ts'
import { type RemoteKind, sendable } from '../remote-kind.ts'
import { partOf } from './part.ts'
import { lookUpTimeoutMs, type Steps } from './steps.ts'

/**
 * What an update does with what was changed outside. `save`: the record is changed on top of it. `exact`: so, and the
 * body goes as it is, whatever was kept of outside changes. `ours`: the record stays as it is, and outside changes are
 * undone. `theirs`: the record takes them on, and is changed by nothing else. To keep a side sends nothing to a live
 * object that is so already; with `ours` it is so only where it differs in no form either: see `unwritten`.
 */
export type UpdateMode = 'save' | 'exact' | 'ours' | 'theirs'

/** What a record becomes, as far as it is sent to its remote object. */
export interface Composition<Body extends object> {
  liveId: string
  /** The remote object's whole new body; what `local.read` gives of a record that stays as it is. */
  body: Body
  /** What the record composes by itself, when the body has more. */
  composed?: Body
  /** `save` unless said. */
  mode?: UpdateMode
  /** The places that are set, also where the record says the same already and something else is kept there. */
  named?: readonly NamedPlace[]
  /** What becomes of what was changed outside; `adopted` unless said. */
  resolution?: DriftResolution
}

/** What a record takes on of outside changes. */
export interface Adopted {
  /** What it composes by itself then, before the write sets anything. */
  composed: object
}

/** What was changed outside since both sides agreed, and what the record takes on of it. */
export interface Seen<Body extends object, Adoption extends Adopted> {
  outside: Outside<Body>
  adopted: Adoption
}

/** The steps of an update that are a resource's own, in the order in which they happen, as its only writer. */
export interface LiveUpdate<Body extends object, Row, Adoption extends Adopted, Change extends Composition<Body>, T> {
  /** The record as it is now. Throws what forbids the write. */
  load(): Promise<Row>
  /** The record with what was changed outside, as far as it has fields for it; nothing is saved yet. */
  adopt(row: Row, outside: Outside<Body>): Promise<Adoption>
  /** What the record becomes; with `seen`, on top of what was changed outside. */
  compose(row: Row, seen?: Seen<Body, Adoption>): Promise<Change>
  /**
   * Saves it, once the remote object has it; `sent` is the body that this has then, with what is kept of outside
   * changes.
   */
  save(tx: Transaction, change: Change, sent: Body): Promise<T>
}

/** How long the look at the live object before an update may take. */
const surveyTimeoutMs = 8_000

/** The update of a live object and its record, as their only writer: each step, and what undoes it when it fails. */
export function createUpdate({
  asOnlyWriter,
  journal,
  bases,
  recover,
  survey,
  noteOutside,
  record,
  attempt,
  handOver,
  abandon,
}: Steps) {
  /**
   * What is composed, and what the remote object is sent of it. An object that is gone is written to all the same: the
   * failure of that is the one that is promised.
   */
  const prepare = async <Body extends object, Row, Adoption extends Adopted, Change extends Composition<Body>>(
    entry: Entry,
    remote: RemoteKind<Body>,
    { load, adopt, compose }: Omit<LiveUpdate<Body, Row, Adoption, Change, unknown>, 'save'>,
  ) => {
    const first = await compose(await load())
    const call = { ...entry.call, timeoutMs: surveyTimeoutMs }
    const live = await readLive(remote, first.liveId, call)
    const outside = await survey(entry, remote, first.liveId, live)
    const { base, changes, found } = outside
    const isChanged = found.changes.length > 0
    /** On top of what was changed outside, which the record takes on before anything is set. */
    const onTop = async (row: Row) => {
      const adopted = await adopt(row, outside)
      return { taken: adopted.composed, change: await compose(row, { outside, adopted }) }
    }
    const { change, taken } = isChanged ? await onTop(await load()) : { change: first, taken: base.composed }
    const { asSent } = remote.local
    const own = { ...base, composed: recordedIn(base, asSent) }
    const { named, mode = 'save' } = change
    const isUntouched = mode === 'ours' || (mode === 'theirs' && !isChanged)
    const merged = isUntouched ? merge(own, [], change.body) : merge(base, changes, change.body, taken, named)
    const composed = isUntouched && asSent ? base.composed : (change.composed ?? change.body)
    const kept = isUntouched ? withNamed(named ?? [], composed, merged.body) : merged.body
    const sent = isUntouched || mode === 'save' ? await sendable(remote, kept, composed, call) : change.body
    // A form alone is no reason to write where nothing of ours was set.
    const former = mode === 'theirs' ? sent : merged.before
    const before = { body: former, ...(mode === 'ours' && { seen: base.seen ?? base.sent }) }
    const missing = (shown: object) => unwritten(before, sent, shown)
    const toWrite = live && missing(live)
    // Before this write is noted as one that may still arrive: after such a one nothing is left out.
    const part = partOf(entry, remote, sent, { live, unwritten: toWrite ?? [] })
    const seen = isChanged && { outside: found.live, revision: outside.revision }
    await journal.noteIntent(entry, { sent, ...seen })
    const isLazy = mode === 'ours' || mode === 'theirs'
    return {
      change: { ...change, composed },
      sent,
      part,
      outside: isChanged ? outside : undefined,
      isRenamed: outside.isRenamed,
      missing,
      there: isLazy && toWrite?.length === 0 ? live : undefined,
    }
  }

  return <Body extends object, Row, Adoption extends Adopted, Change extends Composition<Body>, T>(
    remote: RemoteKind<Body>,
    ref: string,
    { save, ...steps }: LiveUpdate<Body, Row, Adoption, Change, T>,
  ): Promise<T> =>
    asOnlyWriter({ kind: remote.kind, ref, action: 'update' }, async (entry) => {
      // Load, compose. Nothing was sent yet: the row ends.
      const prepared = await prepare(entry, remote, steps).catch(async (error) => {
        await abandon(entry, error)
        throw error
      })
      const { change, sent, part, missing, outside, isRenamed, there } = prepared
      const { liveId, body, composed = body, resolution = 'adopted' } = change

      // Write live. What was not made ends the row; where that is open, the object is looked up, or left to recovery.
      const lookUp = async () => {
        const live = await readLive(remote, liveId, { ...entry.call, timeoutMs: lookUpTimeoutMs })
        return live && liveDiffers(sent, live).length === 0 && missing(live).length === 0 ? live : undefined
      }
      const write = () => remote.live.update(liveId, part.body, entry.call)
      const live = there ?? (await attempt(entry, write, lookUp))

      // Save. The live object is sent again what the record says, now or by recovery.
      let computed = false
      const isSame = there && !outside && !isRenamed
      try {
        return await record(entry, {
          save: (tx) => save(tx, change, sent),
          async agree(tx) {
            if (!isSame) await bases.save(tx, remote.kind, ref, part.agreed({ liveId, composed, sent }, live))
            if (!outside) return
            const ours = recordedIn(outside.base, remote.local.asSent)
            const noted = { base: outside.base, changes: outside.found.changes }
            await noteOutside(tx, { kind: remote.kind, ref }, noted, ours, resolution)
          },
          computed() {
            computed = true
          },
        })
      } catch (error) {
        const open = !(error instanceof EntryLostError) && (await journal.renew(entry).catch(() => false))
        await (open ? recover(entry) : handOver(entry, error))
        throw computed && !open ? new OutcomeUnknownError(error) : error
      }
    })
}
