import type { z } from 'zod'
import { quickParse } from '../../../api/schema-compiler/compiled-schema.ts'
import type { Json } from '../../../json/object.ts'

/** An object to read, without the values for which it has no type. */
export type Fitting = (values: Json) => Json

/** What leaves out of an object the values that its schema refuses; keys that are not in the shape stay. */
export function fittingTo(shape: Record<string, z.ZodType>): Fitting {
  const checks = new Map(Object.entries(shape).map(([name, schema]) => [name, quickParse(schema)]))
  return (values) => {
    const entries = Object.entries(values)
    const fit = entries.filter(([name, value]) => checks.get(name)?.(value).success ?? true)
    return fit.length === entries.length ? values : Object.fromEntries(fit)
  }
}
