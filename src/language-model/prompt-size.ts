import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { messageOverhead } from './history.ts'
import { countTokens } from './tokens.ts'

type Part = Exclude<LanguageModelV4Message, { role: 'system' }>['content'][number]
/** What a tool gave, in a prompt. */
export type ResultPart = Extract<Part, { type: 'tool-result' }>

/** A tool as a model's server is told of it. */
export interface DescribedTool {
  name: string
  description?: string | undefined
  inputSchema?: unknown
}

/** How many tokens a prompt has. */
export interface Size {
  /** As counted here. */
  counted: number
  /** As a server may count it, which has another tokenizer, and a form around each text. */
  most: number
  /** Of `most`, what tools gave. */
  results: number
}

const charactersPerToken = 4
const maxMessageOverhead = 10
const maxToolOverhead = 24

/** What a tool gave, as a text. */
export function resultText({ output }: ResultPart): string {
  if (output.type === 'execution-denied') return output.reason ?? ''
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
}

function textOf(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`
  return part.type === 'tool-result' ? resultText(part) : JSON.stringify(part)
}

/** How many tokens a server may make of JSON: none has fewer characters in a token, on the whole. */
const maxTokensIn = (counted: number, json: string) => Math.max(counted, Math.ceil(json.length / charactersPerToken))

/** How many tokens a server may make of a text. */
export const maxTokensOf = async (text: string): Promise<number> =>
  maxTokensIn(await countTokens(text), JSON.stringify(text))

/** The size of a prompt without the tools that are offered with it. */
export async function sizeOfPrompt(prompt: LanguageModelV4Prompt): Promise<Size> {
  const size: Size = { counted: 0, most: 0, results: 0 }
  const add = async (text: string, overhead: number) => {
    const counted = await countTokens(text)
    const most = maxTokensIn(counted, JSON.stringify(text))
    size.counted += messageOverhead + counted
    size.most += overhead + most
    return most
  }
  for (const message of prompt) {
    if (message.role === 'system') {
      await add(message.content, maxMessageOverhead)
      continue
    }
    for (const part of message.content) {
      const isOfTool = part.type === 'tool-call' || part.type === 'tool-result'
      const most = await add(textOf(part), isOfTool ? maxToolOverhead : maxMessageOverhead)
      if (part.type === 'tool-result') size.results += most
    }
  }
  return size
}

/** The size of the tools that are offered with a prompt. */
export async function sizeOfTools(tools: readonly DescribedTool[]): Promise<Size> {
  const size: Size = { counted: 0, most: 0, results: 0 }
  for (const { name, description, inputSchema: parameters } of tools) {
    const text = JSON.stringify({ type: 'function', function: { name, description, parameters } })
    const counted = await countTokens(text)
    size.counted += counted
    size.most += maxTokensIn(counted, text)
  }
  return size
}

/** What a call of a model offers. */
export const offeredTools = ({ tools = [] }: LanguageModelV4CallOptions): DescribedTool[] =>
  tools.filter((tool) => tool.type === 'function')
