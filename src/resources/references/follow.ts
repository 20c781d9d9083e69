import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../db/client.ts'
import { together } from '../../db/together.ts'
import { literal } from '../../runtime/literal.ts'
import { markAllUnfinished } from '../../voice-platform/mirror/journal/mark.ts'
import { canonicalId, renameIn } from '../../voice-platform/references/find.ts'
import { assistants } from '../assistants/table.ts'
import { baseConfigs, layer2Presets, personalities, tools } from '../catalogue/table.ts'
import { assistantVersions } from '../history/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'
import { lockWorkspaces } from './lock-workspaces.ts'
import { pageSize, pagesOfRecords } from './pages.ts'

/** The id that an object of the platform had, and that of the one which was made in its place. */
interface Ids {
  from: string
  to: string
}

/** As JSON has an id that stands by itself, in columns as text. */
const quoted = (id: string) => JSON.stringify(id)

/** The ids, and in which workspaces records may name them, by the column of their ids; everywhere where undefined. */
interface Followed extends Ids {
  within(workspaceId: AnyPgColumn): SQL | undefined
}

const mentions = ({ from }: Ids, ...columns: AnyPgColumn[]): SQL | undefined =>
  or(...columns.map((column) => sql`strpos(lower(${column}::text), lower(${quoted(from)})) > 0`))

/** The id as it stands by itself in JSON, however it is spelled. */
const spelled = ({ from }: Ids) => literal(quoted(from))

/** A column of what operators say, where an id may also stand under other names than the platform's. */
const replaced = (ids: Ids, column: AnyPgColumn): SQL =>
  sql`regexp_replace(${column}::text, ${spelled(ids)}, ${quoted(ids.to)}, 'gi')::jsonb`

/** Copies of what operators say. */
const replacedIn = <Copies>(copies: Copies, ids: Ids): Copies =>
  JSON.parse(JSON.stringify(copies).replaceAll(new RegExp(spelled(ids), 'gi'), quoted(ids.to)))

/**
 * Bodies that name the new object where they named the old one, or undefined; what callers name freely stays as it is.
 */
function renamed<Bodies extends object>(bodies: Bodies, { from, to }: Ids): Bodies | undefined {
  const copy = structuredClone(bodies)
  const old = canonicalId(from)
  return renameIn(copy, ({ id }) => (id === old ? to : undefined)) ? copy : undefined
}

async function followNumbers(tx: Transaction, ids: Followed): Promise<void> {
  const { id, voiceAssistantId, voiceSquadId, server, hooks } = phoneNumbers
  const leads = or(eq(voiceAssistantId, ids.from), eq(voiceSquadId, ids.from))
  const which = or(leads, mentions(ids, server, hooks))
  const read = (between: SQL | undefined) =>
    tx
      .select({ id, voiceAssistantId, voiceSquadId, server, hooks })
      .from(phoneNumbers)
      .where(and(between, which))
      .orderBy(id)
      .limit(pageSize)
      .for('no key update')
  for await (const page of pagesOfRecords(tx, phoneNumbers, ids.within, read)) {
    const updates = page.flatMap((row) => {
      const bodies = renamed({ server: row.server, hooks: row.hooks }, ids)
      const targets = {
        ...(row.voiceAssistantId === ids.from && { voiceAssistantId: ids.to }),
        ...(row.voiceSquadId === ids.from && { voiceSquadId: ids.to }),
      }
      if (!bodies && Object.keys(targets).length === 0) return []
      const values = { ...bodies, ...targets, syncDueAt: sql`now()` }
      return [tx.update(phoneNumbers).set(values).where(eq(id, row.id))]
    })
    await together(...updates)
  }
}

/** So many versions, of up to a megabyte each, are in memory at once. */
const versionsAtOnce = 10
/** The histories of so many assistants are looked through by one statement. */
const historiesAtOnce = 10

/** The ids of the versions of some assistants that mention an id. */
async function versionsNaming(tx: Transaction, of: readonly number[], ids: Followed): Promise<number[]> {
  const { id, assistantId, configuration } = assistantVersions
  const found: number[] = []
  for (let from = 0; from < of.length; from += historiesAtOnce) {
    const theirs = inArray(assistantId, of.slice(from, from + historiesAtOnce))
    const rows = await tx
      .select({ id })
      .from(assistantVersions)
      .where(and(theirs, mentions(ids, configuration)))
    found.push(...rows.map((row) => row.id))
  }
  return found
}

async function followVersions(tx: Transaction, of: readonly number[], ids: Followed): Promise<void> {
  const { id, configuration } = assistantVersions
  const left = await versionsNaming(tx, of, ids)
  while (left.length > 0) {
    const which = inArray(id, left.splice(0, versionsAtOnce))
    const rows = await tx.select({ id, configuration }).from(assistantVersions).where(which)
    const updates = rows.map((row) => {
      const { kept = null, sources = null, ...own } = row.configuration ?? {}
      const copies = { ...(kept !== null && { kept }), ...(sources !== null && { sources }) }
      const next = { ...row.configuration, ...renamed(own, ids), ...replacedIn(copies, ids) }
      return tx.update(assistantVersions).set({ configuration: next }).where(eq(id, row.id))
    })
    await together(...updates)
  }
}

/** With their versions. Returns the refs of those that follow. */
async function followAssistants(tx: Transaction, ids: Followed): Promise<string[]> {
  const { id, assistantId: ref, voiceAssistantId, config, live, kept, build } = assistants
  const which = or(eq(voiceAssistantId, ids.from), mentions(ids, config, live, kept, build))
  const layered = sql<boolean>`coalesce(${mentions(ids, kept)}, false)`
  const read = (between: SQL | undefined) =>
    tx
      .select({ id, ref, config, live, kept, build, layered })
      .from(assistants)
      .where(and(between, which))
      .orderBy(id)
      .limit(pageSize)
      .for('no key update')
  const followed: string[] = []
  for await (const page of pagesOfRecords(tx, assistants, ids.within, read)) {
    const changes = page.flatMap((row) => {
      const bodies = renamed({ config: row.config, live: row.live, build: row.build }, ids)
      if (!bodies && !row.layered) return []
      const copies = row.layered && { kept: replacedIn(row.kept, ids) }
      return [{ ...row, values: { ...bodies, ...copies } }]
    })
    await together(...changes.map((row) => tx.update(assistants).set(row.values).where(eq(id, row.id))))
    await followVersions(
      tx,
      changes.map((row) => row.id),
      ids,
    )
    followed.push(...changes.map((row) => row.ref))
  }
  return followed
}

/** Returns the refs of those published squads that follow. */
async function followSquads(tx: Transaction, ids: Followed): Promise<string[]> {
  const { id, ref, status, externalSquadId, members, membersOverrides, live } = squads
  const which = or(eq(externalSquadId, ids.from), mentions(ids, members, membersOverrides, live))
  const read = (between: SQL | undefined) =>
    tx
      .select({ id, ref, status, members, membersOverrides, live })
      .from(squads)
      .where(and(between, which))
      .orderBy(id)
      .limit(pageSize)
      .for('no key update')
  const followed: string[] = []
  for await (const page of pagesOfRecords(tx, squads, ids.within, read)) {
    const changes = page.flatMap(({ id: key, ref, status, ...named }) => {
      const values = renamed(named, ids)
      return values ? [{ key, ref, status, values }] : []
    })
    await together(...changes.map(({ key, values }) => tx.update(squads).set(values).where(eq(id, key))))
    followed.push(...changes.flatMap(({ ref, status }) => (status === 'published' ? [ref] : [])))
  }
  return followed
}

const layers = [
  [baseConfigs, baseConfigs.config, 'config'],
  [layer2Presets, layer2Presets.overrides, 'overrides'],
  [personalities, personalities.voice, 'voice'],
] as const

/** Locks an object that is a tool, and the tools that name it, in the order in which everybody takes tools. */
async function lockToolRows(tx: Transaction, ids: Ids): Promise<void> {
  const which = or(eq(tools.id, ids.from), mentions(ids, tools.definition))
  await tx.select({ id: tools.id }).from(tools).where(which).orderBy(tools.id).for('update')
}

/** Returns the refs of those that were made through this service. */
async function followTools(tx: Transaction, ids: Ids): Promise<string[]> {
  await lockToolRows(tx, ids)
  const told = await tx
    .update(tools)
    .set({ definition: replaced(ids, tools.definition) })
    .where(mentions(ids, tools.definition))
    .returning({ ref: tools.ref })
  return told.flatMap(({ ref }) => ref ?? [])
}

async function followRows(tx: Transaction, ids: Followed): Promise<void> {
  await followNumbers(tx, ids)
  const naming = await followAssistants(tx, ids)
  const teams = await followSquads(tx, ids)
  await markAllUnfinished(tx, 'assistant', naming)
  await markAllUnfinished(tx, 'squad', teams)
}

async function followCatalogue(tx: Transaction, ids: Ids): Promise<void> {
  for (const [table, column, name] of layers) {
    await tx
      .update(table)
      .set({ [name]: replaced(ids, column) })
      .where(mentions(ids, column))
  }
  await markAllUnfinished(tx, 'tool', await followTools(tx, ids))
}

/** Operators name what they like in layers, which reach every workspace. */
async function isInLayers(tx: Transaction, ids: Ids): Promise<boolean> {
  const found = layers.map(([table, column]) => tx.$count(table, mentions(ids, column)))
  return (await together(...found)).some((count) => count > 0)
}

/** An object of the platform that was made again. */
interface Rebound extends Ids {
  /** The workspace whose records may name it, and no others but for layers (contract: tools 8); none for a tool. */
  workspaceId?: number
  /** Gives the record its new id. */
  save(): Promise<unknown>
}

/**
 * Gives a record another live object, in place of one that is gone, and has whatever names the old one by its id name
 * the new one in the same transaction: numbers that lead to it, numbers, assistants with their versions and squads that
 * name it, tools that hand calls to it, and the layers of the catalogue. Live objects are told in the background. Takes
 * the rows in the order in which everybody does (see `lockWorkspaces`): what may name it before the record itself,
 * which others wait for.
 */
export async function rebindObject(tx: Transaction, { workspaceId, save, ...ids }: Rebound): Promise<void> {
  const isOfOne = workspaceId !== undefined && !(await isInLayers(tx, ids))
  const followed = { ...ids, within: (column: AnyPgColumn) => (isOfOne ? eq(column, workspaceId) : undefined) }
  await followRows(tx, followed)
  if (workspaceId === undefined) await lockToolRows(tx, ids)
  await save()
  // Who saves that it names an assistant or a squad locks the workspace: see `lockMovable`.
  if (workspaceId !== undefined) await lockWorkspaces(tx, [workspaceId], 'no key update')
  // What was saved with it until its row was ours.
  await followRows(tx, followed)
  await followCatalogue(tx, ids)
}
