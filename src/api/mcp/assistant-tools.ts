import { z } from 'zod'
import { isObject } from '../../json/object.ts'
import { boundedRecord } from '../bounded-record.ts'
import { maxVariables } from '../schemas.ts'
import { type IntentTool, tool } from './tool.ts'
import { withDelete, withRestore } from './undo.ts'

const unchanged = 'Nothing changed.'

const assistantId = z.string().describe("The assistant's `assistant_id`.")
const prompt = z.string().describe('What the assistant is told to be and do; may hold {{placeholders}}.')
const greeting = z.string().describe('The first sentence of a call.')

const systemPrompt = (text: string | undefined) =>
  text === undefined ? {} : { model: { messages: [{ role: 'system', content: text }] } }

/** Fields of a v2 build that people choose; the procedure judges them. */
const build = {
  name: z.string(),
  base_config_id: z.int().optional(),
  industry_template_id: z.int().optional(),
  personality_id: z.int().optional(),
  layer2_key: z.string().optional(),
  system_prompt: z.string().optional(),
  first_message: z.string().optional(),
  variable_values: boundedRecord(maxVariables, z.string(), z.string()).optional(),
}

/** Voice assistants: find, make, change, talk to, and take back. */
export const assistantTools: IntentTool[] = [
  tool({
    name: 'list_assistants',
    description: 'Find voice assistants by name; returns their ids.',
    effect: 'read',
    procedures: ['assistants.list'],
    input: z.object({ search: z.string().optional(), page: z.int().optional() }),
    run: ({ call }, { search, page = 1 }) => call('assistants.list', { search, page, per_page: 20, lite: true }),
  }),
  tool({
    name: 'get_assistant',
    description: 'Read one assistant: prompt, greeting, voice, tools, number.',
    effect: 'read',
    procedures: ['assistants.getAdvanced'],
    input: z.object({ assistant_id: assistantId }),
    run: ({ call }, input) => call('assistants.getAdvanced', { assistantId: input.assistant_id }),
  }),
  tool({
    name: 'build_options',
    description: 'List what an assistant can be built from: base configs, industries, personalities, presets.',
    effect: 'read',
    procedures: ['assistantBuilder.formOptions'],
    input: z.object({}),
    run: ({ call }) => call('assistantBuilder.formOptions', {}),
  }),
  tool({
    name: 'preview_assistant',
    description: 'Show what a build would make, with its rendered texts and missing values; saves nothing.',
    effect: 'read',
    procedures: ['assistantBuilder.preview'],
    input: z.object(build),
    run: ({ call }, input) => call('assistantBuilder.preview', input),
  }),
  tool({
    name: 'create_assistant',
    description: 'Make an assistant: from a prompt and a greeting, or, with base_config_id or industry, as previewed.',
    effect: 'change',
    procedures: ['assistants.create', 'assistantBuilder.create', 'assistants.delete'],
    input: z.object(build),
    async run({ call }, input) {
      const layered = input.base_config_id !== undefined || input.industry_template_id !== undefined
      const { name, system_prompt, first_message, variable_values } = input
      const ofLayers = (['personality_id', 'layer2_key'] as const).filter((field) => input[field] !== undefined)
      if (!layered && ofLayers.length > 0) {
        const message = `${ofLayers.join(' and ')} can only be used with base_config_id or industry_template_id.`
        return { ok: false, body: { success: false, message } }
      }
      const made = layered
        ? await call('assistantBuilder.create', input)
        : await call('assistants.create', {
            name,
            firstMessage: first_message,
            variableValues: variable_values,
            ...systemPrompt(system_prompt),
          })
      return withDelete(made)
    },
  }),
  tool({
    name: 'change_assistant',
    description:
      "Change an assistant's name, prompt (one from a template stays) or greeting. Answers what changed and how to undo it.",
    effect: 'change',
    procedures: ['assistants.get', 'assistants.update'],
    input: z.object({
      assistant_id: assistantId,
      name: z.string().optional(),
      system_prompt: prompt.optional(),
      first_message: greeting.optional(),
    }),
    async run({ call }, { assistant_id, name, system_prompt, first_message }) {
      const found = await call('assistants.get', { assistantId: assistant_id })
      if (!found.ok || !isObject(found.body.data)) return found
      // The procedure asks for a name with every save.
      const body = { name: name ?? found.body.data.name, firstMessage: first_message, ...systemPrompt(system_prompt) }
      const written = await call('assistants.update', { assistantId: assistant_id, ...body })
      return withRestore(assistant_id, written, unchanged)
    },
  }),
  tool({
    name: 'talk_to_assistant',
    description: 'Run a simulated call: say the caller’s sentences and read the transcript.',
    effect: 'change',
    procedures: ['calls.test'],
    input: z.object({
      assistant_id: assistantId,
      says: z.array(z.string()).describe("The caller's sentences, in order."),
    }),
    run: ({ call }, input) => call('calls.test', { assistantId: input.assistant_id, messages: input.says }),
  }),
  tool({
    name: 'assistant_history',
    description: 'Compare versions: what changed, when and by whom, newest first.',
    effect: 'read',
    procedures: ['assistantVersions.list'],
    input: z.object({ assistant_id: assistantId, page: z.int().optional() }),
    run: ({ call }, { assistant_id, page = 1 }) =>
      call('assistantVersions.list', { assistantId: assistant_id, page, per_page: 10 }),
  }),
  tool({
    name: 'restore_assistant',
    description: 'Bring back an earlier version by its entry id of the history.',
    effect: 'change',
    procedures: ['assistantVersions.restore'],
    input: z.object({ assistant_id: assistantId, entry_id: z.int() }),
    async run({ call }, { assistant_id, entry_id }) {
      const restored = await call('assistantVersions.restore', { assistantId: assistant_id, entryId: entry_id })
      return withRestore(assistant_id, restored, unchanged)
    },
  }),
]
