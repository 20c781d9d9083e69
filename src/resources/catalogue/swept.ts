import { asc, gt, inArray, sql } from 'drizzle-orm'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { type SweptKind, uuidsIn } from '../../voice-platform/drift/swept-kind.ts'
import { tools } from './table.ts'
import { toolBody } from './tool-remote.ts'

/** Under what a tool is journalled; its own id for one that operators made on the platform. */
export const toolRef = sql<string>`coalesce(${tools.ref}, ${tools.id})::text`

/**
 * Tools of the catalogue, as the sweep for drift sees them. One that operators made on the platform stays as it is there:
 * it can only be missing.
 */
export function sweptTools({ tools: live }: PlatformClient): SweptKind {
  return {
    kind: 'tool',
    defaults: {},
    all: true,
    pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
    get: live.get,
    async recorded(db, which) {
      const select = db.select({ key: toolRef, row: tools }).from(tools)
      const rows =
        'liveIds' in which
          ? await select.where(inArray(tools.id, uuidsIn(which.liveIds)))
          : await select.where(gt(toolRef, which.after)).orderBy(asc(toolRef)).limit(which.limit)
      return rows.map(({ key, row }) => ({
        ref: key,
        liveId: row.id,
        name: row.label,
        body: row.ref === null ? {} : toolBody(row),
      }))
    },
  }
}
