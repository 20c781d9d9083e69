import { z } from 'zod'
import { deletedOf, listQuery, responseOf, walkedListOf } from '../../api/agents-envelope.ts'
import { clearable, isoTime, requiredText, shownId, text, uuidId } from '../../api/schemas.ts'
import { shareAccess } from '../shares/table.ts'

/** An agent (contract: agents 1). */
export const Agent = z
  .object({
    id: shownId,
    object: z.literal('agent'),
    name: z.string(),
    description: z.string().nullable(),
    instructions: z.string().nullable().meta({ description: 'The system prompt.' }),
    memory: z
      .string()
      .nullable()
      .meta({
        description: 'What it remembers of earlier turns: dated bullets, written by the server only.',
        examples: ['- [2026-01-31] Prefers short answers.'],
      }),
    created_at: isoTime,
    last_activity_at: isoTime.meta({ description: 'Moved by creation and by turns.' }),
  })
  .meta({ id: 'Agent', description: 'A conversational agent.' })

/** What a caller may do with an agent (contract: agents 30). */
export const AgentAccess = z
  .object({
    access: z
      .enum([...shareAccess, 'own'])
      .meta({ description: '`own`: yours. `edit`, `view`: shared with you, to change or to see.' }),
    mcp_access: z.boolean().meta({ description: 'Whether you may talk to the agent.' }),
  })
  .meta({ id: 'AgentAccess', description: 'What you may do with an agent.' })

const path = { agent_id: uuidId.meta({ description: "The agent's id." }) }

const texts = {
  description: clearable(text(5000)),
  instructions: clearable(text(10_000)),
}

export const AgentPath = z.object(path)

export const CreateAgentInput = z.object({
  name: requiredText(255).meta({ examples: ['Support'] }),
  ...texts,
})

export const UpdateAgentInput = z.object({ ...path, name: requiredText(255).optional(), ...texts })

const agentSorts = ['updated', 'name'] as const

export const AgentQuery = z.object({
  ...listQuery,
  q: text(5000).nullable().optional().meta({ description: 'Part of the name or description, in any case.' }),
  sort: z.enum(agentSorts).nullable().optional().meta({
    description: '`updated`: the later of change and activity, newest first. Default: newest activity first.',
  }),
})

export const AgentResponse = responseOf('agent', Agent)
export const AgentAccessResponse = responseOf('agent_access', AgentAccess)
export const AgentList = walkedListOf(Agent)
export const AgentDeleted = deletedOf('agent', shownId)
