import { z } from 'zod'
import { deletedOf, responseOf, rest, wholeListOf } from '../../api/agents-envelope.ts'
import { integerId, requiredError, uuidId } from '../../api/schemas.ts'
import { shareAccess } from './table.ts'

const nameless = 'Null unless the user belongs to your workspace.'

/** Who else may use an agent (contract: agents 15). */
export const Share = z
  .object({
    user_id: z.int(),
    name: z.string().nullable().meta({ description: nameless }),
    email: z.string().nullable().meta({ description: nameless }),
    access: z.enum(shareAccess),
    mcp_access: z.boolean().meta({ description: 'Whether the user may talk to the agent.' }),
  })
  .meta({ id: 'AgentShare', description: 'A user that an agent is shared with.' })

const path = {
  agent_id: uuidId.meta({ description: "The agent's id." }),
  user_id: integerId.meta({ description: 'Any user of the installation.' }),
}

export const SharesPath = z.object({ agent_id: path.agent_id })
export const SharesQuery = SharesPath.extend({ cursor: rest })
export const SharePath = z.object(path)

export const PutShareInput = z.object({
  ...path,
  access: z.enum(shareAccess, { error: requiredError }),
  mcp_access: z.boolean().default(true),
})

export const ShareResponse = responseOf('share', Share)
export const ShareList = wholeListOf(Share)
export const ShareDeleted = deletedOf('share', z.int())
