import { declarations } from '../../scripts/platform-client/declarations.ts'

/** A property of the platform's bodies that authenticates somebody by what it is called. */
const telling = /secret|password|passphrase|token|headers|credential|authorization|connectionString|pem$|\w(?=Key$)/i
/** Which say nothing secret although they are called so: ids, an address, and what a cache goes by. */
const harmless = /^(credentialIds?|authorizationId|tokenUri|promptCacheKey|publicKey)$/
/** What is given to whoever runs a tool, under names of its owner's choice. */
const given: ReadonlySet<string> = new Set(['environmentVariables', 'parameters'])

/** A place in a body; items of lists are `0`. `free` when its owner names the entries. */
export interface Place {
  path: readonly string[]
  free: boolean
}

const property = /^ {4}"?([\w-]+)"?\??: (.+);$/gm
const isText = (type: string) => /\bstring\b(?!\[)/.test(type)
const isFree = (type: string) => /Record<string, |Vapi\.JsonSchema/.test(type)

/** Every place of a body at which a secret may stand, each type once below each field that leads to it. */
export async function secretPlaces(root: string): Promise<Place[]> {
  const types = await declarations()
  const places: Place[] = []
  const walk = (name: string, path: readonly string[], above: readonly string[]) => {
    const text = types.get(name)
    if (text === undefined || above.includes(name) || path.length > 8) return
    const properties = [...text.matchAll(property)]
    for (const [, key = '', type = ''] of properties) {
      const at = [...path, key]
      const tells = telling.test(key) && !harmless.test(key) && (isText(type) || isFree(type))
      if (tells || (key === 'value' && given.has(path.at(-2) ?? ''))) places.push({ path: at, free: isFree(type) })
      // The platform takes it, although its client's types have forgotten it.
      if (tells && path.at(-1) === 'server') places.push({ path: [...path, 'secret'], free: false })
      const item = /\[\]/.test(type) ? [...at, '0'] : at
      for (const [, referred = ''] of type.matchAll(/Vapi\.(\w+)/g)) walk(referred, item, [...above, name])
    }
    if (properties.length > 0) return
    for (const [, referred = ''] of text.matchAll(/Vapi\.(\w+)/g)) walk(referred, path, [...above, name])
  }
  walk(root, [], [])
  const once = new Map(places.map((place) => [place.path.join('.'), place]))
  return [...once.values()]
}
