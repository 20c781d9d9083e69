import { and, asc, count, desc, eq, ilike, type SQL, sql } from 'drizzle-orm'
import { type Scope, withinScope } from '../../../accounts/scope.ts'
import { bytesOfText } from '../../../api/page-weight.ts'
import { preparedQuery } from '../../../db/prepared/query.ts'
import { type Columns, preparedSelect } from '../../../db/prepared/statement.ts'
import { personalities, promptTemplates } from '../../catalogue/table.ts'
import { isMember } from '../../users/shown.ts'
import { users } from '../../users/table.ts'
import { workspaces } from '../../workspaces/table.ts'
import { assistantCounts, assistants, countedAssistants } from '../table.ts'
import { type AssistantRowData, recordColumns, type Stamp, stampColumns } from './find.ts'

const sortColumns = { name: assistants.name, created_at: assistants.createdAt, user_id: assistants.userId }

export interface Shape {
  scope: Scope
  sort: keyof typeof sortColumns
  order: 'asc' | 'desc'
  byName: boolean
  byPhone: boolean
  byType: boolean
  /** Whether it goes on after a row. */
  goesOn: boolean
}

/** The column, and then the id: values of the row that a list goes on after. */
const afterRow = ({ sort, order }: Shape): SQL =>
  sql`(${sortColumns[sort]}, ${assistants.id}) ${order === 'desc' ? sql`<` : sql`>`}
    (${sql.placeholder('key')}, ${sql.placeholder('lastId')})`

const filters = ({ scope, byName, byPhone, byType }: Shape): SQL | undefined =>
  and(
    withinScope(scope, assistants),
    byName ? ilike(assistants.name, sql.placeholder('search')) : undefined,
    byPhone ? ilike(assistants.phoneNumber, sql.placeholder('phone')) : undefined,
    byType ? eq(assistants.type, sql.placeholder('type')) : undefined,
  )

const rowsOf = (shape: Shape) => and(filters(shape), shape.goesOn ? afterRow(shape) : undefined)

/** What the order of a list is made of, and which record has what stamp. */
const headColumns = {
  id: assistants.id,
  assistantId: assistants.assistantId,
  name: assistants.name,
  createdAt: assistants.createdAt,
  userId: assistants.userId,
  ...stampColumns,
}

/** What a page has of a row whose record may be written already. */
export type Head = Pick<AssistantRowData, 'id' | 'assistantId' | 'name' | 'createdAt' | 'userId'> & Stamp

/** Reads the rows of a page. */
export type PageQuery<Row> = ReturnType<typeof preparedSelect<Row>>

/** Which rows a page has is told by an index alone: the rows before it are neither read nor joined. */
const pageQuery = <Row>(shape: Shape, columns: Columns): PageQuery<Row> => {
  const direction = shape.order === 'desc' ? desc : asc
  const order = [direction(sortColumns[shape.sort]), direction(assistants.id)]
  return preparedSelect<Row>(
    columns,
    (executor) => {
      const page = executor
        .select({ id: assistants.id })
        .from(assistants)
        .where(rowsOf(shape))
        .orderBy(...order)
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
        .as('page')
      return executor
        .select(columns)
        .from(page)
        .innerJoin(assistants, eq(assistants.id, page.id))
        .leftJoin(personalities, eq(personalities.id, assistants.personalityId))
        .leftJoin(users, isMember(assistants.userId, assistants.workspaceId))
        .leftJoin(promptTemplates, eq(promptTemplates.id, assistants.templateId))
        .orderBy(...order)
    },
    { plannedFor: shape.byName || shape.byPhone || shape.byType ? 'values' : 'all' },
  )
}

/** Without filters the total is read from counters that a trigger keeps: it costs the same at any size. */
const totalQuery = (shape: Shape, key: string) =>
  preparedQuery(`assistants_total_${key}`, (db, name) =>
    shape.byName || shape.byPhone || shape.byType
      ? db.select({ total: count() }).from(assistants).where(filters(shape)).prepare(name)
      : db
          .select({ total: countedAssistants })
          .from(assistantCounts)
          .innerJoin(workspaces, eq(workspaces.id, assistantCounts.workspaceId))
          .where(
            withinScope(shape.scope, { workspaceId: assistantCounts.workspaceId, resellerId: workspaces.resellerId }),
          )
          .prepare(name),
  )

/** How much text the rows of a page hold, in bytes, without fetching them. */
const sizeQuery = (shape: Shape, key: string) =>
  preparedQuery(`assistants_size_${key}`, (db, name) => {
    const direction = shape.order === 'desc' ? desc : asc
    const rows = db
      .select({ config: assistants.config, live: assistants.live, metadata: assistants.metadata })
      .from(assistants)
      .where(rowsOf(shape))
      .orderBy(direction(sortColumns[shape.sort]), direction(assistants.id))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .as('page')
    return db
      .select({ bytes: bytesOfText(rows.config, rows.live, rows.metadata) })
      .from(rows)
      .prepare(name)
  })

export interface ListQueries {
  /** Whole rows. */
  page: PageQuery<AssistantRowData>
  /** What tells whether the rows have changed. */
  heads: PageQuery<Head>
  size: ReturnType<typeof sizeQuery>
  total: ReturnType<typeof totalQuery>
}

const queries = new Map<string, ListQueries>()

/** The prepared statements for lists of this shape: built at the first list, then kept. */
export function queriesOf(shape: Shape): ListQueries {
  const { scope, sort, order, byName, byPhone, byType, goesOn } = shape
  const key = [
    scope.kind,
    sort,
    order,
    byName ? 'n' : '',
    byPhone ? 'p' : '',
    byType ? 't' : '',
    goesOn ? 'g' : '',
  ].join('_')
  const known = queries.get(key) ?? {
    page: pageQuery<AssistantRowData>(shape, recordColumns),
    heads: pageQuery<Head>(shape, headColumns),
    size: sizeQuery(shape, key),
    total: totalQuery(shape, key),
  }
  queries.set(key, known)
  return known
}
