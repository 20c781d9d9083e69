import type { Database } from '../../db/client.ts'
import { isObject, type Json } from '../../json/object.ts'
import { uuidPattern } from '../../runtime/uuid.ts'
import type { Defaults } from '../mirror/agreement/difference.ts'
import type { LiveObject } from '../mirror/remote-kind.ts'
import type { CallOptions } from '../transport.ts'

/** A live object as lists show it. */
export interface ListedObject extends LiveObject {
  updatedAt: string
}

/** One of our records that has a live object. */
export interface Recorded {
  ref: string
  liveId: string
  name: string
  /** What the live object is to be. */
  body: object
}

export type WhichRecords = { liveIds: readonly string[] } | { after: string; limit: number }

/** What the sweep has to know of one kind of resource. */
export interface SweptKind {
  kind: string
  /** The values of fields that the platform may leave out. */
  defaults: Defaults
  /** Whether all fields of its live objects are compared: see `RemoteKind.agreement`. */
  all?: boolean
  /** All live objects, or those changed at a time or later, a page after the other. */
  pages(changedSince: string | undefined, options: CallOptions): AsyncIterable<ListedObject[]>
  get(id: string, options: CallOptions): Promise<LiveObject>
  /** Records by their live ids, or a page of all of them in the order of `ref`. */
  recorded(db: Database, which: WhichRecords): Promise<Recorded[]>
}

/** The ids that a column of UUIDs can hold. */
export const uuidsIn = (ids: readonly string[]): string[] => ids.filter((id) => uuidPattern.test(id))

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** What an object without a record is called: whichever of these it has. */
export function nameOf(live: object): string {
  const { name, number, id, function: called }: Json = { ...live }
  const own = isObject(called) ? called.name : undefined
  return [name, own, number, id].find(isName)?.slice(0, 255) ?? ''
}
