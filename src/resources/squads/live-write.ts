import { eq } from 'drizzle-orm'
import { ApiError, type ErrorName } from '../../api/errors/api-error.ts'
import { liveWrite } from '../../api/errors/live-write.ts'
import type { Transaction } from '../../db/client.ts'
import { judgedBody, type PlatformError } from '../../voice-platform/errors.ts'
import { squads } from './table.ts'

/** What the platform rejects is the caller's 422 (contract: squads 9). */
const refused = (error: PlatformError): ApiError | undefined =>
  judgedBody(error) ? new ApiError('squad_invalid', { detail: error.detail, cause: error }) : undefined

/** A failed live write of a squad as the operation's own error. */
export const squadWrite = <T>(failed: ErrorName, write: Promise<T>): Promise<T> =>
  liveWrite({ busy: 'squad_busy', failed, refused }, write)

/** The live write of a delete, which has no body that could be refused (contract: squads 14). */
export const squadRemoval = <T>(write: Promise<T>): Promise<T> =>
  liveWrite({ busy: 'squad_busy', failed: 'squad_delete_failed' }, write)

type Named = Pick<typeof squads.$inferSelect, 'id' | 'externalSquadId' | 'members' | 'membersOverrides' | 'live'>

/**
 * Locks a squad that still names what it did when it was read: what was made again since has another id, and what was
 * renamed another name, and the platform was told the old one. Throws 409 otherwise.
 */
export async function lockNamed(
  tx: Transaction,
  { id, externalSquadId, members, membersOverrides, live }: Named,
): Promise<void> {
  const [locked] = await tx.select().from(squads).where(eq(squads.id, id)).for('no key update')
  if (locked?.externalSquadId !== externalSquadId) return
  const isSame = Bun.deepEquals(
    [locked.members, locked.membersOverrides, locked.live],
    [members, membersOverrides, live],
  )
  if (!isSame) throw new ApiError('squad_busy')
}
