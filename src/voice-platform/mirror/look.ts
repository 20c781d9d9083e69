import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { CallOptions } from '../transport.ts'
import type { Outside, Survey } from './agreement/survey.ts'
import { liveWrites } from './journal/table.ts'
import { readLive } from './reapply.ts'
import type { RemoteKind } from './remote-kind.ts'

/** Looks at a live object for those who read: nothing is held, sent or noted. */
export function createLook({ db, survey }: { db: Database; survey: Survey }) {
  return async <Body extends object>(
    remote: RemoteKind<Body>,
    ref: string,
    liveId: string,
    call: CallOptions,
  ): Promise<Outside<Body> | undefined> => {
    const { kind } = remote
    const live = await readLive(remote, liveId, call)
    if (!live) return undefined
    // Of a write of ours that is under way, the record says nothing yet.
    const [unfinished] = await db
      .select({ intents: liveWrites.intents })
      .from(liveWrites)
      .where(and(eq(liveWrites.kind, kind), eq(liveWrites.ref, ref)))
    const { intents = [] } = unfinished ?? {}
    const entry = { kind, ref, action: 'update', intents, inherited: unfinished !== undefined } as const
    return survey(entry, remote, liveId, live)
  }
}
