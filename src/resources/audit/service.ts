import { and, count, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { pageOfList, rowsOf, sortedBy } from '../../api/paging/walk.ts'
import { users } from '../users/table.ts'
import type { AuditQuery } from './schema.ts'
import { auditCounts, auditEntries } from './table.ts'

/** Who is told to have done what was done on the voice platform itself. */
const thePlatform = { id: 0, name: 'Voice platform', email: '' }

const dayMs = 24 * 60 * 60 * 1000

/** Up to a time, or to the end of a date. */
function until(to: string) {
  const time = new Date(to)
  return to.length === 10
    ? lt(auditEntries.createdAt, new Date(time.getTime() + dayMs))
    : lte(auditEntries.createdAt, time)
}

const conditions = (query: z.output<typeof AuditQuery>) =>
  and(
    query.actor_id === undefined ? undefined : eq(auditEntries.actorId, query.actor_id),
    query.subject_kind === undefined ? undefined : eq(auditEntries.subjectKind, query.subject_kind),
    query.subject_id === undefined ? undefined : eq(auditEntries.subjectId, query.subject_id),
    query.action === undefined ? undefined : eq(auditEntries.action, query.action),
    query.from === undefined ? undefined : gte(auditEntries.createdAt, new Date(query.from)),
    query.to === undefined ? undefined : until(query.to),
  )

const newestFirst = sortedBy('desc', auditEntries.id)

/** All entries are not counted each time: their number is kept. */
async function totalOf({ db }: AccountContext, where: SQL | undefined): Promise<number> {
  const kept = sql<number>`coalesce(sum(${auditCounts.count}), 0)::int`
  const [row] = where
    ? await db.select({ total: count() }).from(auditEntries).where(where)
    : await db.select({ total: kept }).from(auditCounts)
  return row?.total ?? 0
}

/** The audit trail for operators, newest first, or what the filters leave of it. */
export async function listAudit(ctx: AccountContext, query: z.output<typeof AuditQuery>) {
  const where = conditions(query)
  const list = { table: auditEntries, key: auditEntries.id, where, sorted: newestFirst }
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: (window) =>
      ctx.db
        .select()
        .from(auditEntries)
        .where(rowsOf(list, window))
        .orderBy(...newestFirst.order)
        .limit(window.limit),
    keysOf: ({ id }) => [id],
    total: () => totalOf(ctx, where),
  })
  const actors = await actorsOf(ctx, rows)
  const data = rows.map((row) => ({
    id: row.id,
    actor: row.actorId === null ? thePlatform : (actors.get(row.actorId) ?? { id: row.actorId, name: '', email: '' }),
    token_id: row.tokenId ?? 0,
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId },
    changes: row.changes,
    request_id: row.requestId ?? '',
    created_at: row.createdAt.toISOString(),
  }))
  return { data, pagination }
}

async function actorsOf(ctx: AccountContext, rows: { actorId: number | null }[]) {
  const ids = [...new Set(rows.map(({ actorId }) => actorId).filter((id) => id !== null))]
  if (ids.length === 0) return new Map<number, { id: number; name: string; email: string }>()
  const found = await ctx.db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map(found.map((user) => [user.id, user]))
}
