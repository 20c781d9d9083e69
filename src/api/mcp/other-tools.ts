import { z } from 'zod'
import { type IntentTool, tool } from './tool.ts'
import { withLeadingBack } from './undo.ts'

const agentId = z.string().describe("The agent's id.")
const pageOf = { page: z.int().optional() }

/** Numbers, chat agents, webhooks and the balance. */
export const otherTools: IntentTool[] = [
  tool({
    name: 'list_numbers',
    description: 'List phone numbers with where each leads.',
    effect: 'read',
    procedures: ['phoneNumbers.list'],
    input: z.object(pageOf),
    run: ({ call }, { page = 1 }) => call('phoneNumbers.list', { page, per_page: 20 }),
  }),
  tool({
    name: 'attach_number',
    description: 'Lead a phone number to an assistant, a squad or a workflow, or to nothing. Answers how to undo it.',
    effect: 'change',
    procedures: ['phoneNumbers.update'],
    input: z.object({
      number: z.string().describe('The number, or the id of its configuration.'),
      voice_assistant_id: z.string().nullable().optional(),
      voice_squad_id: z.string().nullable().optional(),
      voice_workflow_id: z.string().nullable().optional(),
    }),
    run: async ({ call }, { number, ...target }) =>
      withLeadingBack(number, await call('phoneNumbers.update', { id: number, ...target })),
  }),
  tool({
    name: 'ask_agent',
    description: 'Ask a chat agent; pass `chat` to go on with a conversation. Costs like a message.',
    effect: 'change',
    procedures: ['completions.create'],
    input: z.object({ question: z.string(), agent: agentId.optional(), chat: z.string().optional() }),
    run: ({ call }, { question, agent, chat }) =>
      call('completions.create', { messages: [{ role: 'user', content: question }], agent, chat }),
  }),
  tool({
    name: 'search_agent_files',
    description: "Search the passages of an agent's knowledge files.",
    effect: 'read',
    procedures: ['agentFiles.search'],
    input: z.object({ agent_id: agentId, query: z.string() }),
    run: ({ call }, { agent_id, query }) => call('agentFiles.search', { agent_id, q: query }),
  }),
  tool({
    name: 'list_deliveries',
    description: 'Read webhooks of calls: what was sent, how often, and the response.',
    effect: 'read',
    procedures: ['deliveries.list', 'deliveries.unassigned'],
    input: z
      .object({ assistant_id: z.string(), workspace_id: z.int(), ...pageOf })
      .partial()
      .describe('Of an assistant, or of all calls of a workspace, deleted assistants too; else those of no assistant.'),
    async run({ call }, { assistant_id, workspace_id, page = 1 }) {
      const query = { page, per_page: 20 }
      if (assistant_id === undefined) return call('deliveries.unassigned', { ...query, workspace_id })
      if (workspace_id === undefined) return call('deliveries.list', { ...query, assistantId: assistant_id })
      return { ok: false, body: { message: 'Name an assistant or a workspace, not both.' } }
    },
  }),
  tool({
    name: 'usage',
    description: 'Read the balance and what was used.',
    effect: 'read',
    procedures: ['usage.get'],
    input: z.object({}),
    run: ({ call }) => call('usage.get', {}),
  }),
]
