import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/client.ts'
import type { BackgroundPart } from '../../db/work/background.ts'
import { systemTimers, type Timers } from '../../runtime/timers.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Announce } from '../drift/findings.ts'
import { noteLost, noteOutside } from '../drift/note.ts'
import type { DriftResolution } from '../drift/table.ts'
import { PlatformError } from '../errors.ts'
import type { CallOptions } from '../transport.ts'
import { createBases } from './agreement/bases.ts'
import { createSurvey, type Outside } from './agreement/survey.ts'
import { createJournal } from './journal/journal.ts'
import { createLook } from './look.ts'
import { createReapply } from './reapply.ts'
import { createRecover } from './recover.ts'
import { createRecovery } from './recovery.ts'
import type { RemoteKind } from './remote-kind.ts'
import { createCreate, type LiveCreate } from './write/create.ts'
import { createRemove, type LiveRemoval } from './write/remove.ts'
import { createRestore } from './write/restore.ts'
import { createSteps } from './write/steps.ts'
import { type Adopted, type Composition, createUpdate, type LiveUpdate } from './write/update.ts'

export { ResourceBusyError } from './journal/entry.ts'
export { OutcomeUnknownError } from './outcome.ts'

export interface MirrorOptions {
  db: Database
  log: Logger
  vault: Vault
  /** Every kind of mirrored resource. */
  remoteKinds: readonly RemoteKind[]
  /** Told of what was changed outside that no sweep saw. */
  announce?: Announce
  /** How long a write outlives a crash of its process before another takes it over. Default 6 s. */
  leaseMs?: number
  /** How long a writer waits to be the only one. Default 30 s. */
  waitMs?: number
  /** How long after a write that got no response it may still arrive. Default 60 s. */
  graceMs?: number
  /** How long a row that is left waits at first. Default 1 s. */
  pauseMs?: number
  /** Has what is due looked for now. */
  wake?(): void
  timers?: Timers
}

/**
 * Writes to the live platform first and records locally what succeeded. Every write has a row in the journal until both
 * sides agree, and as long as a write that got no response may still arrive; whatever a crash, a lost response or a
 * failing database leaves behind is brought together by recovery, and the local record decides.
 */
export interface Mirror extends Required<Omit<BackgroundPart, 'start'>> {
  /** How long what a process holds outlives its crash. */
  leaseMs: number
  /**
   * Creates the remote object, then the local record. When the record cannot be saved, the remote object is deleted
   * again.
   * @throws PlatformError when the live write failed; ResourceBusyError; OutcomeUnknownError; what `save` throws.
   */
  create<Body extends object, T>(remote: RemoteKind<Body>, ref: string, steps: LiveCreate<Body, T>): Promise<T>
  /**
   * Updates the remote object, then the local record, by the steps of a resource. They run as the only writer,
   * so what they read is current; loading and composing run again with what was changed outside since both sides
   * agreed, when there is such a thing, and both are merged leaf by leaf. When the record cannot be saved, the remote
   * object is sent again what the record says.
   * @throws PlatformError, ResourceBusyError, OutcomeUnknownError; what the steps throw.
   */
  update<Body extends object, Row, Adoption extends Adopted, Change extends Composition<Body>, T>(
    remote: RemoteKind<Body>,
    ref: string,
    steps: LiveUpdate<Body, Row, Adoption, Change, T>,
  ): Promise<T>
  /**
   * Deletes the remote object, then the local record. A remote object that is gone already counts as deleted.
   * @throws PlatformError when the live delete failed and nothing is deleted later; OutcomeUnknownError when that is
   * open: recovery completes it then; ResourceBusyError; what `check` throws.
   */
  remove<T>(remote: RemoteKind, ref: string, steps: LiveRemoval<T>): Promise<T>
  /**
   * Makes the remote object of a record again when the platform lost it; whatever named the old one follows. One that
   * is there after all is brought together with its record as after a crash. `resolution` is how its difference ends;
   * `kept_ours` unless said.
   * @throws PlatformError when it was not made; OutcomeUnknownError: recovery makes it then; ResourceBusyError; what
   * `check` throws, asked as the only writer.
   */
  restore(remote: RemoteKind, ref: string, check: () => Promise<void>, resolution?: DriftResolution): Promise<void>
  /**
   * Reads a live object, and what was changed outside since both sides agreed; undefined when the platform has lost it.
   * @throws PlatformError when it cannot be read; ResourceBusyError when its record was deleted meanwhile.
   */
  look<Body extends object>(
    remote: RemoteKind<Body>,
    ref: string,
    liveId: string,
    call: CallOptions,
  ): Promise<Outside<Body> | undefined>
  /** Notes that the platform lost the object of a record that is to be deleted. */
  noteLost(remote: RemoteKind, ref: string, liveId: string): Promise<void>
  /**
   * Saves a local change as the only writer of a mirrored resource; nothing of it is sent.
   * @throws ResourceBusyError; what recovery of an unfinished delete met; what `commit` throws.
   */
  exclusively<T>(remote: Pick<RemoteKind, 'kind'>, ref: string, commit: (tx: Transaction) => Promise<T>): Promise<T>
  /** Has what a transaction that has ended marked (`markUnfinished`) looked at now. */
  wake(): void
}

/** Puts the journal, the writes and recovery together. */
export function createMirror(options: MirrorOptions): Mirror {
  const { db, log, remoteKinds, leaseMs = 6_000, waitMs = 30_000, graceMs = 60_000 } = options
  const wake = options.wake ?? (() => {})
  const pauseMs = options.pauseMs ?? 1_000
  const { vault, announce = async () => {}, timers = systemTimers } = options
  const journal = createJournal({ db, vault, timers, leaseMs, graceMs })
  const bases = createBases(vault)
  const survey = createSurvey({ db, bases, vault })
  const lost = noteLost({ vault, announce })
  const notes = { noteOutside: noteOutside({ vault, announce }), noteLost: lost }
  const shared = { db, journal, bases, survey, ...notes, pauseMs }
  const reapply = createReapply({ ...shared, log })
  const recover = createRecover({ ...shared, log, remoteKinds, reapply })
  const recovery = createRecovery({ journal, recover })
  const steps = createSteps({ ...shared, timers, waitMs, recover, reapply, wake })

  return {
    leaseMs,
    create: createCreate(steps),
    update: createUpdate(steps),
    remove: createRemove(steps),
    restore: createRestore(steps),
    look: createLook(shared),
    async noteLost({ kind, local }, ref, liveId) {
      const recorded = await local.read(db, ref)
      if (recorded?.liveId !== liveId) return
      await db.transaction((tx) => lost(tx, { kind, ref, liveId, body: recorded.body }))
    },
    exclusively({ kind }, ref, commit) {
      return steps.asOnlyWriter({ kind, ref, action: 'update' }, (entry) =>
        // The remote object of an unfinished write, whose row this is now, is not written here.
        steps.record(entry, { save: commit, look: entry.inherited }).catch(async (error) => {
          await steps.abandon(entry, error)
          throw error
        }),
      )
    },
    wake,
    work: { name: 'unfinished live writes', nextDue: journal.nextDue, counts: journal.counts, run: recovery.run },
    async prepare(alone) {
      if (alone) await journal.releaseAll()
    },
    async stop() {
      const ended = recovery.stop()
      journal.abandon(new PlatformError('unavailable', 'The server is stopping.'))
      await ended
    },
  }
}
