import { and, eq, getTableColumns, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { inScope } from '../../../accounts/scope.ts'
import { authorise } from '../../../api/auth/gate.ts'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { pageOfList, sortedBy } from '../../../api/paging/walk.ts'
import { contains } from '../../../db/contains.ts'
import { assistants } from '../../assistants/table.ts'
import { shownTo } from '../../users/shown.ts'
import { users } from '../../users/table.ts'
import { workspaces } from '../../workspaces/table.ts'
import type { ListQuery } from '../schema.ts'
import { phoneNumbers } from '../table.ts'
import { type NumberRowData, retrievedRecord } from './record.ts'

const largestId = 2_147_483_647

/** The configuration's id that an id of a path may be; undefined for one that can be none. */
export const numericIdOf = (id: string): number | undefined =>
  /^[1-9]\d{0,9}$/.test(id) && Number(id) <= largestId ? Number(id) : undefined

/**
 * Numbers that an account has: those that are being given back are gone for it. The word stands in the statement, as an
 * index has only rows with it.
 */
const held = sql`${phoneNumbers.status} = 'owned'`

const select = ({ db }: Pick<AccountContext, 'db'>) =>
  db
    .select({
      ...getTableColumns(phoneNumbers),
      workspaceUuid: workspaces.uuid,
      user: { id: users.id, ...shownTo(users, phoneNumbers) },
      assistant: { id: assistants.id, name: assistants.name, voice_assistant_id: assistants.voiceAssistantId },
    })
    .from(phoneNumbers)
    .innerJoin(workspaces, eq(workspaces.id, phoneNumbers.workspaceId))
    .innerJoin(users, eq(users.id, phoneNumbers.userId))
    .leftJoin(
      assistants,
      and(eq(assistants.id, phoneNumbers.assistantId), eq(assistants.workspaceId, phoneNumbers.workspaceId)),
    )

async function findBy(ctx: AccountContext, which: SQL): Promise<NumberRowData | undefined> {
  const [row] = await select(ctx).where(and(which, held, inScope(ctx.scope, phoneNumbers)))
  return row
}

/**
 * One number of the caller's accounts by the id of a path: the configuration's id, or the number's digits with or
 * without `+`. Digits that are both are the configuration's id.
 * Throws 404 'Phone number configuration not found.', and 403 for a viewer's write.
 */
export async function requireNumber(ctx: AccountContext, id: string): Promise<NumberRowData> {
  const asId = numericIdOf(id)
  const byId = asId === undefined ? undefined : await findBy(ctx, eq(phoneNumbers.id, asId))
  const row = byId ?? (await findBy(ctx, eq(phoneNumbers.phoneNumber, id.startsWith('+') ? id : `+${id}`)))
  if (!row) throw new ApiError('phone_number_not_found')
  authorise(ctx)
  return row
}

const newestFirst = sortedBy('desc', phoneNumbers.id)

/** A page of the caller's numbers, newest first. */
export async function listNumbers(ctx: AccountContext, query: z.output<typeof ListQuery>) {
  const pattern = query.search ? contains(query.search) : undefined
  const filters = and(
    held,
    inScope(ctx.scope, phoneNumbers),
    pattern === undefined ? undefined : or(ilike(phoneNumbers.phoneNumber, pattern), ilike(phoneNumbers.name, pattern)),
  )
  const { rows, pagination } = await pageOfList(ctx, query, {
    read({ after, limit, offset }) {
      // Only the rows of the page are joined, however late it comes.
      const ids = ctx.db
        .select({ id: phoneNumbers.id })
        .from(phoneNumbers)
        .where(and(filters, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset)
      return select(ctx)
        .where(sql`${phoneNumbers.id} in (${ids})`)
        .orderBy(...newestFirst.order)
    },
    keysOf: ({ id }) => [id],
    total: () => ctx.db.$count(phoneNumbers, filters),
  })
  return { data: rows.map((row) => retrievedRecord(ctx, row)), pagination }
}

/** One number (contract: numbers 19). Throws 404. */
export async function getNumber(ctx: AccountContext, input: { id: string }) {
  return retrievedRecord(ctx, await requireNumber(ctx, input.id))
}
