import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import type { PlatformClient } from '../../voice-platform/client.ts'
import type { SweptKind } from '../../voice-platform/drift/swept-kind.ts'
import { squads } from './table.ts'

/** Published squads, as the sweep for drift sees them. */
export function sweptSquads({ squads: live }: PlatformClient): SweptKind {
  return {
    kind: 'squad',
    defaults: {},
    pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
    get: live.get,
    async recorded(db, which) {
      const published = and(eq(squads.status, 'published'), isNotNull(squads.live))
      const select = db
        .select({ ref: squads.ref, liveId: squads.externalSquadId, name: squads.name, body: squads.live })
        .from(squads)
      const rows =
        'liveIds' in which
          ? await select.where(and(published, inArray(squads.externalSquadId, [...which.liveIds])))
          : await select
              .where(and(published, which.after === '' ? undefined : gt(squads.ref, which.after)))
              .orderBy(asc(squads.ref))
              .limit(which.limit)
      return rows.map(({ body, ...row }) => ({ ...row, body: body ?? {} }))
    },
  }
}
