import { randomUUID } from 'node:crypto'
import { and, asc, eq, getTableColumns, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, type PgTable, QueryBuilder } from 'drizzle-orm/pg-core'
import type { Database, Executor } from '../client.ts'
import { dueNow, inMs, longerPause } from '../schedule.ts'

/**
 * Rows of a table that are work to be done: each is due at a time, and whoever claims it moves that time into the
 * future, so that a row whose worker died is due again by itself. All times are the database's clock, so that instances
 * need no common one.
 */
export interface WorkTable<Table extends PgTable> {
  table: Table
  id: PgColumn
  dueAt: PgColumn
  /** Who is at work. A claim that was taken over meanwhile is known by it. */
  owner: PgColumn
  attempts: PgColumn
  lastError?: PgColumn
  /** Rows that were given up. */
  dead?: SQL
  /** Which rows are still to be done. */
  open?: SQL
  /** How long a claim outlives a crash of its worker, who keeps it meanwhile by `keeping`. */
  leaseMs: number
  /** What `owner` says when nobody is at work; null unless given. */
  nobody?: string
  /** Further columns that a claim sets. */
  onClaim?: Record<string, SQL>
  /** Chooses among due rows instead of "the one that waits longest": ids, at most `limit`, which need not be locked. */
  choose?: (limit: number) => SQL
}

/** A row that is claimed. */
export type Claimed<Table extends PgTable> = Table['$inferSelect']

/** How much of a kind of work there is. */
export interface WorkCounts {
  /** Due now, and nobody is at work on it. */
  due: number
  /** Later, such as after a pause. */
  waiting: number
  /** Held by an instance. */
  claimed: number
  /** Open, and failed before. */
  failing: number
  /** Given up. */
  dead: number
  /** Why the newest failure failed, where that is kept. */
  lastError: string | null
}

/** The work was taken over by another, or is gone: nothing of it may be saved. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError'
}

type Key = string | number

const maxReason = 500
/** How often a claim is renewed within its lease. */
const renewals = 3

/** The statements on rows of work: claim, renew, settle, back off. */
export function workOn<Table extends PgTable>(work: WorkTable<Table>) {
  const {
    table,
    id,
    dueAt,
    owner,
    attempts,
    lastError,
    open,
    dead,
    choose,
    nobody = null,
    onClaim = {},
    leaseMs,
  } = work
  const columns = getTableColumns(table)
  const nameOf = (column: PgColumn) => {
    const found = Object.entries(columns).find(([, candidate]) => candidate.name === column.name)
    if (!found) throw new Error(`${column.name} is no column of its table`)
    return found[0]
  }
  const names = { dueAt: nameOf(dueAt), owner: nameOf(owner), attempts: nameOf(attempts), id: nameOf(id) }
  const lease = inMs(leaseMs)
  const keyOf = (row: Claimed<Table>): Key => row[names.id as keyof typeof row] as Key
  const held = (row: Claimed<Table>) => and(eq(id, keyOf(row)), eq(owner, row[names.owner as keyof typeof row]))
  type Values = Parameters<ReturnType<Database['update']>['set']>[0]

  /** Changes a claimed row. Throws ClaimLostError when it is another's by now. */
  const change = async (executor: Executor, row: Claimed<Table>, values: Record<string, unknown>): Promise<void> => {
    const changed = await executor
      .update(table)
      .set(values as Values)
      .where(held(row))
      .returning({ id })
    if (changed.length === 0) throw new ClaimLostError('The claim was lost')
  }

  const renew = (db: Database, row: Claimed<Table>): Promise<boolean> =>
    change(db, row, { [names.dueAt]: lease }).then(
      () => true,
      (error) => {
        if (error instanceof ClaimLostError) return false
        throw error
      },
    )

  return {
    keyOf,

    /** Claims at most `limit` rows that are due; with `only`, those of them that it names. */
    async claim(db: Database, limit: number, only?: SQL): Promise<Claimed<Table>[]> {
      const due = new QueryBuilder()
        .select({ id })
        .from(table as PgTable)
        .where(and(lte(dueAt, sql`now()`), open, only))
        .orderBy(asc(dueAt))
        .limit(limit)
        .for('update', { skipLocked: true })
      const rows = await db
        .update(table)
        .set({ ...onClaim, [names.owner]: randomUUID(), [names.dueAt]: lease } as Values)
        .where(choose && !only ? and(sql`${id} in (${choose(limit)})`, lte(dueAt, sql`now()`), open) : inArray(id, due))
        .returning()
      return rows as Claimed<Table>[]
    },

    /** Keeps a claim for another lease. Returns whether it was still ours. */
    renew,

    /** Runs `work` and keeps the claim meanwhile. One that is lost all the same is noticed when the row is settled. */
    async keeping<Result>(db: Database, row: Claimed<Table>, work: () => Promise<Result>): Promise<Result> {
      // A database that is out of reach is asked again at the next tick.
      const renewal = setInterval(() => void renew(db, row).catch(() => {}), leaseMs / renewals)
      try {
        return await work()
      } finally {
        clearInterval(renewal)
      }
    },

    /** Saves what became of the work and ends the claim, in the caller's transaction. Throws ClaimLostError. */
    settle: (executor: Executor, row: Claimed<Table>, values: Record<string, unknown>) =>
      change(executor, row, { [names.owner]: nobody, ...values }),

    /** Leaves the row to whoever looks next; the attempt does not count. */
    release: (executor: Executor, row: Claimed<Table>) =>
      change(executor, row, { [names.owner]: nobody, [names.dueAt]: dueNow }),

    /** Leaves the row until later: the pause grows with each failed attempt. `reason` is kept for operators. */
    backOff: (executor: Executor, row: Claimed<Table>, reason: string, pauseMs?: number) => {
      const failures = Number(row[names.attempts as keyof typeof row])
      return change(executor, row, {
        [names.owner]: nobody,
        [names.attempts]: failures + 1,
        [names.dueAt]: inMs(pauseMs ?? longerPause(failures)),
        ...(lastError && { [nameOf(lastError)]: reason.slice(0, maxReason) }),
      })
    },

    /** When the next open row is due; null when there is none. */
    nextDue: sql<Date | null>`(select min(${dueAt}) from ${table}${open ? sql` where ${open}` : sql``})`,

    /** How much there is, for operators. */
    async counts(db: Database): Promise<WorkCounts> {
      const isLater = sql`${dueAt} > now()`
      const isFree = sql`${owner} is not distinct from ${nobody}`
      const count = (...which: (SQL | undefined)[]) =>
        sql<number>`(count(*) filter (where ${and(open ?? sql`true`, ...which)}))::int`
      const [row] = await db
        .select({
          due: count(lte(dueAt, sql`now()`)),
          waiting: count(isLater, isFree),
          claimed: count(isLater, sql`not (${isFree})`),
          failing: count(sql`${attempts} > 0`),
          dead: sql<number>`(count(*) filter (where ${dead ?? sql`false`}))::int`,
          lastError: lastError
            ? sql<
                string | null
              >`(array_agg(${lastError} order by ${dueAt} desc) filter (where ${lastError} is not null))[1]`
            : sql<null>`null`,
        })
        .from(table as PgTable)
        .where(open && or(open, dead))
      return row ?? { due: 0, waiting: 0, claimed: 0, failing: 0, dead: 0, lastError: null }
    },

    /** Ends every claim: for a start at which no other process can be at work. */
    async releaseAll(db: Database): Promise<void> {
      await db
        .update(table)
        .set({ [names.owner]: nobody, [names.dueAt]: dueNow } as Values)
        .where(and(open, sql`${owner} is distinct from ${nobody}`))
    },
  }
}

export type Work<Table extends PgTable> = ReturnType<typeof workOn<Table>>
