import { deletedResponse, objectResponse, pageResponse } from '../../api/agents-envelope.ts'
import { del, get, patch, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import {
  AgentAccessResponse,
  AgentDeleted,
  AgentList,
  AgentPath,
  AgentQuery,
  AgentResponse,
  CreateAgentInput,
  UpdateAgentInput,
} from './schema.ts'
import { createAgent, deleteAgent, getAgent, getAgentAccess, listAgents, updateAgent } from './service.ts'

const common = { tag: 'Agents', document: 'agents', feature: 'ai_chat' } as const
const matches = ['agents.get']

/** Conversational agents (contract: agents 1). */
export const agentsRouter = router({
  list: workspaceProcedure
    .meta(get('/agents', 'List agents', common))
    .input(AgentQuery)
    .output(AgentList)
    .query(({ ctx, input }) => pageResponse(listAgents(ctx, input))),

  create: workspaceProcedure
    .meta(
      post('/agents', 'Create an agent', {
        example: {
          request: {
            name: 'Support',
            description: 'Answers customers.',
            instructions: 'We deliver on Mondays and Thursdays.',
          },
        },
        ...common,
        status: 201,
      }),
    )
    .input(CreateAgentInput)
    .output(AgentResponse)
    .mutation(({ ctx, input }) => objectResponse('agent', createAgent(ctx, input))),

  get: workspaceProcedure
    .meta(get('/agents/{agent_id}', 'Get an agent', common))
    .input(AgentPath)
    .output(AgentResponse)
    .query(({ ctx, input }) => objectResponse('agent', getAgent(ctx, input))),

  access: workspaceProcedure
    .meta(get('/agents/{agent_id}/access', 'Get what you may do with an agent', { ...common, extension: true }))
    .input(AgentPath)
    .output(AgentAccessResponse)
    .query(({ ctx, input }) => objectResponse('agent_access', getAgentAccess(ctx, input))),

  update: workspaceProcedure
    .meta(
      patch('/agents/{agent_id}', 'Update an agent', {
        example: { request: { instructions: 'We deliver on Mondays and Thursdays, except on holidays.' } },
        ...common,
        matches,
        also: ['PUT'],
        errors: ['agent_edit_denied'],
      }),
    )
    .input(UpdateAgentInput)
    .output(AgentResponse)
    .mutation(({ ctx, input }) => objectResponse('agent', updateAgent(ctx, input))),

  delete: workspaceProcedure
    .meta(del('/agents/{agent_id}', 'Delete an agent', { ...common, matches, errors: ['agent_owner_only'] }))
    .input(AgentPath)
    .output(AgentDeleted)
    .mutation(({ ctx, input }) => deletedResponse('agent', deleteAgent(ctx, input))),
})
