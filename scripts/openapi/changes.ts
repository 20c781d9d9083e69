import { isObject, type Json } from '../../src/json/object.ts'
import { parsedJson } from '../../src/json/parsed.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete']

const part = (object: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), object)

/** The operations of a document as `GET /assistants`, each with all that is said of it, also by what it refers to. */
function operationsOf(document: Json): Map<string, string> {
  const said = (text: string, seen: Set<string>): string[] => [
    text,
    ...[...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].flatMap(([, path = '']) => {
      if (seen.has(path)) return []
      seen.add(path)
      return said(JSON.stringify(part(document, path.split('/'))) ?? '', seen)
    }),
  ]
  const paths = isObject(document.paths) ? Object.entries(document.paths) : []
  return new Map(
    paths.flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = part(item, [method])
        if (!operation) return []
        return [[`${method.toUpperCase()} ${path}`, said(JSON.stringify(operation), new Set()).join()] as const]
      }),
    ),
  )
}

/** More is a change of nearly all of them, which is read in the document. */
const maxListed = 20

/**
 * What became of the operations from one document to another, a line for each: `added: GET /assistants`. None for what
 * is no JSON.
 */
export function differences(before: string, after: string): string[] {
  const [was, is] = [parsedJson(before), parsedJson(after)]
  if (!isObject(was) || !isObject(is)) return []
  const [old, now] = [operationsOf(was), operationsOf(is)]
  const added = [...now.keys()].filter((name) => !old.has(name))
  const removed = [...old.keys()].filter((name) => !now.has(name))
  const changed = [...now].filter(([name, text]) => old.has(name) && old.get(name) !== text).map(([name]) => name)
  const lines = Object.entries({ added, removed, changed }).flatMap(([what, names]) =>
    names.map((name) => `${what}: ${name}`),
  )
  if (lines.length === 0) return ['changed: what is said beside the operations']
  const more = lines.length - maxListed
  return [...lines.slice(0, maxListed), ...(more > 0 ? [`and ${more} more`] : [])]
}
