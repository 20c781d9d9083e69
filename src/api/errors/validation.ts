import { z } from 'zod'
import type { ApiError, FieldErrors } from './api-error.ts'
import { validationError } from './api-error.ts'

type RawIssue = Parameters<NonNullable<Parameters<typeof z.config>[0]>['customError'] & object>[0]

const fieldName = (path: readonly PropertyKey[] | undefined) => path?.map(String).join('.') || 'body'

const kindNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  file: 'a file',
  null: 'null',
}

const formatNames: Record<string, string> = {
  email: 'a valid e-mail address',
  url: 'a valid URL',
  uuid: 'a valid UUID',
  guid: 'a valid UUID',
  datetime: 'a valid ISO 8601 date and time',
  date: 'a valid date (YYYY-MM-DD)',
}

function sizeText(issue: RawIssue, word: 'at most' | 'at least', limit: unknown): string {
  switch (issue.origin) {
    case 'string':
      return `must have ${word} ${limit} characters.`
    case 'array':
    case 'set':
      return `must have ${word} ${limit} items.`
    case 'record':
      return `must have ${word} ${limit} keys.`
    case 'file':
      return `must have ${word} ${limit} bytes.`
    default:
      return `must be ${word} ${limit}.`
  }
}

/** An integer schema reports `number` for what is no number at all; several files come as a list. */
function wantedKind({ expected, inst, input }: RawIssue): string {
  if (expected === 'file' && Array.isArray(input)) return 'one file'
  const isInteger = inst instanceof z.ZodNumber && inst.format?.includes('int')
  return kindNames[isInteger ? 'int' : String(expected)] ?? String(expected)
}

function issueText(issue: RawIssue): string {
  const name = fieldName(issue.path)
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `The ${name} field is required.`
      return `The ${name} field must be ${wantedKind(issue)}.`
    case 'invalid_value':
      if (issue.input === undefined) return `The ${name} field is required.`
      return `The ${name} field must be one of: ${(issue.values as unknown[]).join(', ')}.`
    case 'too_big':
      return `The ${name} field ${sizeText(issue, 'at most', issue.maximum)}`
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return `The ${name} field is required.`
      return `The ${name} field ${sizeText(issue, 'at least', issue.minimum)}`
    case 'invalid_format':
      return `The ${name} field must be ${formatNames[String(issue.format)] ?? 'in the right format'}.`
    case 'not_multiple_of':
      return `The ${name} field must be a multiple of ${issue.divisor}.`
    default:
      return issue.input === undefined ? `The ${name} field is required.` : `The ${name} field is invalid.`
  }
}

/** Gives zod our default texts for the whole process; texts written beside a field win over them. */
export function useOurTexts(): void {
  z.config({ customError: issueText })
}

/** Issues as `{field: [texts]}`; an unmatched union speaks for the member that came closest. */
function collect(issues: readonly z.core.$ZodIssue[], prefix: PropertyKey[], into: FieldErrors): void {
  for (const issue of issues) {
    const path = [...prefix, ...issue.path]
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const deepest = [...issue.errors].sort((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0]
      if (deepest && (deepest[0]?.path.length ?? 0) > 0) {
        collect(deepest, path, into)
        continue
      }
    }
    const key = fieldName(path)
    const texts = into[key] ?? []
    // What a member of a union says names the field as that member sees it.
    const named = `The ${fieldName(issue.path)} field `
    const isNamed = prefix.length > 0 && issue.message.startsWith(named)
    texts.push(isNamed ? `The ${key} field ${issue.message.slice(named.length)}` : issue.message)
    into[key] = texts
  }
}

/** A zod failure as the API's 422. */
export function inputError(error: z.core.$ZodError, message?: string): ApiError {
  const fields: FieldErrors = {}
  collect(error.issues, [], fields)
  return validationError(fields, message)
}

const maxDepth = 64
/** No list of the API comes near: what is longer would cost more to judge than to refuse. */
const maxItems = 10_000
const maxValues = 50_000
/**
 * Characters of the dotted paths of all values together: of honest bodies a tenth. A long name above many values is
 * said with each.
 */
const maxPaths = 10_000_000

const below = (path: string, key: string) => (path ? `${path}.${key}` : key)

const badText = (value: string) => value.includes('\0') || !value.isWellFormed()

/**
 * Refuses what a database cannot keep (NUL characters, half surrogate pairs, numbers beyond a double, keys that objects
 * cannot have here, nesting without end), lists and bodies of more values than anything here takes, and names that
 * would be too long to say with each value. Returns the offending field's text, or undefined when the input is sound.
 */
export function unstorable(input: unknown): FieldErrors | undefined {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: input, path: '', depth: 0 }]
  let values = 0
  let paths = 0
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { value, path, depth } = entry
    const name = path || 'body'
    if (typeof value === 'string') {
      if (badText(value)) return { [name]: [`The ${name} field contains characters that cannot be stored.`] }
    } else if (typeof value === 'object' && value !== null && !(value instanceof Blob)) {
      if (depth >= maxDepth) return { [name]: [`The ${name} field is nested too deeply.`] }
      if (Array.isArray(value) && value.length > maxItems) {
        return { [name]: [`The ${name} field must have at most ${maxItems} items.`] }
      }
      const keys = Object.keys(value)
      values += keys.length
      if (values > maxValues) return { [name]: [`The body must have at most ${maxValues} values.`] }
      paths += keys.reduce((length, key) => length + key.length, keys.length * path.length)
      if (paths > maxPaths) return { body: ['The names in the body are too long for so many values.'] }
      for (const key of keys) {
        if (badText(key)) return { [name]: [`The ${name} field contains characters that cannot be stored.`] }
        if (key === '__proto__') {
          const field = below(path, key)
          return { [field]: [`The ${field} field has a name that cannot be stored.`] }
        }
        const child = (value as Record<string, unknown>)[key]
        if (typeof child === 'number' && !Number.isFinite(child)) {
          const field = below(path, key)
          return { [field]: [`The ${field} field contains a number that cannot be stored.`] }
        }
        if (typeof child === 'string' || (typeof child === 'object' && child !== null)) {
          stack.push({ value: child, path: below(path, key), depth: depth + 1 })
        }
      }
    }
  }
  return undefined
}
