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

/** After these, a question names what it is about. */
const prepositions = new Set(
  'in at for of from to near with für von nach bei aus mit en de para a con desde à au pour avec'.split(' '),
)
const beginsName = /^\p{Lu}/u
const endsName = /[.,;:!?]/

/** What a question calls by a name, such as "New York" in "the weather in New York today?". */
function namesIn(question: string): string[] {
  const names: string[] = []
  let name: string[] | undefined
  const take = () => {
    if (name && name.length > 0) names.push(name.join(' ').replace(/\P{L}+$/u, ''))
    name = undefined
  }
  for (const word of question.split(/\s+/)) {
    const goesOn = name !== undefined && beginsName.test(word)
    if (goesOn) name?.push(word)
    if (!goesOn || endsName.test(word)) take()
    if (prepositions.has(word.toLowerCase())) name = []
  }
  take()
  return names
}

const codesIn = (question: string) =>
  (question.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []).filter((word) => /\d/.test(word))
const addressesIn = (question: string) => question.split(/[\s,;:?!<>()]+/).filter((word) => /.@./.test(word))

const isAddress = /e-?mail/i
/** Of a parameter that is called so, the value has a digit. */
const isCode = /(?:id|number|no|code|order|reference|ref|ticket|invoice|booking|sku|zip)$/i

const freeText = /^(q|query|question|search|text|message|input|prompt|term|keywords?)$/i

const quotedIn = (question: string) =>
  [...question.matchAll(/["“'‘]([^"“”'‘’]+)["”'’]/g)].map((match) => match[1] ?? '')
const numbersIn = (question: string) => (question.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)

/** Hands out what a question quotes, names and counts, each once, in their order. */
function fillerFor(question: string, isLookedFor: () => boolean) {
  const quoted = quotedIn(question)
  const numbers = numbersIn(question)
  const [names, codes, addresses] = [namesIn(question), codesIn(question), addressesIn(question)]
  const textOf = (name: string) => {
    if (isAddress.test(name)) return addresses.shift()
    return isCode.test(name) ? codes.shift() : names.shift()
  }
  const lower = question.toLowerCase()
  return (name: string, schema: Parameter): unknown => {
    if (schema.enum) return schema.enum.find((value) => isLookedFor() && lower.includes(String(value).toLowerCase()))
    if (schema.type === 'number' || schema.type === 'integer') {
      const at = numbers.findIndex((value) => schema.type === 'number' || Number.isInteger(value))
      return at < 0 ? undefined : numbers.splice(at, 1)[0]
    }
    if (schema.type === 'string') return quoted.shift() ?? (freeText.test(name) ? question : textOf(name))
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

/** The tool whose name and description share most with the question, two terms at least or all that is not an argument, and that can be called. */
export function chooseTool(tools: readonly LanguageModelV4FunctionTool[], question: string): ChosenTool | undefined {
  const wanted = [...new Set(termsOf(question))]
  const matching = tools
    .map((tool) => {
      const said = new Set(termsOf(`${tool.name.replaceAll(/[_-]+/g, ' ')} ${tool.description ?? ''}`))
      return { tool, shared: wanted.filter((term) => said.has(term)) }
    })
    .filter(({ shared }) => shared.length > 0)
    .sort((a, b) => b.shared.length - a.shared.length)
  let left = maxValues
  const isLookedFor = () => left-- > 0
  for (const { tool, shared } of matching) {
    const input = argumentsFor(tool, question, isLookedFor)
    if (!input) continue
    const given = new Set(termsOf(Object.values(input).join(' ')))
    const isAll = given.size > 0 && wanted.every((term) => shared.includes(term) || given.has(term))
    if (shared.length >= least || isAll) return { name: tool.name, input }
  }
  return undefined
}
