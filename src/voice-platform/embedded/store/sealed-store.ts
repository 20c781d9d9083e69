import { isObject } from '../../../json/object.ts'
import type { Vault } from '../../../secrets/vault.ts'

import type { PlatformObject, PlatformStore } from './store.ts'

/** What the secrets of stored server blocks are sealed for; see `Vault.seal`. */
export const storedServerContext = 'platform_objects.body'

type Body = Record<string, unknown>
type Change = (text: string) => string

const changed = (value: unknown, change: Change) => (typeof value === 'string' ? change(value) : value)

/** A body with the secret and the header values of its server block changed. */
function withServer(body: Body, change: Change): Body {
  const { server } = body
  if (!isObject(server) || (server.secret === undefined && server.headers === undefined)) return body
  const sealed: Body = { ...server }
  if (server.secret !== undefined) sealed.secret = changed(server.secret, change)
  if (isObject(server.headers)) {
    sealed.headers = Object.fromEntries(
      Object.entries(server.headers).map(([name, value]) => [name, changed(value, change)]),
    )
  }
  return { ...body, server: sealed }
}

/** A store that keeps the secrets of server blocks sealed; its users see them in plain. */
export function sealedStore(store: PlatformStore, vault: Vault): PlatformStore {
  const seal = (body: Body) => withServer(body, (text) => vault.seal(text, storedServerContext))
  const open = (object: PlatformObject): PlatformObject => ({
    ...object,
    body: withServer(object.body, (text) => vault.open(text, storedServerContext)),
  })
  const opened = (object: PlatformObject | null) => object && open(object)
  return {
    ...store,
    insert: (object) => store.insert({ ...object, body: seal(object.body) }),
    find: async (kind, id) => opened(await store.find(kind, id)),
    list: async (kind, filter) => (await store.list(kind, filter)).map(open),
    patch: async (kind, id, change) => opened(await store.patch(kind, id, { ...change, set: seal(change.set) })),
    remove: async (kind, id) => opened(await store.remove(kind, id)),
  }
}
