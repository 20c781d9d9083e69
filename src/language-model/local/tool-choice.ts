import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { argumentsIn, prepositions } from './tool-arguments.ts'
import { termsOf } from './words.ts'

/** A tool call that the local model makes. */
export interface ChosenTool {
  name: string
  input: Record<string, unknown>
}

const least = 2

/** Who wants to speak with somebody wants to be put through. */
const putThrough = /(?<!\p{L})(?:speak|talk|sprechen|reden|verbinden|durchstellen|hablar|comunicar|parler)(?!\p{L})/iu
const transferring = ['transfer', 'call']

/**
 * The tool whose name and description share most with the question, two terms at least or all that is not an argument,
 * and that can be called.
 */
export function chooseTool(tools: readonly LanguageModelV4FunctionTool[], question: string): ChosenTool | undefined {
  const wanted = [...new Set(termsOf(question))]
  const putsThrough = !wanted.includes('transfer') && putThrough.test(question)
  // "Can I call you to talk about prices?" asks for nobody.
  const toBePutThrough = ['transfer', ...wanted.filter((term) => term !== 'call')]
  const matching = tools
    .map((tool) => {
      const said = new Set(termsOf(`${tool.name.replaceAll(/[_-]+/g, ' ')} ${tool.description ?? ''}`))
      const asked = putsThrough && transferring.every((term) => said.has(term)) ? toBePutThrough : wanted
      return { tool, shared: asked.filter((term) => said.has(term)) }
    })
    .filter(({ shared }) => shared.length > 0)
    .sort((a, b) => b.shared.length - a.shared.length)
  const argumentsOf = argumentsIn(question)
  for (const { tool, shared } of matching) {
    const input = argumentsOf(tool)
    if (!input) continue
    // A question that is an argument as a whole says nothing of the tool.
    const values = Object.values(input).filter((value) => value !== question)
    const given = new Set(termsOf(values.join(' ')))
    const isSaid = (term: string) => shared.includes(term) || given.has(term) || prepositions.has(term)
    const isAll = given.size > 0 && wanted.every(isSaid)
    if (shared.length >= least || isAll) return { name: tool.name, input }
  }
  return undefined
}
