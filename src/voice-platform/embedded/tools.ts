import { z } from 'zod'
import { Tool } from '../schema/tool.ts'
import type { ResourceDefinition } from './resource.ts'

/** Tools, which assistants attach by their id. The type of a tool stays; a change is not judged by it. */
export const tools: ResourceDefinition = {
  kind: 'tool',
  create: Tool,
  update: z.looseObject({}).refine(({ type }) => type === undefined, {
    path: ['type'],
    error: 'property type should not exist',
  }),
}
