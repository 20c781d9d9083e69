import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { ownValue } from '../../json/object.ts'
import { termsOf } from './words.ts'

/** A tool call that the local model makes. */
export interface ChosenTool {
  name: string
  input: Record<string, unknown>
}

/** What is read of a tool's schema. */
interface Parameter {
  type?: unknown
  enum?: unknown[]
  properties?: Record<string, Parameter | boolean>
  required?: string[]
}

/** Values of enumerations that are looked for in a question: who writes a tool must not hold up everybody. */
const maxValues = 2_000

const freeText = /^(q|query|question|search|text|message|input|prompt|term|keywords?)$/i

const quotedIn = (question: string) =>
  [...question.matchAll(/["“'‘]([^"“”'‘’]+)["”'’]/g)].map((match) => match[1] ?? '')
const numbersIn = (question: string) => (question.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)

/** Hands out the quoted texts and numbers of a question, each once, in their order. */
function fillerFor(question: string, isLookedFor: () => boolean) {
  const quoted = quotedIn(question)
  const numbers = numbersIn(question)
  const lower = question.toLowerCase()
  return (name: string, schema: Parameter): unknown => {
    if (schema.enum) return schema.enum.find((value) => isLookedFor() && lower.includes(String(value).toLowerCase()))
    if (schema.type === 'number' || schema.type === 'integer') {
      const at = numbers.findIndex((value) => schema.type === 'number' || Number.isInteger(value))
      return at < 0 ? undefined : numbers.splice(at, 1)[0]
    }
    if (schema.type === 'string') return quoted.shift() ?? (freeText.test(name) ? question : undefined)
    return undefined
  }
}

/** The arguments of a tool from a question, or undefined when a required one cannot be filled. */
function argumentsFor(
  tool: LanguageModelV4FunctionTool,
  question: string,
  isLookedFor: () => boolean,
): Record<string, unknown> | undefined {
  const { properties = {}, required = [] }: Parameter = tool.inputSchema
  const fill = fillerFor(question, isLookedFor)
  const input: Record<string, unknown> = {}
  for (const name of new Set(required)) {
    const schema = ownValue(properties, name)
    const value = typeof schema === 'object' ? fill(name, schema) : undefined
    if (value === undefined) return undefined
    input[name] = value
  }
  return input
}

const least = 2

/** The tool whose name and description share most with the question, if two terms at least, and that can be called. */
export function chooseTool(tools: readonly LanguageModelV4FunctionTool[], question: string): ChosenTool | undefined {
  const wanted = new Set(termsOf(question))
  const matching = tools
    .map((tool) => {
      const said = new Set(termsOf(`${tool.name.replaceAll(/[_-]+/g, ' ')} ${tool.description ?? ''}`))
      return { tool, shared: [...wanted].filter((term) => said.has(term)).length }
    })
    .filter(({ shared }) => shared >= least)
    .sort((a, b) => b.shared - a.shared)
  let left = maxValues
  const isLookedFor = () => left-- > 0
  for (const { tool } of matching) {
    const input = argumentsFor(tool, question, isLookedFor)
    if (input) return { name: tool.name, input }
  }
  return undefined
}
