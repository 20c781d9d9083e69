import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { users } from '../../resources/users/table.ts'
import { isCatalogueEmpty } from './catalogue.ts'

/** What an operator should know of a database server that a newcomer has not filled yet, a sentence each. */
export async function hintsFor(db: Database): Promise<string[]> {
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
