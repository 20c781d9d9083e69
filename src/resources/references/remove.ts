import { isObject } from '../../json/object.ts'
import type { Reference } from '../../voice-platform/references/find.ts'

/** The way to what an id makes useless: to the item of the first list on it, or to the property itself. */
export function wayTo({ path }: Reference): string[] {
  const way = path.split('.')
  const item = way.findIndex((part) => /^\d+$/.test(part))
  return item === -1 ? way : way.slice(0, item + 1)
}

function removeAt(holder: unknown, [key = '', ...rest]: string[]): void {
  if (Array.isArray(holder)) {
    if (rest.length === 0) holder.splice(Number(key), 1)
    else removeAt(holder[Number(key)], rest)
  } else if (isObject(holder)) {
    if (rest.length === 0) delete holder[key]
    else removeAt(holder[key], rest)
  }
}

/** Later items of a list first, so that the places of the others stay. */
const fromBehind = (one: string, other: string) => Number(other.split('.').at(-1)) - Number(one.split('.').at(-1))

/** Takes out of a body, in place, what some references are the point of. */
export function removeReferences(body: object, references: readonly Reference[]): void {
  const ways = new Set(references.map((reference) => wayTo(reference).join('.')))
  for (const way of [...ways].sort(fromBehind)) removeAt(body, way.split('.'))
}
