import { z } from 'zod'
import type { ResourceDefinition } from './resource.ts'

/** Tools by what they are told apart by; what each type takes besides is not modelled here. */
const ToolFields = z.looseObject({ type: z.string().min(1) })

/** Tools, which assistants attach by their id. The type of a tool stays. */
export const tools: ResourceDefinition = {
  kind: 'tool',
  create: ToolFields,
  update: ToolFields.partial().refine(({ type }) => type === undefined, {
    path: ['type'],
    error: 'property type should not exist',
  }),
}
