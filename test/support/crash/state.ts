import { count, eq } from 'drizzle-orm'
import type { Database } from '../../../src/db/client.ts'
import { assistants } from '../../../src/resources/assistants/table.ts'
import { assistantVersions } from '../../../src/resources/history/table.ts'
import type { PlatformClient } from '../../../src/voice-platform/client.ts'
import { liveWrites } from '../../../src/voice-platform/mirror/journal/table.ts'
import { liveDiffers } from '../../../src/voice-platform/mirror/live-differs.ts'

/** An assistant as the local side has it. */
export interface LocalAssistant {
  ref: string
  liveId: string
  name: string
  live: object
  versions: number
}

/** The local side: what is recorded, and what the journal says is under way. */
export interface LocalState {
  assistants: LocalAssistant[]
  journal: { ref: string; action: string; attempts: number; lastError: string | null }[]
}

/** Reads the local side, of one assistant when `ref` is given. */
export async function localState(db: Database, ref?: string): Promise<LocalState> {
  // First, so that nothing is under way while the rest is read when it is empty.
  const journal = await db
    .select({
      ref: liveWrites.ref,
      action: liveWrites.action,
      attempts: liveWrites.attempts,
      lastError: liveWrites.lastError,
    })
    .from(liveWrites)
    .where(ref === undefined ? undefined : eq(liveWrites.ref, ref))
  const rows = await db
    .select({
      ref: assistants.assistantId,
      liveId: assistants.voiceAssistantId,
      name: assistants.name,
      live: assistants.live,
      versions: count(assistantVersions.id),
    })
    .from(assistants)
    .leftJoin(assistantVersions, eq(assistantVersions.assistantId, assistants.id))
    .where(ref === undefined ? undefined : eq(assistants.assistantId, ref))
    .groupBy(assistants.id)
    .orderBy(assistants.id)
  return { assistants: rows, journal }
}

/** Where the two sides are apart, in words; empty when they agree. `ref` looks at one assistant only. */
export async function apart({ assistants: local }: LocalState, platform: PlatformClient, ref?: string) {
  const listed = await platform.assistants.list({ limit: 1000 })
  const left = new Map(listed.map((one) => [one.id, one]))
  const problems: string[] = []
  for (const { ref: own, liveId, live } of local) {
    const remote = left.get(liveId)
    left.delete(liveId)
    if (!remote) problems.push(`${own} has no remote object`)
    else if (remote.metadata?.external_ref !== own)
      problems.push(`the remote object of ${own} carries another reference`)
    else problems.push(...liveDiffers(live, remote).map((path) => `${own} differs at ${path}`))
  }
  for (const { id, metadata } of left.values()) {
    if (ref === undefined || metadata?.external_ref === ref) problems.push(`${id} is an orphan on the platform`)
  }
  return problems
}
