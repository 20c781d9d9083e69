import type { Database, Executor, Transaction } from '../../db/client.ts'
import {
  baseConfigs,
  industryTemplates,
  layer2Presets,
  personalities,
  promptTemplates,
  tools,
} from '../../resources/catalogue/table.ts'
import { toolBody } from '../../resources/catalogue/tool-remote.ts'
import { users } from '../../resources/users/table.ts'
import { createDatabaseStore } from '../../voice-platform/embedded/store/store.ts'
import { starterBaseConfigs, starterPersonalities, starterPresets, starterTools } from './catalogue-entries.ts'
import { starterIndustriesIn } from './catalogue-industries.ts'

interface FillOptions {
  now: Date
  /** Tools are made on the embedded platform only: what a real one has is for its operators to say. */
  withTools: boolean
  /** In which prompts say what day it is. */
  timeZone: string
}

const kinds = [baseConfigs, industryTemplates, layer2Presets, personalities, promptTemplates, tools]

/** Whether no kind of the catalogue has an entry. */
export async function isCatalogueEmpty(tx: Executor): Promise<boolean> {
  for (const table of kinds) {
    const [entry] = await tx.select({ id: table.id }).from(table).limit(1)
    if (entry) return false
  }
  return true
}

/** Tools are made on the embedded platform with the entries: it keeps its objects in the same database. */
async function fillTools(tx: Transaction, now: Date): Promise<void> {
  const platform = createDatabaseStore(tx)
  const made = { createdAt: now, updatedAt: now }
  for (const entry of starterTools) {
    const [id, ref] = [crypto.randomUUID(), crypto.randomUUID()]
    const row = { ...entry, id, ref, scope: 'global' as const, definition: null, ...made }
    await platform.insert({ id, kind: 'tool', body: toolBody(row), ...made })
    await tx.insert(tools).values(row)
  }
}

async function fill(tx: Transaction, { now, withTools, timeZone }: FillOptions): Promise<void> {
  const made = { createdAt: now, updatedAt: now }
  const [base] = await tx
    .insert(baseConfigs)
    .values(starterBaseConfigs.map((entry) => ({ ...entry, ...made })))
    .returning({ id: baseConfigs.id })
  if (!base) throw new Error('The starter catalogue has no base config')
  const built = { baseConfigId: base.id, ...made }
  await tx.insert(industryTemplates).values(starterIndustriesIn(timeZone).map((entry) => ({ ...entry, ...built })))
  await tx.insert(layer2Presets).values(starterPresets.map((entry) => ({ ...entry, ...made })))
  await tx.insert(personalities).values(starterPersonalities.map((entry) => ({ ...entry, ...made })))
  if (withTools) await fillTools(tx, now)
}

/** Fills a catalogue in which nothing is, with a small useful one (contract: catalogue 11). Returns whether it did. */
export function fillCatalogue(db: Database, options: FillOptions): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await isCatalogueEmpty(tx))) return false
    await fill(tx, options)
    return true
  })
}

/**
 * The same at the first start of an installation only, so before its first admin is made: a catalogue that operators
 * empty later stays empty.
 */
export async function fillFirstCatalogue(db: Database, options: FillOptions): Promise<boolean> {
  const [user] = await db.select({ id: users.id }).from(users).limit(1)
  return user === undefined && (await fillCatalogue(db, options))
}
