import { isNothing, type Leaf, leavesBetween, same, valueAt, withLeaves } from './leaves.ts'
import { overlapping } from './overlap.ts'
import type { Outside } from './survey.ts'

/** A record on its way to what was changed outside, one step after the other. */
export interface Adoption<State> {
  readonly state: State
  /** Takes a state that composes something of theirs and nothing else but texts anew; returns whether it does. */
  accept(next: State): boolean
  /** Whether the record does not say a change yet. */
  isOpen(leaf: Leaf): boolean
  /**
   * The base's own composition with what was taken. What is rendered from that is as before, unless another text is
   * kept there.
   */
  composed(): object
}

/** So many attempts are made for one record at most: each composes it and compares it as a whole. */
export const maxGroups = 100

/**
 * Leaves as they are tried: each by itself, or where there are too many for that all together, and then so many at
 * once.
 */
export function inGroups(leaves: readonly Leaf[]): (readonly Leaf[])[] {
  const size = Math.ceil(leaves.length / maxGroups)
  if (size <= 1) return leaves.map((leaf) => [leaf])
  const starts = Array.from({ length: Math.ceil(leaves.length / size) }, (_, group) => group * size)
  return [leaves, ...starts.map((start) => leaves.slice(start, start + size))]
}

/**
 * Whether a server that was added is theirs although we would send it with other settings: its address says which one
 * it is.
 */
function isTheirServer(from: unknown, made: unknown, live: unknown): boolean {
  const [url, address] = [valueAt(made, ['url']), valueAt(live, ['url'])]
  return isNothing(from) && typeof url === 'string' && url !== '' && url === address
}

/** The place of the text that a path is in, where a step from one state to the next renders it anew. */
type TextAt<State> = (path: readonly string[], from: State, to: State) => readonly string[] | undefined

/**
 * Starts from a record as it is; `compose` is what it makes of itself, undefined or an error for what it cannot be.
 * Texts that nobody changed outside may be rendered anew from what is taken: the next save sets them.
 */
export function createAdoption<State>(
  { base, live, changes }: Outside,
  start: State,
  compose: (state: State) => object | undefined,
  textAt: TextAt<State> = () => undefined,
): Adoption<State> {
  let state = start
  let made = compose(start) ?? base.composed
  const isChanged = overlapping(changes.map(({ path }) => path))
  const isTheirs = ({ path, from, to }: Leaf) => {
    const theirs = valueAt(live, path)
    return isChanged(path) && (same(to, theirs) || isTheirServer(from, to, theirs))
  }
  const rendered = new Set<readonly string[]>()
  const accepted: (readonly string[])[] = []
  const isKept = (path: readonly string[]) => !same(valueAt(base.composed, path), valueAt(base.sent, path))
  const isOpen = ({ path, to }: Leaf) => !same(valueAt(made, path), to)
  /** A change within an item that is kept on the live object alone says nothing of the record. */
  const hasPlace = ({ path }: Leaf) =>
    [made, base.composed].some((side) => valueAt(side, path.slice(0, -1)) !== undefined)
  return {
    get state() {
      return state
    },
    isOpen,
    accept(next) {
      try {
        const composed = compose(next)
        const moved = composed ? leavesBetween(made, composed) : []
        if (!composed || !moved.some(isTheirs)) return false
        const texts: (readonly string[])[] = []
        for (const leaf of moved) {
          if (isTheirs(leaf)) continue
          const text = isChanged(leaf.path) ? undefined : textAt(leaf.path, state, next)
          if (!text) return false
          texts.push(text)
        }
        for (const text of texts) rendered.add(text)
        accepted.push(...moved.filter(isTheirs).map(({ path }) => path))
        state = next
        made = composed
        return true
      } catch {
        // What is no error outside may be too long, or of another type than a record has.
        return false
      }
    },
    composed() {
      const isTaken = (leaf: Leaf) => !isOpen(leaf) || isTheirServer(leaf.from, valueAt(made, leaf.path), leaf.to)
      const taken = changes.filter((leaf) => hasPlace(leaf) && isTaken(leaf)).map(({ path }) => path)
      // A part of what was changed may be all that the record says of it.
      const parts = accepted.filter((path) => valueAt(made, path.slice(0, -1)) !== undefined)
      const kept = [...rendered].filter(isKept)
      return withLeaves(
        base.composed,
        [...taken, ...parts, ...kept].map((path) => ({ path, to: valueAt(made, path) })),
      )
    },
  }
}
