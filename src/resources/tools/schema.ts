import { z } from 'zod'
import { integerId } from '../../api/schemas.ts'
import { toolScopes } from '../catalogue/table.ts'

export const ToolQuery = z.object({
  include: z
    .array(z.string().max(100))
    .max(200)
    .optional()
    .meta({ description: 'Attached ids, whose labels are wanted although they are out of scope.' }),
  owner_id: integerId.optional().meta({ description: "Lists this owner's tools; honoured for admin roles only." }),
})

/** A tool as an editor offers it (contract: tools 2). */
export const ToolPick = z
  .object({
    value: z.string().meta({ description: 'The tool id.' }),
    label: z.string(),
    description: z.string(),
    type: z.string(),
    scope: z.enum(toolScopes),
    locked: z.boolean().meta({ description: 'A locked tool cannot be detached.' }),
  })
  .meta({ id: 'ToolPick' })

export const ToolPicks = z.object({
  success: z.literal(true),
  data: z.array(ToolPick),
  locked_tool_ids: z.array(z.string()),
})
