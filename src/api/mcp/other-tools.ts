import { z } from 'zod'
import { isObject } from '../../json/object.ts'
import { type IntentTool, tool } from './tool.ts'

const agentId = z.string().describe("The agent's id.")
const pageOf = { page: z.int().optional() }

/** Where a number led, as it is led there again: by its one target, or with none by clearing each. */
function ledTo({ voice_assistant_id, voice_squad_id, voice_workflow_id }: Record<string, unknown>) {
  const targets = { voice_assistant_id, voice_squad_id, voice_workflow_id }
  const set = Object.entries(targets).filter(([, target]) => target != null)
  return set.length > 0 ? Object.fromEntries(set) : targets
}

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
    procedures: ['phoneNumbers.get', 'phoneNumbers.update'],
    input: z.object({
      number: z.string().describe('The number, or the id of its configuration.'),
      voice_assistant_id: z.string().nullable().optional(),
      voice_squad_id: z.string().nullable().optional(),
      voice_workflow_id: z.string().nullable().optional(),
    }),
    async run({ call }, { number, ...target }) {
      const before = await call('phoneNumbers.get', { id: number })
      const written = await call('phoneNumbers.update', { id: number, ...target })
      if (!written.ok || !before.ok || !isObject(before.body.data)) return written
      const undo = { tool: 'attach_number', arguments: { number, ...ledTo(before.body.data) } }
      return { ok: true, body: { ...written.body, undo } }
    },
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
