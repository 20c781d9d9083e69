import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Scope, withinScope } from '../../../accounts/scope.ts'
import { authorise } from '../../../api/auth/permission.ts'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import type { Database } from '../../../db/client.ts'
import { preparedSelect } from '../../../db/prepared/statement.ts'
import { personalities, promptTemplates } from '../../catalogue/table.ts'
import { users } from '../../users/table.ts'
import { assistants } from '../table.ts'
import type { AssistantRowData } from './record.ts'

/** The columns that a record is made of. */
export const recordColumns = {
  ...getTableColumns(assistants),
  personalityName: personalities.name,
  userName: users.name,
  templateFirstMessage: promptTemplates.firstMessage,
  templateEndCallMessage: promptTemplates.endCallMessage,
}

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

/** One assistant of the caller's accounts. Throws 404 'Assistant not found', and 403 for a viewer's write (contract: assistants 11). */
export async function requireAssistant(ctx: AccountContext, id: string): Promise<AssistantRowData> {
  const row = await findAssistant(ctx.db, ctx.scope, id)
  if (!row) throw new ApiError('assistant_not_found')
  authorise(ctx)
  return row
}
