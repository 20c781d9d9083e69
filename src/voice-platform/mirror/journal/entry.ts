import type { CallOptions } from '../../transport.ts'

export type LiveAction = 'create' | 'update' | 'delete'

/** The resource of a live write, and what is done to it. */
export interface Target {
  kind: string
  /** The public id of the resource. */
  ref: string
  action: LiveAction
  /** A create under an id that was just made, so that nobody else can be at work on it. */
  isNew?: boolean
}

/** A journal row as its holder took it. */
export interface Row extends Target {
  id: string
  owner: string
  createdAt: Date
  deleteSent: boolean
  createSent: boolean
  /** Whether whatever those creates made has a mark. */
  createsMarked: boolean
  /** Milliseconds for which an earlier write may still arrive, by the database's clock when the row was taken. */
  lateMs: number
  attempts: number
  /** The updates that were sent since the row was written, sealed. */
  intents: string[]
  /** Taken over from an unfinished write that this one supersedes: whatever became of that may still arrive. */
  inherited: boolean
  /** When this process asked for it, in milliseconds of its own timers: it is ours for a lease from then on. */
  askedAt: number
}

/** A journal row that this process holds. */
export interface Entry extends Row {
  /** For every live call: ends it when the row is another's by now or this process stops, and notes a lost response. */
  call: Required<Pick<CallOptions, 'signal' | 'onDoubt'>>
  /** The intents that this holder noted. */
  readonly noted: string[]
  /** Whether a live write of this holder got no response at some attempt, so that it may arrive later. */
  readonly inDoubt: boolean
  /**
   * For just before a live write.
   * @throws EntryLostError when the lease may have run out unnoticed, because the process was paused.
   */
  assertHeld(): void
}

/** Another write of the same resource did not end in time. */
export class ResourceBusyError extends Error {
  override readonly name: string = 'ResourceBusyError'

  constructor({ kind, ref }: Target) {
    super(`${kind} ${ref}`)
  }
}

/** The row is no longer ours: another took the write over, so nothing of it may be saved. */
export class EntryLostError extends ResourceBusyError {
  override readonly name: string = 'EntryLostError'
}
