import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ToolSet } from 'ai'
import { sumOf, type Usage } from './allowance.ts'
import { formatInstructions, type ResponseFormat } from './formats.ts'
import type { ThreadMessage } from './history.ts'
import { modelLibrary } from './library.ts'
import { withClosing } from './metered-model.ts'
import { type Sources, systemPrompt } from './prompt.ts'
import { type DescribedTool, sizeOfPrompt, sizeOfTools } from './prompt-size.ts'
import { countTokens } from './tokens.ts'

/** Of what instructions and tools leave of the context, for what tools give. */
const toolShare = 1 / 3
/** Of the context, what a thread has however much is told of tools. */
const leastShare = 1 / 8
/** What a model is told of the wrong form of its response. */
const repairTokens = 256

/** The system prompt of a turn. */
export const systemOf = (sources: Sources, format?: ResponseFormat): string =>
  [systemPrompt(sources), ...(format ? [formatInstructions(format)] : [])].join('\n\n')

async function described(tools: ToolSet): Promise<DescribedTool[]> {
  const entries = Object.entries(tools)
  if (entries.length === 0) return []
  const { asSchema } = await modelLibrary()
  return Promise.all(
    entries.map(async ([name, { description, inputSchema }]) => ({
      name,
      ...(typeof description === 'string' && { description }),
      inputSchema: await asSchema(inputSchema).jsonSchema,
    })),
  )
}

const sizeOf = async (tools: ToolSet) => (await sizeOfTools(await described(tools))).most

/** How much of the context is left to the thread of a turn. */
export async function roomForThread(turn: {
  sources: Sources
  format?: ResponseFormat | undefined
  tools?: ToolSet | undefined
  contextTokens: number
}): Promise<number> {
  const { sources, format, tools = {}, contextTokens } = turn
  const room = contextTokens - (await countTokens(systemOf(sources, format)))
  if (Object.keys(tools).length === 0) return room
  const besideTools = Math.floor((room - (await sizeOf(tools))) * (1 - toolShare))
  return Math.max(besideTools, Math.min(room, Math.floor(contextTokens * leastShare)))
}

/** What a turn is made of, as far as its cost is concerned. */
export interface Planned {
  sources: Sources
  thread: readonly ThreadMessage[]
  tools?: ToolSet | undefined
  format?: ResponseFormat | undefined
  maxOutputTokens: number
}

/** What one call of a turn takes, without what its tools give. */
async function callOf({ sources, thread, tools = {}, format, maxOutputTokens }: Planned): Promise<Usage> {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: systemOf(sources, format) },
    ...thread
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({
        role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
        content: [{ type: 'text' as const, text: content }],
      })),
  ]
  return {
    promptTokens: (await sizeOfPrompt(prompt)).most + (await sizeOf(tools)),
    completionTokens: maxOutputTokens,
  }
}

/** The call is made once more, with the response and what is wrong with it. */
const repairAfter = ({ promptTokens, completionTokens }: Usage): Usage => ({
  promptTokens: promptTokens + completionTokens + repairTokens,
  completionTokens,
})

const withoutTools = (planned: Planned): Planned => ({ ...planned, tools: undefined })

/** What it takes to have a response of another form written again; no tool is called for that. */
export const repairOf = async (planned: Planned): Promise<Usage> => repairAfter(await callOf(withoutTools(planned)))

const offersTools = ({ tools = {} }: Planned) => Object.keys(tools).length > 0

/**
 * What a turn takes at least to be sure of an answer: its first call, one more after a call that offers tools, and
 * one to repair a response of another form. Whatever else its tools need is set aside step by step.
 */
export async function estimateOf(planned: Planned): Promise<Usage> {
  const call = await callOf(planned)
  const first = offersTools(planned) ? withClosing(call) : call
  return planned.format ? sumOf(first, await repairOf(planned)) : first
}

/** What a turn with tools can do with, as its model answers without them where they cannot be paid for. */
export const leastOf = async (planned: Planned): Promise<Usage | undefined> =>
  offersTools(planned) ? estimateOf(withoutTools(planned)) : undefined
