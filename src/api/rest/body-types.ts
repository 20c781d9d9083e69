import { z } from 'zod'
import type { Operation } from '../operations.ts'

export const formType = 'multipart/form-data'
export const jsonType = 'application/json'

/** Whether an input cannot do without a file. */
export const needsFile = (input: unknown): boolean =>
  input instanceof z.ZodObject && Object.values(input.shape).some((field) => field instanceof z.ZodFile)

/** The types that the body of an operation may have: one that needs a file does not come as JSON. */
export function bodyTypesOf({ meta, inputs }: Pick<Operation, 'meta' | 'inputs'>): readonly string[] {
  if (!meta.multipart) return [jsonType]
  return inputs.some(needsFile) ? [formType] : [formType, jsonType]
}
