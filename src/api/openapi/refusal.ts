import { z } from 'zod'
import type { ApiError } from '../errors/api-error.ts'
import { refusedInput } from '../errors/error-response.ts'
import type { Operation } from '../operations.ts'
import { fromText, textFields } from '../rest/input.ts'

type Input = Record<string, unknown>

/** More than any short text may have, a cursor included. */
const long = 'x'.repeat(4_001)

/** The first refusal of an input by one of the operation's schemas. */
function refusalOf({ inputs, meta }: Operation, input: Input): ApiError | undefined {
  for (const schema of inputs) {
    const error = schema instanceof z.ZodType ? schema.safeParse(input).error : undefined
    if (error) return refusedInput(error, meta)
  }
  return undefined
}

function* wrongInputs(operation: Operation, sound: Input, hasBody: boolean): Generator<Input> {
  const path = new Set(operation.pathParameters)
  const pathOnly = Object.fromEntries(Object.entries(sound).filter(([name]) => path.has(name)))
  if (hasBody) yield pathOnly
  for (const [name, field] of textFields(operation.inputs)) {
    if (path.has(name)) continue
    const values = hasBody ? ['wrong', 1, {}, long] : [fromText('wrong', field), fromText(long, field)]
    for (const value of values) yield { ...sound, [name]: value }
  }
}

/**
 * The 422 of an operation, as its own schemas give it: `sound` with one thing wrong. Undefined when no input is
 * refused with a 422, as with an id alone, whose malformed form is a 404.
 */
export function refusalExample(operation: Operation, sound: Input, hasBody: boolean): ApiError | undefined {
  for (const input of wrongInputs(operation, sound, hasBody)) {
    const refusal = refusalOf(operation, input)
    if (refusal?.code === 'validation_failed') return refusal
  }
  return undefined
}
