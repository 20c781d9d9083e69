/** What a client may conclude from what it was answered. */
export type Outcome = 'done' | 'refused' | 'unknown'

export type Subject = 'assistant' | 'squad' | 'number' | 'embed' | 'turn' | 'credit' | 'file' | 'call'

/** A write that a client asked for. */
export interface Write {
  subject: Subject
  action: 'create' | 'update' | 'delete'
  /** What is written to: a public id, or the name by which the judge finds it. */
  target: string
  /** A text that no other write has. */
  token: string
  startedAt: number
  /** When the last answer came; Infinity while a request without an answer may still be at work. */
  endedAt: number
  outcome: Outcome
  /** How often it was sent. */
  tries: number
  /** The last answer, for reports. */
  said: string
  /** The public id that a create was answered. */
  id?: string
}

/** What all clients asked for and were told, the judge's one source beside the servers. */
export class Book {
  readonly writes: Write[] = []
  private serial = 0

  constructor(private readonly prefix: string) {}

  /** A new text that stands for one write. */
  token(): string {
    this.serial += 1
    return `${this.prefix}-${this.serial}`
  }

  add(write: Write): void {
    this.writes.push(write)
  }

  of(subject: Subject, target?: string): Write[] {
    return this.writes.filter((write) => write.subject === subject && (target === undefined || write.target === target))
  }
}
