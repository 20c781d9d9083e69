import { and, type Column, desc, eq, gt, gte, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { platformObjects } from './table.ts'

/** What the embedded platform stores; `kind` is the path segment of its resource. */
export interface PlatformObject {
  id: string
  kind: string
  /** The object without its id and times. */
  body: Record<string, unknown>
  createdAt: Date
  updatedAt: Date
}

/** Bounds of one time, as in the query parameters `createdAtGt` and so on. */
export type Bounds = Partial<Record<'gt' | 'ge' | 'lt' | 'le', Date>>

export interface StoreFilter {
  limit: number
  createdAt: Bounds
  updatedAt: Bounds
}

/** Where the embedded platform keeps its state. A missing object is null. */
export interface PlatformStore {
  insert(object: PlatformObject): Promise<void>
  find(kind: string, id: string): Promise<PlatformObject | null>
  /** Whether an object of this kind, other than that of `otherThan`, has this text in a field of its body. */
  isTaken(kind: string, field: string, text: string, otherThan?: string): Promise<boolean>
  /** Newest first. */
  list(kind: string, filter: StoreFilter): Promise<PlatformObject[]>
  /** Replaces the fields in `set` and drops those in `unset`, in one step. */
  patch(
    kind: string,
    id: string,
    change: { set: Record<string, unknown>; unset: string[]; at: Date },
  ): Promise<PlatformObject | null>
  remove(kind: string, id: string): Promise<PlatformObject | null>
  /** Removes the objects that were last changed before a time. */
  removeOlder(kind: string, before: Date): Promise<void>
}

const comparisons = { gt, ge: gte, lt, le: lte }

/** The conditions that keep a time within its bounds. */
export function within(column: Column, bounds: Bounds): SQL[] {
  return (['gt', 'ge', 'lt', 'le'] as const).flatMap((name) => {
    const time = bounds[name]
    return time ? [comparisons[name](column, time)] : []
  })
}

/** The store on the project's own database, so that the embedded platform survives a restart. */
export function createDatabaseStore<Schema extends Record<string, unknown>>(
  db: PostgresJsDatabase<Schema>,
): PlatformStore {
  const table = platformObjects
  const one = (kind: string, id: string) => and(eq(table.kind, kind), eq(table.id, id))
  return {
    async insert(object) {
      await db.insert(table).values(object)
    },
    async find(kind, id) {
      const [found] = await db.select().from(table).where(one(kind, id))
      return found ?? null
    },
    async isTaken(kind, field, text, otherThan) {
      const has = sql`${table.body} @> ${JSON.stringify({ [field]: text })}::text::jsonb`
      const other = otherThan === undefined ? undefined : ne(table.id, otherThan)
      const found = await db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.kind, kind), has, other))
        .limit(1)
      return found.length > 0
    },
    list: (kind, { limit, createdAt, updatedAt }) =>
      db
        .select()
        .from(table)
        .where(and(eq(table.kind, kind), ...within(table.createdAt, createdAt), ...within(table.updatedAt, updatedAt)))
        .orderBy(desc(table.createdAt))
        .limit(limit),
    async patch(kind, id, { set, unset, at }) {
      const names = sql`array(select jsonb_array_elements_text(${JSON.stringify(unset)}::text::jsonb))`
      const body = sql`(${table.body} || ${sql.param(set, table.body)}::jsonb) - ${names}`
      const [changed] = await db.update(table).set({ body, updatedAt: at }).where(one(kind, id)).returning()
      return changed ?? null
    },
    async remove(kind, id) {
      const [removed] = await db.delete(table).where(one(kind, id)).returning()
      return removed ?? null
    },
    async removeOlder(kind, before) {
      await db.delete(table).where(and(eq(table.kind, kind), lt(table.updatedAt, before)))
    },
  }
}
