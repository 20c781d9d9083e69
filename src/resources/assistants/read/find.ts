import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { TypedQueryBuilder } from 'drizzle-orm/query-builders/query-builder'
import { type Scope, withinScope } from '../../../accounts/scope.ts'
import { authorise } from '../../../api/auth/permission.ts'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import type { Database, Executor } from '../../../db/client.ts'
import { preparedSelect } from '../../../db/prepared/statement.ts'
import { personalities, promptTemplates } from '../../catalogue/table.ts'
import { users } from '../../users/table.ts'
import { assistants } from '../table.ts'
import type { AssistantRowData } from './record.ts'

/** What a record shows of other tables. */
const namesOfOthers = {
  personalityName: personalities.name,
  userName: users.name,
  templateFirstMessage: promptTemplates.firstMessage,
  templateEndCallMessage: promptTemplates.endCallMessage,
}

/** The columns that a record is made of. */
export const recordColumns = { ...getTableColumns(assistants), ...namesOfOthers }

const finder = (scope: Scope) =>
  preparedSelect<AssistantRowData>(recordColumns, (executor) =>
    executor
      .select(recordColumns)
      .from(assistants)
      .leftJoin(personalities, eq(personalities.id, assistants.personalityId))
      .leftJoin(users, eq(users.id, assistants.userId))
      .leftJoin(promptTemplates, eq(promptTemplates.id, assistants.templateId))
      .where(and(eq(assistants.assistantId, sql.placeholder('id')), withinScope(scope, assistants))),
  )

const finders = new Map<Scope['kind'], ReturnType<typeof finder>>()

/** One assistant within the scope, by its public id, or undefined. */
export async function findAssistant(db: Database, scope: Scope, id: string): Promise<AssistantRowData | undefined> {
  const find = finders.get(scope.kind) ?? finder(scope)
  finders.set(scope.kind, find)
  const [row] = await find(db, { id, scope: scope.id })
  return row
}

/** An assistant whose number was changed after it was saved. Throws 404 when it is gone. */
export async function requireSaved(db: Database, id: string): Promise<AssistantRowData> {
  const row = await findAssistant(db, { kind: 'all', id: 0 }, id)
  if (!row) throw new ApiError('assistant_not_found')
  return row
}

/** One assistant of the caller's accounts. Throws 404 'Assistant not found', and 403 for a viewer's write (contract: assistants 11). */
export async function requireAssistant(ctx: AccountContext, id: string): Promise<AssistantRowData> {
  const row = await findAssistant(ctx.db, ctx.scope, id)
  if (!row) throw new ApiError('assistant_not_found')
  authorise(ctx)
  return row
}

/** An insert or update that returns whole rows. */
type Saving = TypedQueryBuilder<typeof assistants._.columns, (typeof assistants.$inferSelect)[]>

/**
 * A statement that saves assistants and gives each as `findAssistant` reads it, so that what was just written is not read
 * again.
 */
export function savedRecords(executor: Executor, saving: Saving) {
  const saved = executor.$with('saved').as(saving)
  const names = Object.keys(getTableColumns(assistants)) as (keyof typeof assistants._.columns)[]
  const columns = Object.fromEntries(names.map((name) => [name, saved[name]])) as Pick<
    typeof saved,
    (typeof names)[number]
  >
  return executor
    .with(saved)
    .select({ ...columns, ...namesOfOthers })
    .from(saved)
    .leftJoin(personalities, eq(personalities.id, saved.personalityId))
    .leftJoin(users, eq(users.id, saved.userId))
    .leftJoin(promptTemplates, eq(promptTemplates.id, saved.templateId))
}
