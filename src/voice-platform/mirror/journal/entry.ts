export type LiveAction = 'create' | 'update' | 'delete'

/** The resource of a live write, and what is done to it. */
export interface Target {
  kind: string
  /** The public id of the resource. */
  ref: string
  action: LiveAction
}

/** A journal row as its holder took it. */
export interface Row extends Target {
  id: string
  owner: string
  createdAt: Date
  /** Milliseconds since it was opened, by the database's clock, when it was taken. */
  ageMs: number
  attempts: number
  /** Taken over from an unfinished write that this one supersedes: whatever became of that may still arrive. */
  inherited: boolean
}

/** A journal row that this process holds. */
export interface Entry extends Row {
  /** Aborted when the row is another's by now, or this process stops. */
  signal: AbortSignal
  /**
   * For the moment before a live write.
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
