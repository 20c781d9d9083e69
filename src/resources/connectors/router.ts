import { collectionResponse, deletedResponse, objectResponse } from '../../api/agents-envelope.ts'
import { del, get, patch, post, put } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { createConnector, deleteConnector, listConnectors, updateConnector } from './registry.ts'
import {
  AgentConnectorList,
  AgentConnectorsPath,
  ConnectorDeleted,
  ConnectorEnabled,
  ConnectorList,
  ConnectorPath,
  ConnectorResponse,
  CreateConnectorInput,
  EnableConnectorInput,
  EnableToolInput,
  ToolEnabled,
  UpdateConnectorInput,
} from './schema.ts'
import { enableConnector, enableTool, listAgentConnectors } from './service.ts'

const common = { tag: 'Connectors', document: 'agents', feature: 'ai_chat' } as const

/** The registry of external tool servers, and their use by agents (contract: connectors 1). */
export const connectorsRouter = router({
  list: workspaceProcedure
    .meta(get('/connectors', 'List your connectors', { ...common, extension: true }))
    .output(ConnectorList)
    .query(({ ctx }) => collectionResponse(listConnectors(ctx))),

  create: workspaceProcedure
    .meta(post('/connectors', 'Register a connector', { ...common, status: 201, extension: true }))
    .input(CreateConnectorInput)
    .output(ConnectorResponse)
    .mutation(({ ctx, input }) => objectResponse('connector', createConnector(ctx, input))),

  update: workspaceProcedure
    .meta(patch('/connectors/{connector_id}', 'Change a connector', { ...common, extension: true }))
    .input(UpdateConnectorInput)
    .output(ConnectorResponse)
    .mutation(({ ctx, input }) => objectResponse('connector', updateConnector(ctx, input))),

  delete: workspaceProcedure
    .meta(del('/connectors/{connector_id}', 'Delete a connector', { ...common, extension: true }))
    .input(ConnectorPath)
    .output(ConnectorDeleted)
    .mutation(({ ctx, input }) => deletedResponse('connector', deleteConnector(ctx, input))),

  listOfAgent: workspaceProcedure
    .meta(get('/agents/{agent_id}/connectors', "List an agent's connectors", common))
    .input(AgentConnectorsPath)
    .output(AgentConnectorList)
    .query(({ ctx, input }) => collectionResponse(listAgentConnectors(ctx, input))),

  enable: workspaceProcedure
    .meta(
      put('/agents/{agent_id}/connectors/{connector_id}', 'Switch a connector on or off for an agent', {
        message: '"Tools" enabled for this agent.',
        ...common,
        errors: ['agent_edit_denied'],
      }),
    )
    .input(EnableConnectorInput)
    .output(ConnectorEnabled)
    .mutation(({ ctx, input }) => enableConnector(ctx, input)),

  enableTool: workspaceProcedure
    .meta(
      put('/agents/{agent_id}/connectors/{connector_id}/tools/{tool_name}', 'Switch a tool on or off for an agent', {
        message: '"look_up" disabled for this agent.',
        ...common,
        ids: { tool_name: 'tool_not_found' },
        errors: ['agent_edit_denied'],
        extension: true,
      }),
    )
    .input(EnableToolInput)
    .output(ToolEnabled)
    .mutation(({ ctx, input }) => enableTool(ctx, input)),
})
