import { eq } from 'drizzle-orm'
import { squads } from '../../../src/resources/squads/table.ts'
import { createBases } from '../../../src/voice-platform/mirror/agreement/bases.ts'
import type { TestApp } from '../app.ts'
import { changeAssistant, storedAssistant } from './assistants.ts'

/**
 * Has a record and its live object count as agreed although the live object has other values, as releases did that kept
 * what a save set back.
 */
export async function agreeSilently({ database, services }: TestApp, kind: string, id: string, values: object) {
  const { db } = database
  const bases = createBases(services.vault)
  let ref = id
  if (kind === 'assistant') {
    const { live } = await storedAssistant(database, id)
    await changeAssistant(database, id, { live: { ...live, ...values } })
  }
  if (kind === 'squad') {
    const [row] = await db.select().from(squads).where(eq(squads.externalSquadId, id))
    if (!row?.live) throw new Error('no squad')
    ref = row.ref
    await db
      .update(squads)
      .set({ live: { ...row.live, ...values } })
      .where(eq(squads.id, row.id))
  }
  const base = await bases.read(db, kind, ref)
  if (!base) throw new Error('no base')
  const sent = { ...base.sent, ...values }
  await bases.save(db, kind, ref, { ...base, sent, seen: sent })
}
