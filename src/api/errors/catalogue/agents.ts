import type { ErrorEntry } from '../entry.ts'

/** Errors of agents, their connectors and their files. */
export const agents = {
  // Agents
  agent_not_found: { status: 404, message: 'Agent not found.' },
  agent_edit_denied: { status: 403, message: 'You do not have edit access to this agent.' },
  agent_owner_only: { status: 403, message: 'Only the owner of this agent may do this.' },
  agent_budget_by_budgeted: { status: 403, message: 'A token that has a budget sets no budgets.' },
  agent_mcp_denied: { status: 403, message: 'You do not have MCP access to this agent.' },
  note_not_found: { status: 404, message: 'Note not found.' },
  share_not_found: { status: 404, message: 'Share not found.' },
  share_user_not_found: { status: 404, message: 'User not found.' },
  chat_not_found: { status: 404, message: 'Chat not found.' },
  generation_failed: {
    status: 422,
    message: 'The assistant could not generate a response. Please try again.',
    extra: { error: true },
  },
  completion_failed: {
    status: 500,
    message: 'The assistant could not generate a response. Please try again.',
  },
  model_not_found: { status: 404, message: 'The requested model does not exist. See GET /models.' },
  streaming_unsupported: { status: 400, message: 'Streaming is not supported. Set stream to false or leave it out.' },
  no_user_message: { status: 400, message: 'messages must contain at least one message with the role user.' },

  // Connectors
  connector_not_found: { status: 404, message: 'Connector not found.' },
  tool_not_found: { status: 404, message: 'Tool not found.' },

  // Knowledge files
  file_not_found: { status: 404, message: 'File not found.' },
  file_type_unsupported: { status: 422, message: 'Unsupported file type. Allowed: {detail}.' },
} as const satisfies Record<string, ErrorEntry>
