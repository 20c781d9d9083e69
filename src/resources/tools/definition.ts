import { eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { validationError } from '../../api/errors/api-error.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { uuidsIn } from '../../runtime/uuid.ts'
import { type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import type { ToolBody } from '../catalogue/schema.ts'
import { tools } from '../catalogue/table.ts'
import { isLockable, lockReferences, type Naming } from '../references/lock.ts'
import { lockWorkspaces } from '../references/lock-workspaces.ts'
import { isMovable } from '../references/moving.ts'
import { resolveReferences } from '../references/resolve.ts'
import { users } from '../users/table.ts'
import { requireUnusedElsewhere, workspaceOf } from './in-use.ts'

type Body = z.output<typeof ToolBody>

/**
 * Whether records of the kind are kept here: files and the like are of no workspace, and operators name them as they
 * are.
 */
const isKept: typeof isMovable = (reference) => isLockable(reference) || isMovable(reference)

/** For whom a tool names what its definition names; undefined for an owner who does not exist. */
async function namingOf(executor: Executor, { scope, owner_id: ownerId }: Body): Promise<Naming | undefined> {
  return scope === 'global' || ownerId === null ? 'catalogue' : workspaceOf(executor, ownerId)
}

/**
 * What a tool names already, where it is for the same workspace; undefined for one that comes from elsewhere, or is
 * new.
 */
async function namedBefore(executor: Executor, id: string | undefined, naming: Naming): Promise<object | undefined> {
  if (id === undefined) return undefined
  const [row] = await executor
    .select({ scope: tools.scope, workspaceId: users.workspaceId, definition: tools.definition })
    .from(tools)
    .leftJoin(users, eq(users.id, tools.ownerId))
    .where(eq(tools.id, id))
  const before = row?.scope === 'global' ? 'catalogue' : row?.workspaceId
  return before === naming ? { definition: row?.definition } : undefined
}

/**
 * An entry in which what the definition of somebody's own tool names is of their workspace, in the platform's form
 * (contract: tools 16). Throws 422 on the path of anything else, unless it is named already.
 */
export async function resolveTool(ctx: AccountContext, body: Body): Promise<Body> {
  const naming = await namingOf(ctx.db, body)
  if (typeof naming !== 'number') return body
  const before = referencesIn(await namedBefore(ctx.db, body.id, naming)).map(({ id }) => id)
  const isNamed = ({ id }: { id: string }) => before.includes(id)
  const { definition } = await resolveReferences(ctx, naming, { definition: body.definition }, isKept, isNamed)
  return { ...body, definition }
}

/** Locks a tool and those that it names in one order: another may name it at the same time. */
async function lockToolRows(
  tx: Transaction,
  named: readonly { kind: string; id: string | undefined }[],
): Promise<void> {
  const ids = uuidsIn(named.flatMap(({ kind, id }) => (kind === 'tool' && id !== undefined ? [id] : [])))
  if (ids.length === 0) return
  await tx.select({ id: tools.id }).from(tools).where(inArray(tools.id, ids)).orderBy(tools.id).for('update')
}

/**
 * Locks what a tool names, and whoever becomes its owner, in the transaction that saves it. Throws 422 on `owner_id` as
 * `requireUnusedElsewhere` does, and on the path of what is gone, or not for who names it.
 */
export async function lockToolReferences(tx: Transaction, body: Body): Promise<Body> {
  const naming = await namingOf(tx, body)
  if (naming === undefined) return body
  const { id, label, owner_id: ownerId, definition } = body
  const named = referencesIn({ definition }).filter(isKept)
  if (naming !== 'catalogue') await lockWorkspaces(tx, [naming], 'share')
  await lockToolRows(tx, [{ kind: 'tool', id }, ...named])
  if (id !== undefined && ownerId !== null && naming !== 'catalogue') {
    await requireUnusedElsewhere(tx, { id, label }, { id: ownerId, workspaceId: naming })
  }
  await lockReferences(tx, naming, named, (await namedBefore(tx, id, naming)) ?? {})
  return body
}

/**
 * What a tool that was made on the platform itself names and records are kept of, if anything. It becomes nobody's own
 * then: no record says that it names it, so it would go on reaching that in another workspace.
 */
export const keptNamedIn = (live: object): Reference | undefined => referencesIn(live).find(isKept)

/** Throws 422 on `field` for such a tool. */
export function refuseNaming(label: string, live: object, field: string): void {
  const named = keptNamedIn(live)
  if (!named) return
  const text = `The tool ${label} names the ${named.kind} ${named.id}. Make it here with its definition instead.`
  throw validationError({ [field]: [text] })
}
