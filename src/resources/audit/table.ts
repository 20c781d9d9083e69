import { bigint, bigserial, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz, workspaceKey } from '../../db/columns.ts'
import { sealedJson } from '../../secrets/sealed-json.ts'
import type { Change } from '../history/table.ts'
import { users } from '../users/table.ts'

export const auditActions = ['created', 'updated', 'deleted', 'credited', 'drifted'] as const
export type AuditAction = (typeof auditActions)[number]

/** Who changed which account, token, credit or catalogue entry, and when. Rows are only ever added. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Null for what was done on the voice platform itself, by whomever. */
    actorId: integer('actor_id').references(() => users.id),
    tokenId: integer('token_id'),
    action: text('action').$type<AuditAction>().notNull(),
    /** `user`, `token`, `workspace`, `reseller`, the kind of a catalogue entry, or of a resource with a live object. */
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    /** That of what was changed, as it was then; 0 for what belongs to the installation. A trigger looks it up. */
    workspaceId: workspaceKey(),
    changes: sealedJson('changes').$type<Change[]>().notNull(),
    requestId: text('request_id'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    index('audit_entries_actor').on(table.actorId, table.id),
    index('audit_entries_subject').on(table.subjectKind, table.subjectId, table.id),
    index('audit_entries_action').on(table.action, table.id),
    index('audit_entries_kind').on(table.subjectKind, table.id),
    index('audit_entries_created_at').on(table.createdAt),
  ],
)

/** How many entries there are, kept by a trigger: the sum of its rows, each of which a few connections count in. */
export const auditCounts = pgTable('audit_counts', {
  slot: integer('slot').primaryKey(),
  count: bigint('count', { mode: 'number' }).notNull(),
})
