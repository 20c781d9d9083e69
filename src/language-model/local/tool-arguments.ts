import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { ownValue } from '../../json/object.ts'

/** Values of enumerations that are looked for in a question: who writes a tool must not hold up everybody. */
const maxValues = 2_000

/** What is read of a tool's schema. */
interface Parameter {
  type?: unknown
  enum?: unknown[]
  properties?: Record<string, Parameter | boolean>
  required?: string[]
}

/** After these, a question names what it is about. */
export const prepositions: ReadonlySet<string> = new Set(
  'in at for of from to near with für von nach bei aus mit en de para con desde à au pour avec'.split(' '),
)
/** Capitals that name nobody. */
const pronouns = new Set(['I', 'Du', 'Sie', 'Ihnen', 'Ihr', 'Ihre'])
const beginsName = /^\p{Lu}/u
const endsName = /[.,;:!?]/

/** A word without what follows its last letter or digit. */
const bare = (word: string) => /^.*[\p{L}\p{M}\p{N}]/su.exec(word)?.[0] ?? ''

/** What a question calls by a name, such as "New York" in "the weather in New York today?". */
function namesIn(words: readonly string[]): string[] {
  const names: string[] = []
  let name: string[] | undefined
  const take = () => {
    if (name && name.length > 0) names.push(name.join(' '))
    name = undefined
  }
  for (const word of words) {
    const goesOn = name !== undefined && beginsName.test(word) && !pronouns.has(bare(word))
    if (goesOn) name?.push(bare(word))
    if (!goesOn || endsName.test(word)) take()
    if (prepositions.has(word.toLowerCase())) name = []
  }
  take()
  return names
}

const isAddressed = (word: string) => /.@./.test(word)

/** What a question says that may be an argument, of each kind in its order. */
type Said = Record<'quoted' | 'names' | 'codes' | 'addresses', string[]> & { numbers: number[] }

function saidIn(question: string): Said {
  const words = question.split(/[\s"“”<>()]+/)
  const codes = words
    .filter((word) => !isAddressed(word))
    .flatMap((word) => word.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? [])
  return {
    quoted: quotedIn(question),
    numbers: numbersIn(question),
    names: namesIn(words),
    codes: codes.filter((word) => /\d/.test(word)),
    addresses: words.filter(isAddressed).map(bare),
  }
}

const isAddress = /e-?mail/i
/** Of a parameter that is called so, the value has a digit. */
const isCode =
  /(?:^|[_-])(?:id|number|no|code|order|reference|ref|ticket|invoice|booking|sku|zip)$|(?:I[dD]|Number|No|Code|Order|Reference|Ref)$/

const freeText = /^(q|query|question|search|text|message|input|prompt|term|keywords?)$/i

const quotedIn = (question: string) =>
  [...question.matchAll(/(?<![\p{L}\p{N}])["“'‘]([^"“”'‘’]+)["”'’](?![\p{L}\p{N}])/gu)].map((match) => match[1] ?? '')
const numbersIn = (question: string) => (question.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)

/** Hands out what a question says, each once. */
function fillerFor(question: string, said: Said, isLookedFor: () => boolean) {
  const { quoted, numbers, names, codes, addresses } = structuredClone(said)
  const lower = question.toLowerCase()
  const textOf = (name: string) => {
    if (isAddress.test(name)) return addresses.shift()
    return isCode.test(name) ? codes.shift() : names.shift()
  }
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

/**
 * Makes what finds the arguments of tools in a question; undefined for a tool of which a required one cannot be filled.
 */
export function argumentsIn(question: string) {
  const said = saidIn(question)
  let left = maxValues
  const isLookedFor = () => left-- > 0
  return ({ inputSchema }: LanguageModelV4FunctionTool): Record<string, unknown> | undefined => {
    const { properties = {}, required = [] }: Parameter = inputSchema
    const fill = fillerFor(question, said, isLookedFor)
    const input: Record<string, unknown> = {}
    for (const name of new Set(required)) {
      const schema = ownValue(properties, name)
      const value = typeof schema === 'object' ? fill(name, schema) : undefined
      if (value === undefined) return undefined
      input[name] = value
    }
    return input
  }
}
