import { type Leaf, leavesBetween, same, valueAt, withLeaves } from './leaves.ts'
import { meeting } from './meeting.ts'
import type { Outside } from './survey.ts'

/** A record on its way to what was changed outside, one step after the other. */
export interface Taking<State> {
  readonly state: State
  /** Takes a state that composes something of theirs and nothing else; returns whether it does. */
  accept(next: State): boolean
  /** Whether the record does not say a change yet. */
  isOpen(leaf: Leaf): boolean
  /** The base's own composition with what was taken. */
  composed(): object
}

/** Starts from a record as it is; `compose` is what it makes of itself, undefined or an error for what it cannot be. */
export function createTaking<State>(
  { base, live, changes }: Outside,
  start: State,
  compose: (state: State) => object | undefined,
): Taking<State> {
  let state = start
  let made = compose(start) ?? base.composed
  const isChanged = meeting(changes.map(({ path }) => path))
  const isTheirs = (leaf: Leaf) => isChanged(leaf.path) && same(leaf.to, valueAt(live, leaf.path))
  const isOpen = ({ path, to }: Leaf) => !same(valueAt(made, path), to)
  return {
    get state() {
      return state
    },
    isOpen,
    accept(next) {
      try {
        const composed = compose(next)
        const moved = composed ? leavesBetween(made, composed) : []
        if (!composed || moved.length === 0 || !moved.every(isTheirs)) return false
        state = next
        made = composed
        return true
      } catch {
        // What is no error outside may be too long, or of another type than a record has.
        return false
      }
    },
    composed() {
      const taken = changes.filter((leaf) => !isOpen(leaf))
      return withLeaves(
        base.composed,
        taken.map(({ path }) => ({ path, to: valueAt(made, path) })),
      )
    },
  }
}
