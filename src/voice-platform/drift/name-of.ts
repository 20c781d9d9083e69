import { isObject, type Json } from '../../json/object.ts'

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** What an object without a record is called: whichever of these it has. */
export function nameOf(live: object): string {
  const { name, number, id, function: called }: Json = { ...live }
  const own = isObject(called) ? called.name : undefined
  return [name, own, number, id].find(isName)?.slice(0, 255) ?? ''
}
