import { and, eq, inArray } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/client.ts'
import { isPlainUuid } from '../../runtime/uuid.ts'
import { liveWrites } from '../../voice-platform/mirror/journal/table.ts'
import { canonicalId, type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { tools } from '../catalogue/table.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'
import { lockMovable } from './moving.ts'
import { refuseUnknown, resolveAll } from './resolve.ts'

/** Who names something: a workspace, or the catalogue, whose entries reach all of them. */
export type Naming = number | 'catalogue'

type Named = Pick<Reference, 'kind' | 'id' | 'path'>

/** Of these users, those of the workspace: read after their tools are locked, as who moves locks those first. */
async function membersAmong(tx: Transaction, naming: Naming, ids: number[]): Promise<Set<number>> {
  if (naming === 'catalogue' || ids.length === 0) return new Set()
  const mine = and(inArray(users.id, ids), eq(users.workspaceId, naming))
  const found = await tx.select({ id: users.id }).from(users).where(mine)
  return new Set(found.map(({ id }) => id))
}

/** Of these tools, those that may be named, and stay: everybody's, and those of the workspace's members. */
async function usableTools(tx: Transaction, naming: Naming, named: readonly Named[]): Promise<Set<string>> {
  const ids = [...new Set(named.map(({ id }) => id).filter(isPlainUuid))]
  const found = await tx
    .select({ id: tools.id, ref: tools.ref, scope: tools.scope, ownerId: tools.ownerId })
    .from(tools)
    .where(inArray(tools.id, ids))
    .orderBy(tools.id)
    .for('key share')
  const refs = found.flatMap(({ ref }) => ref ?? [])
  const going = await tx
    .select({ ref: liveWrites.ref })
    .from(liveWrites)
    .where(and(eq(liveWrites.kind, 'tool'), eq(liveWrites.action, 'delete'), inArray(liveWrites.ref, refs)))
  const owners = found.flatMap(({ scope, ownerId }) => (scope === 'own' && ownerId !== null ? [ownerId] : []))
  const members = await membersAmong(tx, naming, owners)
  const isUsable = ({ ref, scope, ownerId }: (typeof found)[number]) =>
    (scope === 'global' || (ownerId !== null && members.has(ownerId))) && !going.some((one) => one.ref === ref)
  return new Set(found.filter(isUsable).map(({ id }) => id))
}

async function grantedTo(tx: Transaction, workspaceId: number): Promise<Set<string>> {
  const [row] = await tx
    .select({ granted: workspaces.webhookCredentials })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('share')
  return new Set(row?.granted.map(canonicalId))
}

const keyOf = ({ kind, id }: Named) => `${kind} ${id}`

/** The references that `before` does not name. */
function addedTo(before: object, references: readonly Named[]): Named[] {
  const named = new Set(referencesIn(before).map(keyOf))
  return references.filter((reference) => !named.has(keyOf(reference)))
}

/** Whether something of this kind is taken away, or given to somebody, by an operator. */
export const isLockable = ({ kind }: Pick<Named, 'kind'>): boolean => kind === 'tool' || kind === 'credential'

/**
 * Locks what is named and what `before` does not name, in the transaction that saves it: who takes a tool or credential
 * away, or gives it to somebody, locks it as well and looks for what names it, so that either sees the other. So does
 * who moves an assistant or a squad. Tools are locked last: see `lockWorkspaces`. Throws 422 on the path of one that is
 * gone, or going, or not for who names it.
 */
export async function lockReferences(
  tx: Transaction,
  naming: Naming,
  references: readonly Named[],
  before: object,
): Promise<void> {
  const added = addedTo(before, references)
  if (naming !== 'catalogue') {
    await lockMovable(tx, naming, references, before)
    const credentials = added.filter(({ kind }) => kind === 'credential')
    if (credentials.length > 0) {
      const granted = await grantedTo(tx, naming)
      refuseUnknown(credentials, ({ id }) => granted.has(id))
    }
  }
  const namedTools = added.filter(({ kind }) => kind === 'tool')
  if (namedTools.length === 0) return
  const kept = await usableTools(tx, naming, namedTools)
  refuseUnknown(namedTools, ({ id }) => kept.has(id))
}

/**
 * Looks whether a workspace has what is named and what `before` does not name, before anything is told the platform.
 * Throws 422 on the path of what it does not have.
 */
export async function requireReferences(
  executor: Executor,
  workspaceId: number,
  references: readonly Named[],
  before: object,
): Promise<void> {
  const added = addedTo(before, references)
  if (added.length === 0) return
  const known = await resolveAll(executor, workspaceId, added)
  refuseUnknown(added, (reference) => known.get(reference) !== undefined)
}
