import { and, eq, inArray } from 'drizzle-orm'
import { type FieldErrors, validationError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import { isPlainUuid } from '../../runtime/uuid.ts'
import { liveWrites } from '../../voice-platform/mirror/journal/table.ts'
import { canonicalId, type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { tools } from '../catalogue/table.ts'
import { workspaces } from '../workspaces/table.ts'
import { unknownReference } from './resolve.ts'

/** Of these tools, those that are there and stay. */
async function stayingTools(tx: Transaction, ids: string[]): Promise<Set<string>> {
  const found = await tx
    .select({ id: tools.id, ref: tools.ref })
    .from(tools)
    .where(inArray(tools.id, ids))
    .for('key share')
  const refs = found.flatMap(({ ref }) => ref ?? [])
  const going = await tx
    .select({ ref: liveWrites.ref })
    .from(liveWrites)
    .where(and(eq(liveWrites.kind, 'tool'), eq(liveWrites.action, 'delete'), inArray(liveWrites.ref, refs)))
  return new Set(found.filter(({ ref }) => !going.some((one) => one.ref === ref)).map(({ id }) => id))
}

async function grantedTo(tx: Transaction, workspaceId: number): Promise<Set<string>> {
  const [row] = await tx
    .select({ granted: workspaces.webhookCredentials })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('key share')
  return new Set(row?.granted.map(canonicalId))
}

const all = () => true

/** Whether a body names something that `holdReferences` holds. */
export const holdsReferences = (body: object, which: (reference: Reference) => boolean = all): boolean =>
  referencesIn(body).some(
    (reference) => (reference.kind === 'tool' || reference.kind === 'credential') && which(reference),
  )

/**
 * Holds the tools and credentials that a body names and `before` did not, in the transaction that saves it: who takes one
 * away holds it as well and looks for what names it, so that either sees the other. `which` says which references are
 * looked at, all unless given. Throws 422 on the path of one that is gone, or going.
 */
export async function holdReferences(
  tx: Transaction,
  workspaceId: number,
  [body, before]: [body: object, before: object],
  which: (reference: Reference) => boolean = all,
): Promise<void> {
  const keyOf = ({ kind, id }: Reference) => `${kind} ${id}`
  const named = new Set(referencesIn(before).map(keyOf))
  const added = referencesIn(body).filter((reference) => !named.has(keyOf(reference)) && which(reference))
  const addedTools = added.filter(({ kind, id }) => kind === 'tool' && isPlainUuid(id))
  const credentials = added.filter(({ kind }) => kind === 'credential')
  const errors: FieldErrors = {}
  const judge = (references: Reference[], kept: Set<string>) => {
    for (const { kind, id, path } of references) if (!kept.has(id)) errors[path] = [unknownReference(kind)]
  }
  if (addedTools.length > 0) {
    const ids = addedTools.map(({ id }) => id)
    judge(addedTools, await stayingTools(tx, [...new Set(ids)]))
  }
  if (credentials.length > 0) judge(credentials, await grantedTo(tx, workspaceId))
  if (Object.keys(errors).length > 0) throw validationError(errors)
}
