import type { ZodType, z } from 'zod'
import { badRequest } from './responses.ts'

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number conforming to the specified constraints',
  boolean: 'a boolean value',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `of type ${issue.expected}`}`
    case 'too_big':
      return issue.origin === 'array'
        ? `must contain no more than ${issue.maximum} elements`
        : `must not be greater than ${issue.maximum}`
    case 'too_small':
      return issue.origin === 'array'
        ? `must contain at least ${issue.minimum} elements`
        : `must not be less than ${issue.minimum}`
    case 'invalid_value':
      return `must be one of the following values: ${issue.values.join(', ')}`
    case 'custom':
      return issue.message
    default:
      return 'must have a valid value'
  }
}

/** The real platform's texts: each begins with the path; an unknown property is named after its parent's path. */
function textsOf(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const parent = path === '' ? '' : `${path}.`
    return issue.keys.map((key) => `${parent}property ${key} should not exist`)
  }
  if (issue.code === 'invalid_union' && 'discriminator' in issue && typeof issue.discriminator === 'string') {
    const named = path.endsWith(issue.discriminator) ? path : `${path}.${issue.discriminator}`
    return [`${named} must be one of the supported values`]
  }
  return [`${path || 'body'} ${describe(issue)}`]
}

/** The body as it was sent, once it is valid; throws 400 with the list of texts. */
export function validate(schema: ZodType, body: unknown): Record<string, unknown> {
  const result = schema.safeParse(body)
  if (!result.success) throw badRequest(result.error.issues.flatMap(textsOf))
  return body as Record<string, unknown>
}
