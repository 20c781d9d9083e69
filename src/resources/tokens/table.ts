import { foreignKey, index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { TokenScope } from '../../accounts/account.ts'
import { timestamptz, workspaceKey } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** Bearer tokens; only a SHA-256 hash is stored, with the first characters for recognition. */
export const tokens = pgTable(
  'tokens',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id').notNull(),
    /** Its user's. */
    workspaceId: workspaceKey(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique(),
    /** Null: whatever the user may. */
    scopes: text('scopes').array().$type<TokenScope[]>(),
    expiresAt: timestamptz('expires_at'),
    revokedAt: timestamptz('revoked_at'),
    lastUsedAt: timestamptz('last_used_at'),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [
    foreignKey({
      name: 'tokens_user',
      columns: [table.userId, table.workspaceId],
      foreignColumns: [users.id, users.workspaceId],
    }).onUpdate('cascade'),
    uniqueIndex('tokens_workspace').on(table.workspaceId, table.id),
    index('tokens_user_id').on(table.userId, table.id),
  ],
)
