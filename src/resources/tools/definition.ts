import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { validationError } from '../../api/errors/api-error.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { referencesIn } from '../../voice-platform/references/find.ts'
import type { ToolBody } from '../catalogue/schema.ts'
import { tools } from '../catalogue/table.ts'
import { holdReferences, isHeldKind, type Naming } from '../references/hold.ts'
import { isMovable } from '../references/moving.ts'
import { othersAmong } from '../references/own.ts'
import { resolveReferences } from '../references/resolve.ts'
import { users } from '../users/table.ts'
import { requireUnusedElsewhere, workspaceOf } from './in-use.ts'

type Body = z.output<typeof ToolBody>

/** Whether records of the kind are kept here: files and the like are of no workspace, and operators name them as they are. */
const isKept: typeof isMovable = (reference) => isHeldKind(reference) || isMovable(reference)

/** For whom a tool names what its definition names; undefined for an owner who does not exist. */
async function namingOf(executor: Executor, { scope, owner_id: ownerId }: Body): Promise<Naming | undefined> {
  return scope === 'global' || ownerId === null ? 'catalogue' : workspaceOf(executor, ownerId)
}

/** What a tool names already, where it is for the same workspace; undefined for one that comes from elsewhere, or is new. */
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
 * An entry in which what the definition of somebody's own tool names is of their workspace, in the platform's form (contract: tools 16).
 * Throws 422 on the path of anything else, unless it is named already.
 */
export async function resolveTool(ctx: AccountContext, body: Body): Promise<Body> {
  const naming = await namingOf(ctx.db, body)
  if (typeof naming !== 'number') return body
  const before = referencesIn(await namedBefore(ctx.db, body.id, naming)).map(({ id }) => id)
  const isNamed = ({ id }: { id: string }) => before.includes(id)
  const { definition } = await resolveReferences(ctx, naming, { definition: body.definition }, isKept, isNamed)
  return { ...body, definition }
}

/**
 * Holds what a tool names, and whoever becomes its owner, in the transaction that saves it. Throws 422 on `owner_id` as
 * `requireUnusedElsewhere` does, and on the path of what is gone, or not for who names it.
 */
export async function holdTool(tx: Transaction, body: Body): Promise<Body> {
  const naming = await namingOf(tx, body)
  if (naming === undefined) return body
  const { id, owner_id: ownerId, definition } = body
  if (id !== undefined && ownerId !== null && naming !== 'catalogue') {
    await requireUnusedElsewhere(tx, id, { id: ownerId, workspaceId: naming })
  }
  const named = referencesIn({ definition }).filter(isKept)
  await holdReferences(tx, naming, named, (await namedBefore(tx, id, naming)) ?? {})
  return body
}

/** Throws 422 on `field` for a tool of a workspace that names what another workspace has. */
export async function refuseOthers(
  executor: Executor,
  workspaceId: number,
  tool: { label: string; body: object },
  field: string,
): Promise<void> {
  const [other] = await othersAmong(executor, workspaceId, referencesIn(tool.body))
  if (!other) return
  const text = `The tool ${tool.label} names the ${other.kind} ${other.id}, which another workspace has.`
  throw validationError({ [field]: [text] })
}

/**
 * The same for a tool that was made on the platform itself and comes to the workspace of its owner: nothing says what it names but
 * the platform, which `read` asks.
 */
export async function refuseAdopted(
  executor: Executor,
  body: Body,
  read: () => Promise<object>,
  field: string,
): Promise<void> {
  const naming = await namingOf(executor, body)
  if (typeof naming !== 'number' || (await namedBefore(executor, body.id, naming))) return
  await refuseOthers(executor, naming, { label: body.label, body: await read() }, field)
}
