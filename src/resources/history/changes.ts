import { isObject, type Json, ownValue } from '../../json/object.ts'
import { holdsSecrets, namesSecret } from '../../secrets/leaves.ts'
import { mask, maskedValue } from './mask.ts'
import type { Change } from './table.ts'
import { weightOf } from './weight.ts'

/** Bytes that the changes of an entry may have as the database writes them: a page holds two. Honest ones have less. */
export const maxChangesWeight = 3_000_000
/** Characters of a key in a path, which is said with every leaf below. */
const maxKeyLength = 200
/** Of a change, besides its path and values. */
const frameWeight = 40
/** Of a key in a list of them, besides its text. */
const keyFrameWeight = 2

/** Where something stands: its key in what holds it, and what the path there weighs. */
interface Place {
  key: string
  holder?: Place
  /** Whether anything below it is a secret by the name of it, or of what holds it. */
  hides: boolean
  /** How many keys its path has. */
  depth: number
  /** Whether one of them has a dot. */
  hasDots: boolean
  pathWeight: number
}

/** Whether all below a key is a secret, by the name of it or of what holds it. */
const hidesBelow = (key: string, holder: string) => namesSecret(key, undefined) || holdsSecrets(holder)

/** What differs at a place: a leaf, or the parts of an object. Paths are written when it is told, not for each leaf. */
interface Difference {
  place: Place
  before: unknown
  after: unknown
  parts?: Difference[]
  /** Of its changes, told leaf by leaf. */
  weight: number
}

const shortKey = (key: string) =>
  key.length > maxKeyLength ? `${key.slice(0, maxKeyLength - 1).toWellFormed()}…` : key

const placeIn = (holder: Place, key: string): Place => ({
  key,
  holder,
  hides: holder.hides || hidesBelow(key, holder.key),
  depth: holder.depth + 1,
  hasDots: holder.hasDots || key.includes('.'),
  pathWeight: holder.pathWeight + weightOf(shortKey(key)),
})

function pathOf(place: Place): Pick<Change, 'path' | 'keys'> {
  const keys: string[] = []
  for (let at = place; at.holder; at = at.holder) keys.push(shortKey(at.key))
  const path = keys.reverse().join('.')
  return place.hasDots ? { path, keys } : { path }
}

/** What readers see of a value there: the same as where it is shown within what holds it. */
const shownAt = ({ key, holder }: Place, value: unknown) =>
  holder?.hides ? mask : maskedValue(key, value, holder?.key)

const sides = ({ place, before, after }: Pick<Difference, 'place' | 'before' | 'after'>) => ({
  ...(before != null && { from: shownAt(place, before) }),
  ...(after != null && { to: shownAt(place, after) }),
})

/** Where keys are said beside the path, each has a frame of its own. */
const bareWeight = ({ place: { pathWeight, hasDots, depth } }: Pick<Difference, 'place'>) =>
  frameWeight + (hasDots ? 2 * pathWeight + depth * keyFrameWeight + frameWeight : pathWeight)

const hasEntries = (value: unknown): value is Json => isObject(value) && Object.keys(value).length > 0

/** A list that is empty is told as one that is not there. */
export const isNone = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0)

/** A field whose list is empty is also shown as one that is not there. */
const isUnset = (value: unknown, { depth }: Place) => value == null || (depth === 1 && isNone(value))

function compare(before: unknown, after: unknown, place: Place): Difference | undefined {
  if (hasEntries(before) && hasEntries(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    const parts = keys.flatMap((key) => compare(ownValue(before, key), ownValue(after, key), placeIn(place, key)) ?? [])
    const weight = parts.reduce((sum, part) => sum + part.weight, 0)
    return parts.length > 0 ? { place, before, after, parts, weight } : undefined
  }
  if ((isUnset(before, place) && isUnset(after, place)) || Bun.deepEquals(before, after, true)) return undefined
  const leaf = { place, before, after }
  return { ...leaf, weight: bareWeight(leaf) + weightOf(sides(leaf)) }
}

/** Gives every part the same, and what light ones leave over to the heavier. */
function changesOfParts(parts: Difference[], max: number): Change[] {
  let left = max
  const shares = new Map<Difference, number>()
  for (const [index, part] of parts.toSorted((one, other) => one.weight - other.weight).entries()) {
    const share = Math.floor(left / (parts.length - index))
    shares.set(part, share)
    left -= Math.min(part.weight, share)
  }
  return parts.flatMap((part) => changesWithin(part, shares.get(part) ?? 0))
}

/** Whether it says what was or is there. */
export const hasSides = ({ from, to }: Change) => from !== undefined || to !== undefined

/**
 * The changes of a difference, as far as they weigh no more: leaf by leaf, else as one change of the object that holds
 * them, and where even that is too heavy, by its path alone.
 */
function changesWithin(difference: Difference, max: number): Change[] {
  const { place, parts, weight } = difference
  if (weight <= max) {
    return parts
      ? parts.flatMap((part) => changesWithin(part, part.weight))
      : [{ ...pathOf(place), ...sides(difference) }]
  }
  const heaviest = parts?.reduce((most, part) => Math.max(most, bareWeight(part)), 1) ?? 1
  const fitting = parts?.slice(0, Math.floor(max / heaviest)) ?? []
  const isRoot = place.holder === undefined
  const divided = isRoot || fitting.length === parts?.length ? changesOfParts(fitting, max) : []
  if (isRoot || (divided.length > 0 && divided.every(hasSides))) return divided
  const whole = { ...pathOf(place), ...sides(difference) }
  if (bareWeight(difference) + weightOf(sides(difference)) <= max) return [whole]
  return divided.length > 0 ? divided : [pathOf(place)]
}

/**
 * What differs between two configurations, leaf by leaf; arrays differ as a whole. Secrets are masked. Together they
 * have a bound: beyond it, what weighs most is told by the object that holds it (contract: versions 18).
 */
export function changesBetween(before: object, after: object): Change[] {
  const difference = compare(before, after, { key: '', hides: false, depth: 0, hasDots: false, pathWeight: 0 })
  return difference ? changesWithin(difference, maxChangesWeight) : []
}

/** A change as readers see it now, whatever release wrote it: what is a secret, and what lies below one, is masked. */
export function maskedChange(change: Change): Change {
  const { path, keys = path.split('.'), from, to } = change
  if ([from, to].every((value) => value == null || value === mask)) return change
  const holders = keys.slice(0, -1)
  const isHidden = holders.some((key, at) => hidesBelow(key, holders[at - 1] ?? ''))
  const see = (value: unknown) => (isHidden ? mask : maskedValue(keys.at(-1) ?? '', value, keys.at(-2)))
  const seen = { ...(from != null && { from: see(from) }), ...(to != null && { to: see(to) }) }
  return Bun.deepEquals([seen.from ?? null, seen.to ?? null], [from ?? null, to ?? null]) ? change : { path, ...seen }
}

/** A change as readers get it. */
export const shownChange = ({ path, keys: _inside, from = null, to = null, ...readable }: Change) => ({
  path,
  from,
  to,
  ...readable,
})
