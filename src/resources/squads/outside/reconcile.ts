import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { requireMatch } from '../../../api/preconditions/match.ts'
import type { Keep } from '../../reconcile/schema.ts'
import { keptSide, reconcileSides, saveKept } from '../../reconcile/sides.ts'
import { requireSquad, squadRecord } from '../find.ts'
import { lockNamed, squadWrite } from '../live-write.ts'
import { squadRemote } from '../remote.ts'
import { deleteSquad, membersPlace } from '../service.ts'
import { adoptSquad, saveAdopted, saveSent } from './adopt.ts'

/**
 * Brings a squad and its live object together (contract: drift 15); a draft has none, so that nothing is done.
 * Returns the record, under its new id when it was made again, or undefined when it was deleted.
 * Throws 404, 403 for viewers, 412, 409, 422 for what the platform rejects, 502 when it cannot be read or written.
 */
export async function reconcileSquad(ctx: AccountContext, { id, keep }: { id: string; keep: Keep }) {
  const { ref, status, externalSquadId: liveId } = await requireSquad(ctx, { id })
  const remote = squadRemote(ctx)
  const agree = () =>
    squadWrite(
      'squad_publish_failed',
      ctx.mirror.update(remote, ref, {
        async load() {
          const row = await requireSquad(ctx, { ref })
          await requireMatch(ctx, { id })
          if (!row.live) throw new ApiError('squad_not_found')
          return { ...row, live: row.live }
        },
        adopt: (row, outside) => adoptSquad(ctx, row, outside),
        async compose(row, seen) {
          const recorded = { liveId: row.externalSquadId, body: row.live, named: [membersPlace] }
          const at = ctx.clock.now()
          return keptSide(keep, remote, {
            recorded,
            seen,
            async save(tx, sent, adopted) {
              await lockNamed(tx, row)
              if (!adopted) return saveSent(tx, row, sent)
              await saveAdopted(tx, row, adopted, { sent, at })
            },
          })
        },
        save: saveKept,
      }),
    )
  if (status === 'draft') await requireMatch(ctx, { id })
  const isThere =
    status === 'draft' ||
    (await reconcileSides(
      ctx,
      { id },
      {
        keep,
        remote,
        ref,
        liveId,
        write: (work) => squadWrite('squad_publish_failed', work),
        agree,
        remove: () => deleteSquad(ctx, { id }),
      },
    ))
  return isThere ? squadRecord(ctx, await requireSquad(ctx, { ref })) : undefined
}
