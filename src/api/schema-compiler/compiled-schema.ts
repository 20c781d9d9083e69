import type { z } from 'zod'
import { type Copy, CopySource, unsure } from './copy-source.ts'
import { Written, writable } from './written.ts'

/** The copy of a schema, made when it is first used. */
function copyOf(schema: z.ZodType): Copy {
  let copy: Copy | undefined
  return (value) => {
    copy ??= new CopySource().compile(schema)
    return copy(value)
  }
}

/**
 * What `safeParse` of a schema gives, several times faster on valid values: the check becomes a function of its own
 * that looks at field after field, without the bookkeeping that error reports need (record 0005). What is not plainly
 * valid goes through `safeParse`, so it accepts, gives and reports the same.
 */
export function quickParse<Schema extends z.ZodType>(schema: Schema): Schema['safeParse'] {
  const copy = copyOf(schema)
  return (value, params) => {
    const copied = copy(value)
    return copied === unsure ? schema.safeParse(value, params) : { success: true, data: copied as z.output<Schema> }
  }
}

/** The same schema with such a `parse`: for the outputs of operations, of which `parse` alone is called. */
export function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  const parse = schema.parse
  const copy = copyOf(schema)
  schema.parse = (value, params) => {
    const copied = copy(value)
    return copied === unsure ? parse(value, params) : (copied as z.output<Schema>)
  }
  return schema
}

/**
 * What makes a value into its JSON, checked by this schema once: where an output has this schema, or one of `wider`,
 * that may stand in the place of the value. Called at module level, before the first response.
 * @param wider schemas that take and give all values of this one as they are
 */
export function writer<Schema extends z.ZodType>(
  schema: Schema,
  wider: readonly z.ZodType[] = [],
): (value: z.input<Schema>) => Written {
  for (const place of [schema, ...wider]) writable.set(place, schema)
  const copy = copyOf(schema)
  return (value) => {
    const copied = copy(value)
    return new Written(schema, JSON.stringify(copied === unsure ? schema.parse(value) : copied))
  }
}
