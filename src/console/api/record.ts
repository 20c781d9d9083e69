import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../../router.ts'

/** A call that the console made, for the examples of how to do the same without it. */
export interface RecordedCall {
  id: number
  /** The procedure, such as `assistants.update`. */
  path: string
  type: 'query' | 'mutation' | 'subscription'
  input: unknown
  ok?: boolean
  milliseconds?: number
}

const kept = 30
let calls: readonly RecordedCall[] = []
const listeners = new Set<() => void>()

function change(next: readonly RecordedCall[]) {
  calls = next
  for (const listener of listeners) listener()
}

/** The newest calls first, as a store that React can read. */
export const recordedCalls = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  snapshot: () => calls,
  clear: () => change([]),
}

/** Keeps the last calls in memory; no token is among them. */
export const recordLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const started = performance.now()
      change([{ id: op.id, path: op.path, type: op.type, input: op.input }, ...calls].slice(0, kept))
      const ended = (ok: boolean) => {
        const milliseconds = Math.round(performance.now() - started)
        change(calls.map((call) => (call.id === op.id ? { ...call, ok, milliseconds } : call)))
      }
      return next(op).subscribe({
        next(value) {
          ended(true)
          observer.next(value)
        },
        error(error) {
          ended(false)
          observer.error(error)
        },
        complete: () => observer.complete(),
      })
    })
