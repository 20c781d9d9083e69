import type { Json } from '../../src/json/object.ts'

/** What a folder holds, in the order in which it is written: what comes later names what comes before. */
export const kinds = ['assistants', 'squads', 'agents', 'numbers'] as const
export type Kind = (typeof kinds)[number]

/** A secret's place: its value is in the environment, under this name. */
export class SecretRef {
  constructor(readonly name: string) {}
}

/** A resource as the server has it. */
export interface Remote {
  kind: Kind
  /** As its path names it. */
  id: string
  /** Other ids under which resources name it. */
  alsoKnownAs: string[]
  name: string
  etag: string
  /** Ids of other resources in it are those of the server, until `named` replaces them. */
  document: Json
}

/** A resource as its file has it. */
export interface Local {
  kind: Kind
  slug: string
  document: Json
}

/** How a resource is called in plans and files: `assistants/front-desk`. */
export const keyOf = ({ kind, slug }: Pick<Local, 'kind' | 'slug'>) => `${kind}/${slug}`

/** A name as a file's: small letters, digits and hyphens. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'unnamed'

/** Whether a value says nothing: a file leaves it out. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (value instanceof SecretRef) return false
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** An object's entries that say something. */
export const filled = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => !isNothing(value)))
