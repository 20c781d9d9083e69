import { type ZodType, z } from 'zod'
import { badRequest } from '../embedded/answers.ts'

/** A text of `min`..`max` code points. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine((value) => [...value].length <= max, `must be shorter than or equal to ${max} characters`)
    .refine((value) => [...value].length >= min, `must be longer than or equal to ${min} characters`)

/** A number within a closed range. */
export const within = ([min, max]: readonly [number, number]) => z.number().min(min).max(max)

/** An address with one of the schemes that the platform calls. */
export const address = () =>
  z.string().refine((value) => /^(https?|wss?):\/\/[^\s/]/i.test(value) && URL.canParse(value), 'must be a URL address')

/** A strict object in which every entry is optional. */
export const plan = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape).partial()

/** A union that is told apart by `provider`. */
export function byProvider(options: z.ZodObject[]) {
  const [first, ...others] = options
  if (!first) throw new Error('A union needs an option')
  return z.discriminatedUnion('provider', [first, ...others])
}

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
