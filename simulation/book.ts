import { ApiError } from '../src/api/errors/api-error.ts'
import { CarrierError } from '../src/carrier/carrier.ts'
import { isUnreachable } from '../src/db/unreachable.ts'
import { OutcomeUnknownError } from '../src/voice-platform/mirror/mirror.ts'
import type { World } from './world/world.ts'

export type Subject = 'assistant' | 'squad' | 'number'

/** One write as its client knows it. */
export interface Write {
  subject: Subject
  /** What names the resource for good: its public id, or the number. */
  target: string
  action: 'create' | 'update' | 'delete' | 'reconcile'
  /** What it writes, found nowhere else. */
  token: string
  /** Whether it sets the greeting too, beside the name. */
  greets?: boolean
  startedAt: number
  /** When its client heard of it, or could no more. */
  endedAt: number
  /** `open`: nobody told whether it was made. */
  outcome: 'open' | 'done' | 'refused'
  said: string
}

/** What a person changed on the platform's own dashboard. */
export interface Edit {
  liveId: string
  at: number
  action: 'edit' | 'delete' | 'create'
  token: string
  field: string
}

/** Whether an error leaves open what became of a write. */
function isOpen(error: unknown): boolean {
  if (error instanceof OutcomeUnknownError || isUnreachable(error)) return true
  if (!(error instanceof ApiError)) return false
  const { cause, outcomeUnknown } = error.options
  return outcomeUnknown === true || (cause instanceof CarrierError && cause.kind === 'unknown')
}

/** What was done by clients and on the dashboard, and what they were told. */
export function createBook(world: World) {
  const writes: Write[] = []
  const edits: Edit[] = []
  const surprises: string[] = []
  let tokens = 0

  return {
    writes: writes as readonly Write[],
    edits: edits as readonly Edit[],
    /** Errors that no write should end with. */
    surprises: surprises as readonly string[],
    token: (letter: string) => `${letter}${++tokens}`,
    edit(edit: Omit<Edit, 'at'>) {
      edits.push({ ...edit, at: world.now() })
      world.note(`somebody ${edit.action}s ${edit.liveId.slice(0, 8)} ${edit.field} ${edit.token}`)
    },
    /** Writes down a write and what becomes of it. */
    async attempt(
      write: Pick<Write, 'subject' | 'target' | 'action' | 'token' | 'greets'>,
      work: () => Promise<unknown>,
    ) {
      const noted: Write = {
        ...write,
        startedAt: world.now(),
        endedAt: Number.POSITIVE_INFINITY,
        outcome: 'open',
        said: 'nothing was heard',
      }
      writes.push(noted)
      try {
        await work()
        noted.outcome = 'done'
        noted.said = 'ok'
      } catch (error) {
        // What comes after the first line are a statement's parameters, which differ.
        noted.said = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error)
        if (!isOpen(error)) noted.outcome = 'refused'
        if (!isOpen(error) && !(error instanceof ApiError))
          surprises.push(`${write.action} of ${write.subject}: ${noted.said}`)
      }
      noted.endedAt = world.now()
      world.note(`${write.action} ${write.subject} ${write.token} ${noted.outcome}: ${noted.said}`)
    },
  }
}

export type Book = ReturnType<typeof createBook>

export const describe = ({ subject, action, target, token, outcome, said, startedAt }: Write): string =>
  `${action} of ${subject} ${target} (${token}, ${outcome} at ${startedAt.toFixed(0)} ms: ${said})`
