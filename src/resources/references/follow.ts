import { and, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../db/client.ts'
import { markUnfinished } from '../../voice-platform/mirror/journal/mark.ts'
import { assistants } from '../assistants/table.ts'
import { baseConfigs, layer2Presets, personalities } from '../catalogue/table.ts'
import { assistantVersions } from '../history/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'

/**
 * Has whatever names an object of the platform by its UUID name the one that was made in its place, in the transaction that
 * gives the object its new id: numbers, assistants with their versions, squads and the layers of the catalogue. Live objects
 * are told in the background. Takes the rows in the order in which everybody does.
 */
export async function followObject(tx: Transaction, from: string, to: string): Promise<void> {
  const named = (...columns: AnyPgColumn[]): SQL | undefined =>
    or(...columns.map((column) => sql`strpos(${column}::text, ${from}) > 0`))
  const renamed = (column: AnyPgColumn) => sql`replace(${column}::text, ${from}, ${to})::jsonb`

  const { server, hooks } = phoneNumbers
  await tx
    .update(phoneNumbers)
    .set({ server: renamed(server), hooks: renamed(hooks), syncDueAt: sql`now()` })
    .where(named(server, hooks))

  const { config, live, kept, build } = assistants
  const naming = await tx
    .update(assistants)
    .set({ config: renamed(config), live: renamed(live), kept: renamed(kept), build: renamed(build) })
    .where(named(config, live, kept, build))
    .returning({ id: assistants.id, ref: assistants.assistantId })
  const ids = naming.map(({ id }) => id)
  const { assistantId, configuration } = assistantVersions
  await tx
    .update(assistantVersions)
    .set({ configuration: renamed(configuration) })
    .where(and(inArray(assistantId, ids), named(configuration)))

  const { members, membersOverrides } = squads
  const teams = await tx
    .update(squads)
    .set({ members: renamed(members), membersOverrides: renamed(membersOverrides), live: renamed(squads.live) })
    .where(named(members, membersOverrides, squads.live))
    .returning({ ref: squads.ref, status: squads.status })

  const layers = [
    [baseConfigs, baseConfigs.config, 'config'],
    [layer2Presets, layer2Presets.overrides, 'overrides'],
    [personalities, personalities.voice, 'voice'],
  ] as const
  for (const [table, column, name] of layers) {
    await tx
      .update(table)
      .set({ [name]: renamed(column) })
      .where(named(column))
  }

  for (const { ref } of naming) await markUnfinished(tx, { kind: 'assistant', ref })
  for (const { ref, status } of teams) if (status === 'published') await markUnfinished(tx, { kind: 'squad', ref })
}
