import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client.ts'
import { type Entry, EntryLostError } from './entry.ts'
import { heldBy, liveWrites } from './table.ts'

/** More updates of one resource that got no response than this do not come together while they may still arrive. */
const maxIntents = 16

/**
 * Keeps what an update is about to send, sealed.
 * @throws EntryLostError when the row is another's by now.
 */
export async function keepIntent(db: Database, entry: Entry, sealed: string): Promise<void> {
  const older = sql`case when jsonb_array_length(${liveWrites.intents}) < ${maxIntents} then ${liveWrites.intents}
    else ${liveWrites.intents} - 0 end`
  const kept = await db
    .update(liveWrites)
    .set({ intents: sql`${older} || jsonb_build_array(${sealed}::text)` })
    .where(heldBy(entry))
    .returning({ id: liveWrites.id })
  if (kept.length === 0) throw new EntryLostError(entry)
  entry.intents.push(sealed)
  entry.noted.push(sealed)
}

/**
 * The intents of a row without those of its holder, whose writes the platform responded to: they do not arrive later.
 */
export const withoutNoted = ({ noted }: Entry) =>
  noted.reduce((intents, sealed) => sql`${intents} - ${sealed}::text`, sql`${liveWrites.intents}`)
