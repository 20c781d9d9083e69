import { eq } from 'drizzle-orm'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { type NamedObject, userOf } from './in-use.ts'
import { lockWorkspaces } from './lock-workspaces.ts'
import { refuseUnknown, resolveAll } from './resolve.ts'

type Named = Pick<Reference, 'kind' | 'id' | 'path'>

/** Whether it names something that may move to another workspace. */
export const isMovable = ({ kind }: Pick<Named, 'kind'>): boolean => kind === 'assistant' || kind === 'squad'

/**
 * Locks the assistants and squads that are named and that `before` does not name in their workspace, in the transaction
 * that saves it. To be called when the rows that are saved are locked, as whoever moves one has its row by then. Throws
 * 422 on the path of one that is gone, or has moved.
 */
export async function lockMovable(
  tx: Transaction,
  workspaceId: number,
  references: readonly Named[],
  before: object,
): Promise<void> {
  const known = new Set(referencesIn(before).map(({ id }) => id))
  const added = references.filter((one) => isMovable(one) && !known.has(one.id))
  if (added.length === 0) return
  await lockWorkspaces(tx, [workspaceId], 'share')
  const resolved = await resolveAll(tx, workspaceId, added)
  refuseUnknown(added, (one) => resolved.get(one) !== undefined)
}

/** An assistant or squad that moves, by its key and its live id. */
interface Moving {
  kind: NamedObject
  key: number
  liveId: string
}

const refusals = { assistant: 'assistant_named', squad: 'squad_named' } as const

/**
 * Refuses to move an assistant or a squad out of a workspace in which something else names it, with a 409 that says
 * what: its calls would go on reaching the new owner's object. Elsewhere nothing may name it (contract: tools 8).
 */
export async function refuseNamed(executor: Executor, from: number, { kind, key, liveId }: Moving): Promise<void> {
  const user = await userOf(executor, { kind, id: liveId }, (id) => eq(id, from), { kind, key })
  if (user) throw new ApiError(refusals[kind], { detail: `${user.kind} "${user.name}"` })
}

/**
 * The same in the transaction that moves it `to` another workspace: of a save that names it at the same time, either
 * sees the other, as both lock the workspace that it leaves.
 */
export async function refuseNamedMove(tx: Transaction, from: number, to: number, moving: Moving): Promise<void> {
  await lockWorkspaces(tx, [from, to], 'no key update')
  await refuseNamed(tx, from, moving)
}
