import { z } from 'zod'

const limits = ['id', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems']

/** What is said of a schema, without its limits and the name of the component that has them. */
const described = (schema: z.ZodType, like: z.ZodType): z.ZodType => {
  const kept = Object.entries(like.meta() ?? {}).filter(([name]) => !limits.includes(name))
  return kept.length > 0 ? schema.meta(Object.fromEntries(kept)) : schema
}

const relaxed = (schema: unknown): z.ZodType => described(withoutLimits(schema as z.ZodType), schema as z.ZodType)

function withoutLimits(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return relaxed(schema.unwrap()).optional()
  if (schema instanceof z.ZodNullable) return relaxed(schema.unwrap()).nullable()
  if (schema instanceof z.ZodArray) return z.array(relaxed(schema.element))
  if (schema instanceof z.ZodRecord) return z.record(z.string(), relaxed(schema.valueType))
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return z.string()
  if (schema instanceof z.ZodNumberFormat) return z.int()
  if (schema instanceof z.ZodNumber) return z.number()
  if (schema instanceof z.ZodObject) return z.object(shapeWithoutLimits(schema.shape))
  return schema
}

const shapeWithoutLimits = (shape: z.ZodRawShape) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, relaxed(field)]))

/**
 * What a request's schema takes as a response shows it: the same types without limits of length, size or form. Those
 * hold for what is sent; what is stored may have come from elsewhere, or from before a limit, and is read all the same.
 */
export const responseSchema = <Schema extends z.ZodObject>(schema: Schema): Schema => relaxed(schema) as Schema
