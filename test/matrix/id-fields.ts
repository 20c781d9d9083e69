import type { Described, Description, Schema } from '../../fuzz/description.ts'
import type { Input } from './world.ts'

/** A field of an input that names an object: its keys, `*` for each entry of a list. */
export interface IdField {
  /** Dotted, such as `members.*.assistantId`. */
  name: string
  /** It holds a list of ids. */
  isList: boolean
}

const idName = /(^|_)ids?$|Ids?$|^agent$|^chat$/
const maxDepth = 8

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat())

/** Every field of a procedure's input besides its path that names an object, wherever it stands. */
export function idFieldsOf(description: Description, { bodies, parameters }: Described): IdField[] {
  const found = new Map<string, IdField>()
  const walk = (given: Schema, keys: string[]) => {
    if (keys.length > maxDepth) return
    const schema = description.resolve(given)
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) walk(part, keys)
    if (schema.items) walk(schema.items, [...keys, '*'])
    for (const [key, member] of Object.entries(schema.properties ?? {})) {
      const place = [...keys, key]
      const resolved = description.resolve(member)
      if (idName.test(key) || resolved.format === 'uuid') {
        const name = place.join('.')
        found.set(name, { name, isList: typesOf(resolved).includes('array') })
      }
      walk(resolved, place)
    }
  }
  for (const { schema } of Object.values(bodies)) walk(schema, [])
  const query = parameters.filter((parameter) => parameter.in === 'query')
  walk({ properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])) }, [])
  return [...found.values()]
}

/** The input with a value in a field; lists on the way to it get one entry where they have none. */
export function withField(input: Input, { name, isList }: IdField, id: unknown): Input {
  const put = (value: unknown, keys: string[]): unknown => {
    const [key, ...rest] = keys
    if (key === undefined) return isList ? [id] : id
    if (key === '*') return (Array.isArray(value) && value.length > 0 ? value : [{}]).map((entry) => put(entry, rest))
    const holder = (value ?? {}) as Input
    return { ...holder, [key]: put(holder[key], rest) }
  }
  return put(input, name.split('.')) as Input
}
