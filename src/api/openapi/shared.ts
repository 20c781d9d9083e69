import type { DocumentStyle } from '../errors/api-error.ts'
import { type Reference, type ResponseObject, refTo } from './types.ts'

const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A response as it stands in an operation, and the style that its bodies follow. */
export interface UsedResponse {
  response: ResponseObject
  style: DocumentStyle
  /** Puts a reference in its place. */
  replace(reference: Reference): void
}

const codesOf = (response: ResponseObject) => Object.keys(response.content?.['application/json']?.examples ?? {})

/** A name for a response, made of the names of its examples; the style tells apart what has the same ones. */
function nameFor({ response, style }: UsedResponse, taken: Record<string, unknown>): string {
  const name = codesOf(response).map(pascal).join('Or') || 'Response'
  const names = [name, `${name}${pascal(style)}`]
  for (let number = 2; ; number++) {
    const free = names.find((candidate) => !(candidate in taken))
    if (free) return free
    names.push(`${name}${pascal(style)}${number}`)
  }
}

/**
 * Makes components of the responses that are used more than once, and leaves references in their places. A refused
 * input stays where it is: its example is the operation's own, even where two happen to be the same.
 */
export function shareResponses(used: UsedResponse[]): Record<string, ResponseObject> {
  const groups = new Map<string, UsedResponse[]>()
  for (const entry of used) {
    if (codesOf(entry.response).includes('validation_failed')) continue
    const key = JSON.stringify(entry.response)
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  const shared: Record<string, ResponseObject> = {}
  for (const [first, ...others] of groups.values()) {
    if (!first || others.length === 0) continue
    const name = nameFor(first, shared)
    shared[name] = first.response
    for (const entry of [first, ...others]) entry.replace(refTo('responses', name))
  }
  return shared
}
