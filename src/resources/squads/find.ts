import { and, eq, getTableColumns, ilike, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { inScope, type Scope } from '../../accounts/scope.ts'
import { hasScope } from '../../accounts/token-scopes.ts'
import { authorise } from '../../api/auth/gate.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { bytesOfText } from '../../api/page-weight.ts'
import { pageOfList, sortedBy, type Window } from '../../api/paging/walk.ts'
import { contains } from '../../db/contains.ts'
import { refOfFormer } from '../../voice-platform/mirror/agreement/bases.ts'
import { assistants } from '../assistants/table.ts'
import { maskedIn } from '../history/mask.ts'
import { shownTo } from '../users/shown.ts'
import { users } from '../users/table.ts'
import type { ListQuery, SquadRecord, StoredMember } from './schema.ts'
import { squads } from './table.ts'

const creators = alias(users, 'creators')

const select = ({ db }: Pick<AccountContext, 'db'>) =>
  db
    .select({
      ...getTableColumns(squads),
      user: { id: users.id, ...shownTo(users, squads) },
      creator: { id: creators.id, ...shownTo(creators, squads) },
      entryName: assistants.name,
    })
    .from(squads)
    .innerJoin(users, eq(users.id, squads.userId))
    .leftJoin(creators, eq(creators.id, squads.createdBy))
    .leftJoin(
      assistants,
      and(
        eq(assistants.assistantId, sql`(${squads.members} -> 0 ->> 'assistantId')::uuid`),
        eq(assistants.workspaceId, squads.workspaceId),
      ),
    )

export type SquadRow = Awaited<ReturnType<typeof select>>[number]

type Reader = Pick<AccountContext, 'account'>

/**
 * Who may publish a squad has to send its overrides again whole; everybody else sees no secrets in them (contract:
 * squads 16).
 */
const maySeeSecrets = ({ account }: Reader) =>
  account.workspaceRole !== 'viewer' && hasScope(account.scopes, 'squads:write')

/** A member as somebody sees it who may not publish it. */
const withoutSecrets = (member: StoredMember): StoredMember => ({
  ...member,
  ...(member.assistantOverrides && { assistantOverrides: maskedIn(member.assistantOverrides) }),
})

/** The squad record (contract: squads 1). */
export function squadRecord(ctx: Reader, row: SquadRow): SquadRecord {
  const { members, membersOverrides } = row
  const isOpen = maySeeSecrets(ctx)
  const createdAt = row.createdAt.toISOString()
  const updatedAt = row.updatedAt.toISOString()
  const entryOverride = row.members[0]?.assistantOverrides?.name
  return {
    name: row.name,
    external_squad_id: row.externalSquadId,
    status: row.status,
    user_id: row.userId,
    created_by: row.createdBy,
    reseller_id: String(row.resellerId),
    workspace_id: row.workspaceId,
    members: isOpen ? members : members.map(withoutSecrets),
    members_overrides: isOpen || !membersOverrides ? membersOverrides : maskedIn(membersOverrides),
    variable_values: row.variableValues,
    metadata: row.metadata,
    created_at: createdAt,
    updated_at: updatedAt,
    user: row.user,
    creator: row.creator,
    memberCount: row.members.length,
    entryAssistantName: typeof entryOverride === 'string' && entryOverride ? entryOverride : (row.entryName ?? ''),
    createdAt,
    updatedAt,
    coreData: { id: row.externalSquadId },
  }
}

/** One squad within a scope, or undefined; an id that it had before the platform lost it goes on finding it. */
export async function findSquad(
  ctx: Pick<AccountContext, 'db'>,
  scope: Scope,
  by: { id: string } | { ref: string },
): Promise<SquadRow | undefined> {
  const which = 'id' in by ? eq(squads.externalSquadId, by.id) : eq(squads.ref, by.ref)
  const [row] = await select(ctx).where(and(which, inScope(scope, squads)))
  if (row || !('id' in by)) return row
  const ref = await refOfFormer(ctx.db, 'squad', by.id)
  return ref === undefined ? undefined : findSquad(ctx, scope, { ref })
}

/** One squad of the caller's accounts. Throws 404 'Squad not found', and 403 for a viewer's write. */
export async function requireSquad(ctx: AccountContext, by: { id: string } | { ref: string }): Promise<SquadRow> {
  const row = await findSquad(ctx, ctx.scope, by)
  if (!row) throw new ApiError('squad_not_found')
  authorise(ctx)
  return row
}

const newestFirst = sortedBy('desc', squads.id)

/** A page of the caller's squads, newest first (contract: squads 11). */
export async function listSquads(ctx: AccountContext, query: z.output<typeof ListQuery>) {
  const filters = and(inScope(ctx.scope, squads), query.search ? ilike(squads.name, contains(query.search)) : undefined)
  const idsOf = ({ after, limit, offset }: Window) =>
    ctx.db
      .select({ id: squads.id })
      .from(squads)
      .where(and(filters, newestFirst.after(after)))
      .orderBy(...newestFirst.order)
      .limit(limit)
      .offset(offset)
  const { rows, pagination } = await pageOfList(ctx, query, {
    async weigh(window) {
      const { members, membersOverrides, variableValues, metadata } = squads
      const bytes = bytesOfText(members, membersOverrides, variableValues, metadata)
      const [weighed] = await ctx.db
        .select({ bytes })
        .from(squads)
        .where(inArray(squads.id, idsOf(window)))
      return weighed?.bytes ?? 0
    },
    // Only the rows of the page are joined, however late it comes.
    read: (window) =>
      select(ctx)
        .where(sql`${squads.id} in (${idsOf(window)})`)
        .orderBy(...newestFirst.order),
    keysOf: ({ id }) => [id],
    total: () => ctx.db.$count(squads, filters),
  })
  return { data: rows.map((row) => squadRecord(ctx, row)), pagination }
}

/** One squad (contract: squads 11). Throws 404. */
export async function getSquad(ctx: AccountContext, input: { id: string }) {
  return squadRecord(ctx, await requireSquad(ctx, input))
}
