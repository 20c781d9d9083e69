import { z } from 'zod'

/** Whether this is the input of a list, which is read page by page (contract: rest 24, rest 25). */
export const isPaged = (input: z.ZodType | undefined): boolean =>
  input instanceof z.ZodObject && 'per_page' in input.shape
