import { isMap, parseDocument, Scalar, type ScalarTag, stringify } from 'yaml'
import { isObject, type Json } from '../../src/json/object.ts'
import { CommandError } from '../error.ts'
import { SecretRef } from './document.ts'

/** `secret: !secret NAME`: the value is in the environment. */
const secretTag: ScalarTag = {
  tag: '!secret',
  identify: (value) => value instanceof SecretRef,
  resolve: (name) => new SecretRef(name.trim()),
  stringify: ({ value }) => (value instanceof SecretRef ? value.name : ''),
}

/** Nested keys in the order of the alphabet: the same document is always the same text. */
function sorted(value: unknown): unknown {
  if (value instanceof SecretRef || !(isObject(value) || Array.isArray(value))) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

/** A document as a file's text: its own fields in their order, long texts as blocks. */
export function toYaml(document: Json): string {
  const ordered = Object.fromEntries(Object.entries(document).map(([key, value]) => [key, sorted(value)]))
  return stringify(ordered, {
    customTags: [secretTag],
    lineWidth: 120,
    defaultStringType: Scalar.PLAIN,
    aliasDuplicateObjects: false,
  })
}

/** A file's text as a document. Throws CommandError, with the line, for what is no YAML object. */
export function fromYaml(file: string, text: string): Json {
  const parsed = parseDocument(text, { customTags: [secretTag] })
  const [error] = parsed.errors
  if (error) throw new CommandError(`${file}: ${error.message}`)
  const value: unknown = isMap(parsed.contents) ? parsed.toJS({ maxAliasCount: 100 }) : undefined
  if (!isObject(value)) throw new CommandError(`${file} must hold fields, such as "name: Front desk".`)
  return value
}
