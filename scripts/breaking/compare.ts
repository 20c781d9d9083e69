import { isObject, type Json } from '../../src/json/object.ts'
import { schemaComparer } from './schema.ts'

/** A change of the description that a client may stumble over. */
export interface Breaking {
  /** `GET /assistants`, as a changelog names it. */
  operation: string
  change: string
}

const part = (object: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), object)

const entries = (object: unknown): [string, unknown][] => (isObject(object) ? Object.entries(object) : [])

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The status that says success. */
const success = (operation: unknown) => entries(part(operation, 'responses')).find(([status]) => /^2\d\d$/.test(status))

/**
 * What a client of `before` can stumble over in `after`: operations, fields and values that are gone, new demands on
 * requests, and responses that hold less than they did.
 */
export function breakingChanges(before: Json, after: Json): Breaking[] {
  const { compare, oldOf, newOf } = schemaComparer(before, after)

  const parameters = (operation: unknown, resolve: (schema: unknown) => Json) => {
    const list = part(operation, 'parameters')
    const all = (Array.isArray(list) ? list : []).map(resolve)
    return new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
  }

  function requestChanges(old: unknown, now: unknown): string[] {
    const [was, is] = [parameters(old, oldOf), parameters(now, newOf)]
    const changes: string[] = []
    for (const [name, parameter] of was) {
      const kept = is.get(name)
      if (!kept) changes.push(`the ${name} is gone`)
      else changes.push(...compare(parameter.schema, kept.schema, 'request', name))
    }
    for (const [name, { required }] of is) {
      if (required === true && was.get(name)?.required !== true) changes.push(`the ${name} is required`)
    }
    const type = (body: unknown) => part(body, 'requestBody', 'content')
    for (const [media, { schema }] of entries(type(old)).map(([name, value]) => [name, value as Json] as const)) {
      const kept = part(type(now), media)
      if (!isObject(kept)) changes.push(`a body of ${media} is not taken any more`)
      else changes.push(...compare(schema, kept.schema, 'request'))
    }
    if (part(now, 'requestBody', 'required') === true && part(old, 'requestBody', 'required') !== true) {
      changes.push('a body is required')
    }
    return changes
  }

  function responseChanges(old: unknown, now: unknown): string[] {
    const [[oldStatus, was] = [], [newStatus, is] = []] = [success(old), success(now)]
    if (oldStatus !== newStatus) return [`success is ${newStatus}, and was ${oldStatus}`]
    return entries(part(oldOf(was), 'content')).flatMap(([media, value]) => {
      const kept = part(newOf(is), 'content', media)
      if (!isObject(kept)) return [`no response of ${media} any more`]
      return compare(part(value, 'schema'), kept.schema, 'response').map((text) => `in the response ${text}`)
    })
  }

  return entries(before.paths).flatMap(([path, item]) =>
    entries(item)
      .filter(([method]) => methods.includes(method))
      .flatMap(([method, old]) => {
        const operation = `${method.toUpperCase()} ${path}`
        const now = part(after.paths, path, method)
        const changes = isObject(now) ? [...requestChanges(old, now), ...responseChanges(old, now)] : ['it is gone']
        return changes.map((change) => ({ operation, change }))
      }),
  )
}

/** Those whose operation the newest section of a changelog does not name. */
export function unnamed(changes: readonly Breaking[], changelog: string): Breaking[] {
  const [, newest = ''] = changelog.split(/^## .*$/m)
  const text = newest.replace(/\s+/g, ' ')
  return changes.filter(({ operation }) => !text.includes(`\`${operation}\``))
}
