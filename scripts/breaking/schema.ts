import { isObject, type Json } from '../../src/json/object.ts'

/** Whose side a schema is on: callers write requests and read responses. */
export type Side = 'request' | 'response'

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [])

/** What a value may be: its types, or its constants. */
const typesOf = ({ type }: Json): string[] =>
  Array.isArray(type) ? type.map(String) : type === undefined ? [] : [String(type)]

const optionsOf = (schema: Json): Json[] => {
  const options = [schema.anyOf, schema.oneOf].find(Array.isArray)
  return options ? options.filter(isObject) : [schema]
}

/** Follows references within a document. */
function resolver(document: Json) {
  return (schema: unknown): Json => {
    let at = isObject(schema) ? schema : {}
    for (let hops = 0; typeof at.$ref === 'string' && hops < 20; hops++) {
      let target: unknown = document
      for (const name of at.$ref.slice(2).split('/')) target = isObject(target) ? target[name] : undefined
      at = isObject(target) ? target : {}
    }
    return at
  }
}

const bounds = { maxLength: -1, maximum: -1, maxItems: -1, minLength: 1, minimum: 1, minItems: 1 } as const

/** Bounds that let less through than before. */
function tighter(before: Json, after: Json): string[] {
  return Object.entries(bounds).flatMap(([name, direction]) => {
    const [old, now] = [before[name], after[name]]
    if (typeof now !== 'number') return []
    if (typeof old !== 'number') return name.startsWith('min') && now <= 0 ? [] : [`${name} is new`]
    return (now - old) * direction > 0 ? [`${name} went from ${old} to ${now}`] : []
  })
}

/** Compares what two documents say of one body or parameter. */
export function schemaComparer(before: Json, after: Json) {
  const [oldOf, newOf] = [resolver(before), resolver(after)]
  const seen = new Set<string>()

  function properties(old: Json, now: Json, side: Side, at: string): string[] {
    const was = isObject(old.properties) ? old.properties : {}
    const is = isObject(now.properties) ? now.properties : {}
    const [mustBefore, mustNow] = [textsOf(old.required), textsOf(now.required)]
    const problems: string[] = []
    for (const [name, schema] of Object.entries(was)) {
      const path = at === '' ? name : `${at}.${name}`
      if (!(name in is)) problems.push(`${path} is gone`)
      else problems.push(...compare(schema, is[name], side, path))
      const quoted = JSON.stringify(name)
      if (side === 'response' && name in is && mustBefore.includes(quoted) && !mustNow.includes(quoted)) {
        problems.push(`${path} may be missing`)
      }
    }
    if (side === 'request') {
      const fresh = mustNow.filter((name) => !mustBefore.includes(name))
      problems.push(...fresh.map((name) => `${at === '' ? '' : `${at}.`}${JSON.parse(name)} is required`))
    }
    return problems
  }

  /** One option against the one that is most like it. */
  function options(old: Json, now: Json, side: Side, at: string): string[] {
    const [was, is] = [optionsOf(old).map(oldOf), optionsOf(now).map(newOf)]
    const [from, to] = side === 'request' ? [was, is] : [is, was]
    return from.flatMap((option) => {
      const tries = to.map((other) =>
        side === 'request' ? plain(option, other, side, at) : plain(other, option, side, at),
      )
      return tries.toSorted((a, b) => a.length - b.length)[0] ?? [`${at || 'the body'} is of no kind any more`]
    })
  }

  function plain(old: Json, now: Json, side: Side, at: string): string[] {
    const place = at || 'the body'
    const [was, is] = [typesOf(old), typesOf(now)]
    // Callers may go on writing what they wrote, and read nothing that they did not know.
    const [known, given] = side === 'request' ? [is, was] : [was, is]
    const problems =
      known.length > 0 &&
      !given.every((type) => known.includes(type) || (type === 'integer' && known.includes('number')))
        ? [`${place} was ${was.join(' or ') || 'anything'}, and is ${is.join(' or ') || 'anything'}`]
        : []
    const [oldValues, newValues] = [textsOf(old.enum), textsOf(now.enum)]
    if (side === 'request' && newValues.length > 0) {
      const lost = oldValues.filter((value) => !newValues.includes(value))
      if (lost.length > 0 || oldValues.length === 0)
        problems.push(`${place} takes ${lost.join(', ') || 'anything'} no more`)
    }
    if (side === 'request') problems.push(...tighter(old, now).map((text) => `${place}: ${text}`))
    problems.push(...properties(old, now, side, at))
    if (isObject(old.items)) problems.push(...compare(old.items, now.items, side, `${at}[]`))
    return problems
  }

  function compare(old: unknown, now: unknown, side: Side, at = ''): string[] {
    const [was, is] = [oldOf(old), newOf(now)]
    const named =
      isObject(old) && isObject(now) && old.$ref !== undefined ? `${side} ${old.$ref} ${now.$ref}` : undefined
    if (named !== undefined && seen.has(named)) return []
    if (named !== undefined) seen.add(named)
    const isChoice = [was, is].some((schema) => 'anyOf' in schema || 'oneOf' in schema)
    const problems = isChoice ? options(was, is, side, at) : plain(was, is, side, at)
    if (named !== undefined) seen.delete(named)
    return [...new Set(problems)]
  }

  return { compare, oldOf, newOf }
}
