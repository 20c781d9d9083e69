import { and, eq, getTableColumns, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Feature } from '../../accounts/account.ts'
import { inScope } from '../../accounts/scope.ts'
import { mayRead } from '../../accounts/token-scopes.ts'
import { authorise } from '../../api/auth/gate.ts'
import type { AccountContext } from '../../api/context.ts'
import { bytesOfText } from '../../api/page-weight.ts'
import { pageOfList, sortedBy } from '../../api/paging/walk.ts'
import { uuidPattern } from '../../runtime/uuid.ts'
import { type DriftLeaf, leavesContext } from '../../voice-platform/drift/findings.ts'
import type { ScanProgress } from '../../voice-platform/drift/scan.ts'
import { drifts } from '../../voice-platform/drift/table.ts'
import { liveBases } from '../../voice-platform/mirror/agreement/table.ts'
import { assistants } from '../assistants/table.ts'
import { shownAt } from '../audit/record-drift.ts'
import { tools } from '../catalogue/table.ts'
import { toolRef } from '../catalogue/tool-remote.ts'
import { withoutSelectionsAt } from '../history/selections.ts'
import { numericIdOf } from '../phone-numbers/read/find.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'
import { users } from '../users/table.ts'
import { type Drift, type DriftQuery, driftKinds } from './schema.ts'

const featureOf: Record<(typeof driftKinds)[number], Feature> = {
  assistant: 'assistants',
  squad: 'squads',
  phone_number: 'phone_numbers',
  tool: 'assistants',
}

const entry = alias(drifts, 'entry')

/**
 * Whether an entry tells of a live object that a number's record has, or had until the platform lost it: the same
 * number may have had another owner before, with another live object (contract: drift 7).
 */
const isOfNumber = sql`${phoneNumbers.phoneNumber} = ${entry.ref} and ${phoneNumbers.status} = 'owned'
  and (${phoneNumbers.voicePhoneNumberId}::text = ${entry.liveId} or exists (select 1 from ${liveBases}
    where ${liveBases.kind} = 'phone_number' and ${liveBases.ref} = ${entry.ref}
      and ${entry.liveId} = any(${liveBases.formerIds})))`

/** The ids of the entries of each kind within the scope, found by its resources: those of others cost nothing. */
function idsByKind({ db, scope }: AccountContext) {
  const ids = db.select({ id: entry.id })
  const of = (kind: (typeof driftKinds)[number], mine: SQL) => and(eq(entry.kind, kind), mine)
  return {
    assistant: () =>
      ids
        .from(assistants)
        .innerJoin(entry, of('assistant', sql`${entry.ref} = ${assistants.assistantId}::text`))
        .where(inScope(scope, assistants)),
    squad: () =>
      ids
        .from(squads)
        .innerJoin(entry, of('squad', sql`${entry.ref} = ${squads.ref}::text`))
        .where(inScope(scope, squads)),
    phone_number: () =>
      ids.from(phoneNumbers).innerJoin(entry, of('phone_number', isOfNumber)).where(inScope(scope, phoneNumbers)),
    tool: () =>
      ids
        .from(tools)
        .innerJoin(users, eq(users.id, tools.ownerId))
        .innerJoin(entry, of('tool', sql`${entry.ref} = ${toolRef}`))
        .where(inScope(scope, users)),
  }
}

/**
 * The resources of the kinds that the caller may read, within the scope; all of them for an operator
 * (contract: drift 4).
 */
function visible(ctx: AccountContext): SQL {
  const kinds = driftKinds.filter((kind) => mayRead(ctx.account, featureOf[kind]))
  if (kinds.length === 0) return sql`false`
  if (ctx.scope.kind === 'all') return inArray(drifts.kind, kinds)
  const byKind = idsByKind(ctx)
  const ids = kinds.map((kind) => sql`${byKind[kind]()}`)
  return sql`${drifts.id} in (${sql.join(ids, sql` union all `)})`
}

const select = (ctx: AccountContext) =>
  ctx.db
    .select({ ...getTableColumns(drifts), squadId: squads.externalSquadId })
    .from(drifts)
    // The key is compared as it is indexed.
    .leftJoin(squads, eq(squads.ref, sql`case when ${drifts.kind} = 'squad' then ${drifts.ref}::uuid end`))

type Row = Awaited<ReturnType<typeof select>>[number]

/** The id in the resource's path. */
function resourceOf({ kind, squadId, liveId }: Row, ref: string): string {
  if (kind === 'tool') return liveId
  return kind === 'squad' ? (squadId ?? liveId) : ref
}

/** A side as the caller sees it: which engines are selected is for operators (contract: drift 25). */
function sideFor(ctx: AccountContext, kind: string, path: string, value: unknown): unknown {
  const isShown = ctx.scope.kind === 'all' || kind === 'tool'
  return isShown ? value : withoutSelectionsAt(path, value)
}

function driftRecord(row: Row, ctx: AccountContext): z.input<typeof Drift> {
  const kept = JSON.parse(ctx.vault.open(row.leaves, leavesContext)) as DriftLeaf[]
  const leaves = kept.flatMap((leaf): DriftLeaf[] => {
    const { path } = leaf
    const sides = (['base', 'ours', 'theirs'] as const).filter((name) => leaf[name] !== undefined)
    const shown = sides.flatMap((name) => {
      const value = sideFor(ctx, row.kind, path, leaf[name])
      return value === undefined ? [] : [[name, shownAt(path, value)] as const]
    })
    return sides.length > 0 && shown.length === 0 ? [] : [{ path, ...Object.fromEntries(shown) }]
  })
  return {
    id: row.id,
    kind: row.kind as (typeof driftKinds)[number],
    difference: row.difference,
    resource: row.ref === null ? null : resourceOf(row, row.ref),
    name: row.name,
    voice_id: row.liveId,
    leaves,
    state: row.state,
    resolution: row.resolution,
    found_at: row.foundAt.toISOString(),
    changed_at: row.changedAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
  }
}

/** What is of a resource by its id in paths, or by one that it has or had on the live platform. */
function ofResource({ db }: AccountContext, id: string): SQL | undefined {
  const number = id.startsWith('+') ? id : `+${id}`
  const named = (kind: (typeof driftKinds)[number], refs: SQLWrapper) =>
    and(eq(drifts.kind, kind), sql`${drifts.ref} in ${refs}`)
  const asNumber = (numericId: number) =>
    named(
      'phone_number',
      db.select({ ref: phoneNumbers.phoneNumber }).from(phoneNumbers).where(eq(phoneNumbers.id, numericId)),
    )
  const asLive = (uuid: string) => {
    const assistant = sql<string>`${assistants.assistantId}::text`
    return [
      named('assistant', db.select({ assistant }).from(assistants).where(eq(assistants.voiceAssistantId, uuid))),
      named('tool', db.select({ ref: toolRef }).from(tools).where(eq(tools.id, uuid))),
    ]
  }
  const squad = sql<string>`${squads.ref}::text`
  const numericId = numericIdOf(id)
  return or(
    eq(drifts.ref, id),
    eq(drifts.ref, number),
    eq(drifts.liveId, id),
    named('squad', db.select({ squad }).from(squads).where(eq(squads.externalSquadId, id))),
    ...(numericId === undefined ? [] : [asNumber(numericId)]),
    ...(uuidPattern.test(id) ? asLive(id) : []),
  )
}

const newestFirst = sortedBy('desc', drifts.id)

/** The differences that sweeps found at the caller's resources, newest first (contract: drift 4). */
export async function listDrift(ctx: AccountContext, query: z.output<typeof DriftQuery>) {
  const where = and(
    visible(ctx),
    eq(drifts.state, query.state),
    query.kind && eq(drifts.kind, query.kind),
    query.difference && eq(drifts.difference, query.difference),
    query.resource === undefined ? undefined : ofResource(ctx, query.resource),
  )
  const { rows, pagination } = await pageOfList(ctx, query, {
    async weigh({ after, limit, offset }) {
      const page = ctx.db
        .select({ leaves: drifts.leaves })
        .from(drifts)
        .where(and(where, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset)
        .as('page')
      const [weighed] = await ctx.db.select({ bytes: bytesOfText(page.leaves) }).from(page)
      return weighed?.bytes ?? 0
    },
    read: ({ after, limit, offset }) =>
      select(ctx)
        .where(and(where, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: ({ id }) => [id],
    total: () => ctx.db.$count(drifts, where),
  })
  return { data: rows.map((row) => driftRecord(row, ctx)), pagination }
}

function scanRecord({ running, requested, startedAt, finishedAt, checked, lastError }: ScanProgress) {
  const waiting = requested ? ('waiting' as const) : startedAt === null ? ('never' as const) : ('finished' as const)
  return {
    state: running ? ('running' as const) : waiting,
    checked,
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    error: lastError === null ? null : 'The last attempt did not end; it is made again.',
  }
}

/** Has all live objects looked at now; a sweep that waits already is the same (contract: drift 5). Throws 403. */
export async function requestScan(ctx: AccountContext) {
  authorise(ctx)
  return scanRecord(await ctx.drift.request())
}

/** How far the sweep is (contract: drift 5). */
export const scanProgress = async (ctx: AccountContext) => scanRecord(await ctx.drift.progress())
