import { asc, gt, inArray } from 'drizzle-orm'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { type SweptKind, uuidsIn } from '../../voice-platform/drift/swept-kind.ts'
import { assistantDefaults } from '../../voice-platform/mapping/defaults.ts'
import { assistants } from './table.ts'

/** Assistants, as the sweep for drift sees them. */
export function sweptAssistants({ assistants: live }: PlatformClient): SweptKind {
  return {
    kind: 'assistant',
    defaults: assistantDefaults,
    pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
    get: live.get,
    async recorded(db, which) {
      const rows = db
        .select({
          ref: assistants.assistantId,
          liveId: assistants.voiceAssistantId,
          name: assistants.name,
          body: assistants.live,
        })
        .from(assistants)
      if ('liveIds' in which) return rows.where(inArray(assistants.voiceAssistantId, uuidsIn(which.liveIds)))
      const after = which.after === '' ? undefined : gt(assistants.assistantId, which.after)
      return rows.where(after).orderBy(asc(assistants.assistantId)).limit(which.limit)
    },
  }
}
