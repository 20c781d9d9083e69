import type { Tenant } from './cast.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Random } from './random.ts'

const maxOfKind = 25

/** The field of a record that its path names it by, where that is not `id`. */
const idFields: Record<string, string> = {
  '/assistants': 'assistant_id',
  '/v2/assistants': 'assistant_id',
  '/connectors': 'uid',
  '/phone-numbers': 'phone_number',
  '/squads': 'external_squad_id',
}

/** What a request made: the collection's path with its values, such as `/agents/ag_1/chats`, and the new id. */
export interface Made {
  collection: string
  id: string
}

/** The id of a record of a collection, as it stands in the record's path. */
export function idIn(collection: string, record: unknown): string | undefined {
  if (!isObject(record)) return undefined
  const id = record[idFields[collection] ?? 'id']
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  return String(id).replace(/^\+/, '')
}

/** Ids of objects that exist or existed, by tenant and collection. */
export class Pool {
  readonly #ids = new Map<string, string[]>()
  readonly #told = new Set<string>()
  readonly #owners = new Map<string, Tenant>()

  #at(tenant: Tenant, collection: string): string[] {
    const key = `${tenant} ${collection}`
    const known = this.#ids.get(key) ?? []
    this.#ids.set(key, known)
    return known
  }

  add(tenant: Tenant, { collection, id }: Made): void {
    const known = this.#at(tenant, collection)
    if (known.includes(id)) return
    known.push(id)
    if (known.length > maxOfKind) known.shift()
    this.#owners.set(id, tenant)
  }

  remove(tenant: Tenant, { collection, id }: Made): void {
    const known = this.#at(tenant, collection)
    if (known.includes(id)) known.splice(known.indexOf(id), 1)
  }

  pick(random: Random, tenant: Tenant, collection: string): string | undefined {
    return random.pickAny(this.#at(tenant, collection))
  }

  /** Any id of a tenant whose collection's name fits the field's, if there is one. */
  pickFor(random: Random, tenant: Tenant, field: string): string | undefined {
    const name = field.replace(/(_id|Id|_ids|Ids)$/, '')
    const word = name
      .replace(/.*(template|assistant|squad)$/i, '$1')
      .replaceAll('_', '-')
      .toLowerCase()
    const all = [...this.#ids].filter(([key, ids]) => ids.length > 0 && key.startsWith(`${tenant} `))
    const fitting = all.filter(([key]) => word.length > 3 && key.includes(word.slice(0, 8)))
    return random.pickAny(random.pickAny(fitting.length > 0 ? fitting : all)?.[1] ?? [])
  }

  /** Notes that a tenant named an id or a marker itself, wherever it had it from. */
  tell(tenant: Tenant, id: string): void {
    this.#told.add(`${tenant} ${id}`)
  }

  knows(tenant: Tenant, id: string): boolean {
    return this.#told.has(`${tenant} ${id}`)
  }

  /** Whose object an id is; nothing for ids that are not unique, such as numbers. */
  ownerOf(id: string): Tenant | undefined {
    return this.#owners.get(id)
  }
}

/** The records of a list's body. */
export const recordsOf = (body: unknown): JsonObject[] =>
  isObject(body) && Array.isArray(body.data) ? body.data.filter(isObject) : []
