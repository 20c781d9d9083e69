import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type Scope, withinScope } from '../../../accounts/scope.ts'
import type { AccountContext } from '../../../api/context.ts'
import type { Database } from '../../../db/client.ts'
import { preparedQuery } from '../../../db/prepared/query.ts'
import { type Columns, preparedSelect } from '../../../db/prepared/statement.ts'
import { batched } from '../../../runtime/batched.ts'
import { personalities, promptTemplates } from '../../catalogue/table.ts'
import { isMember } from '../../users/shown.ts'
import { users } from '../../users/table.ts'
import { assistants } from '../table.ts'

/** A stored assistant with what its record shows of other tables. */
export type AssistantRowData = typeof assistants.$inferSelect & {
  personalityName?: string | null
  userName?: string | null
  templateFirstMessage?: string | null
  templateEndCallMessage?: string | null
}

/** What a record shows of other tables. */
export const namesOfOthers = {
  personalityName: personalities.name,
  userName: users.name,
  templateFirstMessage: promptTemplates.firstMessage,
  templateEndCallMessage: promptTemplates.endCallMessage,
}

/**
 * What tells this version of a row from every other: the transaction that wrote it, where it lies, and its own time,
 * for a server that lost its last transactions and counts them again.
 */
const version = sql<string>`concat_ws(' ', ${assistants}.xmin, ${assistants}.ctid, extract(epoch from ${assistants.updatedAt}))`

/** What a record is known by from one read to the next: where these are the same, so is the record. */
export const stampColumns = { version, ...namesOfOthers }

/** What `stampColumns` give. */
export type Stamp = { version: string } & Pick<AssistantRowData, keyof typeof namesOfOthers>

/** The columns that a record is made of. */
export const recordColumns = { ...getTableColumns(assistants), ...namesOfOthers }

type StampOf = Stamp & Pick<AssistantRowData, 'assistantId'>

const stampedColumns = { ...recordColumns, version }

/** A row as it was read, with its stamp. */
export type StampedRow = AssistantRowData & Stamp

const finder = <Row>(columns: Columns, which: SQL | undefined) =>
  preparedSelect<Row>(columns, (executor) =>
    executor
      .select(columns)
      .from(assistants)
      .leftJoin(personalities, eq(personalities.id, assistants.personalityId))
      .leftJoin(users, isMember(assistants.userId, assistants.workspaceId))
      .leftJoin(promptTemplates, eq(promptTemplates.id, assistants.templateId))
      .where(which),
  )

function findersOf(scope: Scope) {
  const within = withinScope(scope, assistants)
  const isOne = and(eq(assistants.assistantId, sql.placeholder('id')), within)
  return {
    row: finder<StampedRow>(stampedColumns, isOne),
    stamp: finder<Stamp>(stampColumns, isOne),
    stamps: finder<StampOf>(
      { assistantId: assistants.assistantId, ...stampColumns },
      and(sql`${assistants.assistantId} = any(${sql.placeholder('ids')}::uuid[])`, within),
    ),
    rows: finder<StampedRow>(
      stampedColumns,
      and(sql`${assistants.id} = any(${sql.placeholder('ids')}::int[])`, within),
    ),
  }
}

const finders = new Map<Scope['kind'], ReturnType<typeof findersOf>>()

function findersFor(scope: Scope) {
  const known = finders.get(scope.kind) ?? findersOf(scope)
  finders.set(scope.kind, known)
  return known
}

/** One assistant within the scope, by its public id, or undefined. */
export async function findAssistant(db: Database, scope: Scope, id: string): Promise<StampedRow | undefined> {
  const [row] = await findersFor(scope).row(db, { id, scope: scope.id })
  return row
}

const stamps = preparedQuery('assistants_stamps', (db) =>
  batched(
    ({ kind, id }: Scope) => `${kind}:${id}`,
    async (scope, ids: readonly string[]): Promise<ReadonlyMap<string, Stamp>> => {
      const found = await findersFor(scope).stamps(db, { ids, scope: scope.id })
      return new Map(found.map((stamp) => [stamp.assistantId, stamp]))
    },
  ),
)

/** The stamp of one assistant, likewise; those that the calls of one request ask for come with one statement. */
export async function findStamp({ db, scope, batch }: AccountContext, id: string): Promise<Stamp | undefined> {
  if (batch) return stamps(db)(scope, id)
  const [stamp] = await findersFor(scope).stamp(db, { id, scope: scope.id })
  return stamp
}

/** Those of these assistants that are within the scope, in no order. */
export const findRows = (db: Database, scope: Scope, ids: readonly number[]): Promise<StampedRow[]> =>
  findersFor(scope).rows(db, { ids, scope: scope.id })
