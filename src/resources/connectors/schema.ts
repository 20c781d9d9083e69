import { z } from 'zod'
import { deletedOf, listOf, responseOf } from '../../api/agents-envelope.ts'
import { headerFields, isoTime, nameId, requiredError, requiredText, shownId, text, uuidId } from '../../api/schemas.ts'
import { connectorScopes } from './table.ts'

/** A registered tool server; its headers are never returned (contract: connectors 1). */
export const Connector = z
  .object({
    uid: shownId,
    name: z.string(),
    description: z.string(),
    server_url: z.string(),
    scope: z.enum(connectorScopes).meta({ description: '`global`: offered to everyone by an operator.' }),
    active: z.boolean(),
    created_at: isoTime,
  })
  .meta({ id: 'Connector' })

const AgentTool = z.object({ name: z.string(), description: z.string(), enabled: z.boolean() })

/** A tool server as an agent sees it (contract: connectors 6). */
export const AgentConnector = z
  .object({
    uid: shownId,
    name: z.string(),
    description: z.string(),
    server_url: z.string(),
    enabled: z.boolean(),
    reachable: z.boolean().optional().meta({ description: 'Only for those enabled on this agent.' }),
    tools_count: z.int(),
    tools: z.array(AgentTool).optional().meta({ description: 'Only for those enabled on this agent.' }),
  })
  .meta({ id: 'AgentConnector' })

const Headers = headerFields.meta({
  description: 'Sent with every request; kept encrypted, never returned.',
  examples: [{ 'X-Api-Key': 'secret' }],
})

const fields = {
  name: requiredText(255),
  description: text(5000).nullable().optional(),
  server_url: requiredText(2048).meta({ examples: ['https://tools.example.com/mcp'] }),
  headers: Headers.nullable().optional(),
  active: z.boolean().optional(),
  scope: z
    .enum(connectorScopes)
    .optional()
    .meta({ description: '`global` is for operators; from others it is ignored.' }),
}

export const CreateConnectorInput = z.object(fields)
export const ConnectorPath = z.object({ connector_id: uuidId })
export const UpdateConnectorInput = z.object({
  ...fields,
  name: fields.name.optional(),
  server_url: fields.server_url.optional(),
  connector_id: uuidId,
})

export const AgentConnectorsPath = z.object({ agent_id: uuidId })
const agentConnector = { agent_id: uuidId, connector_id: uuidId }
const enabled = z.boolean({ error: requiredError })
export const EnableConnectorInput = z.object({ ...agentConnector, enabled })
export const EnableToolInput = z.object({
  ...agentConnector,
  tool_name: nameId(255),
  enabled,
})

export const ConnectorResponse = responseOf('connector', Connector)
export const ConnectorList = listOf(Connector)
export const ConnectorDeleted = deletedOf('connector', shownId)
export const AgentConnectorList = listOf(AgentConnector)
export const ConnectorEnabled = z.object({
  message: z.string(),
  data: z.object({ uid: shownId, enabled: z.boolean() }),
})
export const ToolEnabled = z.object({
  message: z.string(),
  data: z.object({ uid: shownId, name: z.string(), enabled: z.boolean() }),
})
