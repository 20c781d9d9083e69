import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Feature, Role, UserStatus, WorkspaceRole } from '../../accounts/account.ts'
import { timestamps, timestamptz } from '../../db/columns.ts'
import { resellers } from '../resellers/table.ts'
import { workspaces } from '../workspaces/table.ts'

/** A user belongs to one workspace and acts through tokens (contract: accounts 3). */
export const users = pgTable(
  'users',
  {
    id: serial('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    role: text('role').$type<Role>().notNull().default('user'),
    status: text('status').$type<UserStatus>().notNull().default('active'),
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    workspaceRole: text('workspace_role').$type<WorkspaceRole>().notNull(),
    resellerId: integer('reseller_id')
      .notNull()
      .references(() => resellers.id),
    features: text('features').array().$type<Feature[]>().notNull(),
    /** How many assistants the user may own; null is unlimited. */
    assistantQuota: integer('assistant_quota'),
    emailVerifiedAt: timestamptz('email_verified_at'),
    phone: text('phone'),
    company: text('company'),
    bio: text('bio'),
    /** Storage key of the picture; the public URL is made from it. */
    profilePicture: text('profile_picture'),
    identityId: text('identity_id'),
    socialId: text('social_id'),
    deletedAt: timestamptz('deleted_at'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    uniqueIndex('users_workspace').on(table.workspaceId, table.id),
    index('users_reseller_id').on(table.resellerId, table.id),
  ],
)
