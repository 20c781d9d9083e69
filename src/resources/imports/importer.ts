import { ne } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import type { Database, Transaction } from '../../db/client.ts'
import { isObject, type Json } from '../../json/object.ts'
import { leavesBetween } from '../../voice-platform/mirror/agreement/leaves.ts'
import type { LiveObject, RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import { type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { userOf } from '../references/in-use.ts'
import { othersAmong, strangersAmong } from '../references/own.ts'
import { removeReferences } from '../references/remove.ts'
import type { ImportKind } from './table.ts'

/** What importing works with. */
export type ImportContext = Pick<AccountContext, 'db' | 'clock' | 'platform' | 'carrier' | 'vault' | 'settings'> & {
  account: Pick<AccountContext['account'], 'userId' | 'name'>
  /** Objects that will have a record by the time that others name them. */
  expected?: ReadonlySet<string>
}

/** What a body names that the workspace does not have, and will not have. */
async function strangersIn(ctx: ImportContext, { workspaceId }: ImportOwner, body: object): Promise<Reference[]> {
  const strangers = await strangersAmong(ctx.db, workspaceId, referencesIn(body))
  return strangers.filter(({ id }) => !ctx.expected?.has(id))
}

/**
 * Takes out of a body, in place, what names objects that the workspace does not have: that stays on the live object
 * alone.
 */
export async function leaveStrangers(ctx: ImportContext, owner: ImportOwner, body: object): Promise<void> {
  removeReferences(body, await strangersIn(ctx, owner, body))
}

/** Throws ImportRefusal for an object that names what another workspace has: its calls would reach that. */
export async function refuseOthers(ctx: ImportContext, owner: ImportOwner, live: object): Promise<void> {
  const others = await othersAmong(ctx.db, owner.workspaceId, referencesIn({ ...live }))
  const other = others.find(({ id }) => !ctx.expected?.has(id))
  if (other) throw new ImportRefusal(`It names the ${other.kind} ${other.id}, which another workspace has.`)
}

/** The same for an object that something of another workspace names, which was adopted with it before. */
export async function refuseNamed(
  { db }: ImportContext,
  { workspaceId }: ImportOwner,
  { kind, id }: { kind: ImportKind; id: string },
): Promise<void> {
  if (kind === 'phone_number') return
  const user = await userOf(db, { kind, id }, (column) => ne(column, workspaceId))
  if (user) throw new ImportRefusal(`It is named by the ${user.kind} ${user.name}, which another workspace has.`)
}

/** Whose the adopted resources become. */
export interface ImportOwner {
  workspaceId: number
  userId: number
  resellerId: number
}

/** Why an object cannot be imported, in one sentence. */
export class ImportRefusal extends Error {}

/** What an import makes of an object. */
export interface PreparedImport {
  /** What the record alone would make of the object. */
  composed: object
  /** What the object has of the fields that we manage, to be sent back unchanged. */
  sent: object
  /** Saves the record. Returns the id in its path. */
  save(tx: Transaction): Promise<string>
}

/** How one kind of live object is imported. */
export interface Importer {
  kind: ImportKind
  /** How it is mirrored. */
  remote(parts: Omit<ImportContext, 'account'>): RemoteKind
  /** The ids of those objects that have a record; left out where a record has the id of its object. */
  recorded?(db: Database, objects: readonly LiveObject[]): Promise<Set<string>>
  /** What would be made of it. Throws ImportRefusal. */
  prepare(ctx: ImportContext, live: LiveObject, ref: string, owner: ImportOwner): Promise<PreparedImport>
  /** The change that gives the object our reference; undefined for a kind that has no place for it. */
  mark?(live: LiveObject, ref: string): Json
  /** Under what the base of the record is kept; undefined for a kind that is never written. */
  baseRef?(live: LiveObject, ref: string): string
}

/** A live object by its fields. */
export const fieldsOf = (live: object): Json => ({ ...live })

/** The fields of an object that a body manages, as far as the object has them. */
export function heldOf(composed: object, live: object): Json {
  const fields = fieldsOf(live)
  return Object.fromEntries(Object.keys(composed).flatMap((key) => (fields[key] == null ? [] : [[key, fields[key]]])))
}

/** The mark of an installation in an object's metadata. */
export function markIn(metadata: unknown): string | undefined {
  const mark = isObject(metadata) ? metadata.external_ref : undefined
  return typeof mark === 'string' && mark !== '' ? mark : undefined
}

const maxKept = 50

/** The places of an object that its record has no field for. */
export const keptOf = ({ composed, sent }: Pick<PreparedImport, 'composed' | 'sent'>): string[] =>
  leavesBetween(composed, sent)
    .filter(({ to }) => to !== undefined)
    .slice(0, maxKept)
    .map(({ path }) => path.join('.'))
