import type { AccountContext } from '../../../api/context.ts'
import { requireMatch } from '../../../api/preconditions/match.ts'
import type { Keep } from '../../reconcile/schema.ts'
import { keptSide, reconcileSides, saveKept } from '../../reconcile/sides.ts'
import { requireNumber } from '../read/find.ts'
import { liveNumberBody, numberRecord } from '../read/record.ts'
import { phoneNumberRemote } from '../remote.ts'
import { releaseNumber } from '../service.ts'
import { lockTargets, registeredId } from '../write/configure.ts'
import { numberWrite } from '../write/live-write.ts'
import { targetPlaces } from '../write/named-targets.ts'
import { adoptNumber, saveAdopted } from './adopt.ts'

/**
 * Brings a number and its live object together (contract: drift 15). Returns the record, or undefined when the platform
 * had lost it and it was released, at its carrier too.
 * Throws 404, 403 for viewers, 412, 409, 422 for one that is not registered and for what the platform rejects, 502 when
 * it cannot be read or written.
 */
export async function reconcileNumber(ctx: AccountContext, { id, keep }: { id: string; keep: Keep }) {
  const found = await requireNumber(ctx, id)
  const liveId = registeredId(found)
  const { phoneNumber } = found
  const remote = phoneNumberRemote(ctx)
  const agree = () =>
    numberWrite(
      'phone_number_update_failed',
      ctx.mirror.update(remote, phoneNumber, {
        async load() {
          const row = await requireNumber(ctx, phoneNumber)
          await requireMatch(ctx, { id })
          return row
        },
        adopt: (row, outside) => adoptNumber(ctx.db, row, outside),
        async compose(row, seen) {
          const recorded = { liveId: registeredId(row), body: liveNumberBody(row), named: targetPlaces }
          return keptSide(keep, remote, {
            recorded,
            seen,
            async save(tx, _sent, adopted) {
              if (!adopted) return
              await lockTargets(tx, row)
              await saveAdopted(tx, row, adopted, ctx.clock.now())
            },
          })
        },
        save: saveKept,
      }),
    )
  const isThere = await reconcileSides(
    ctx,
    { id },
    {
      keep,
      remote,
      ref: phoneNumber,
      liveId,
      write: (work) => numberWrite('phone_number_update_failed', work),
      agree,
      remove: () => releaseNumber(ctx, { id }),
    },
  )
  return isThere ? numberRecord(await requireNumber(ctx, phoneNumber)) : undefined
}
