import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { users } from '../../resources/users/table.ts'
import { isCatalogueEmpty } from './catalogue.ts'

async function found(db: Database): Promise<string[]> {
  const [operator] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), eq(users.status, 'active')))
    .limit(1)
  const hints: string[] = []
  if (!operator) hints.push('Nobody can sign in yet: start with ADMIN_API_KEY, a secret of at least 32 characters.')
  if (await isCatalogueEmpty(db)) hints.push('The catalogue is empty: bun run migrate --catalogue fills it.')
  return hints
}

/**
 * What an operator should know of a database server that a newcomer has not filled yet, a sentence each. A server whose
 * database is lost just then goes on without.
 */
export const hintsFor = (db: Database): Promise<string[]> =>
  found(db).catch((error: unknown) => {
    if (isUnreachable(error)) return []
    throw error
  })
