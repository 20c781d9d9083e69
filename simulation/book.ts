import { ApiError } from '../src/api/errors/api-error.ts'
import { CarrierError } from '../src/carrier/carrier.ts'
import { isUnreachable } from '../src/db/unreachable.ts'
import { GenerationFailedError } from '../src/language-model/failure.ts'
import { OutcomeUnknownError, ResourceBusyError } from '../src/voice-platform/mirror/mirror.ts'
import { type Violation, violation } from './judge/violation.ts'
import { mirrorTimes } from './times.ts'
import type { World } from './world/world.ts'

export type Subject = 'assistant' | 'squad' | 'number' | 'turn' | 'payment'

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
  /** Of a payment, in micro-dollars. */
  amount?: number
  /** What a turn may use more than it said, in micro-dollars. */
  beyond?: number
  /** Who did it, as the world calls them. */
  actor: string
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

/** Whether a write lost its lease, or did not get one. */
const isBusy = (error: unknown) => error instanceof ApiError && error.options.cause instanceof ResourceBusyError

/** What was done by clients and on the dashboard, and what they were told; `ended` hears of each write's end. */
export function createBook(world: World, ended: (write: Write) => void = () => {}) {
  const writes: Write[] = []
  const edits: Edit[] = []
  const broken: Violation[] = []
  let tokens = 0

  return {
    writes: writes as readonly Write[],
    edits: edits as readonly Edit[],
    /** What was seen to be wrong while it happened. */
    broken: broken as readonly Violation[],
    breaks: (found: Violation) => void broken.push(found),
    token: (letter: string) => `${letter}${++tokens}`,
    edit(edit: Omit<Edit, 'at'>) {
      edits.push({ ...edit, at: world.now() })
      world.note(`somebody ${edit.action}s ${edit.liveId.slice(0, 8)} ${edit.field} ${edit.token}`)
    },
    /** Writes down a write and what becomes of it. */
    async attempt(
      write: Pick<Write, 'subject' | 'target' | 'action' | 'token' | 'greets' | 'amount' | 'beyond'>,
      work: () => Promise<unknown>,
    ) {
      const noted: Write = {
        ...write,
        actor: world.actor().name,
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
        const isKnown = error instanceof ApiError || error instanceof GenerationFailedError
        if (!isOpen(error) && !isKnown)
          broken.push(violation('surprise')(`${write.action} of ${write.subject}: ${noted.said}`))
        const tookMs = world.now() - noted.startedAt
        if (isBusy(error) && tookMs < mirrorTimes.leaseMs) {
          broken.push(violation('lease')(`after ${tookMs.toFixed(0)} ms: ${describe(noted)}`))
        }
      }
      noted.endedAt = world.now()
      world.note(`${write.action} ${write.subject} ${write.token} ${noted.outcome}: ${noted.said}`)
      ended(noted)
    },
  }
}

export type Book = ReturnType<typeof createBook>

export const describe = ({ subject, action, target, token, outcome, said, startedAt }: Write): string =>
  `${action} of ${subject} ${target} (${token}, ${outcome} at ${startedAt.toFixed(0)} ms: ${said})`
