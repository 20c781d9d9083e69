import { foreignKey, index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { timestamptz, workspaceKey } from '../../db/columns.ts'
import { sealedJson } from '../../secrets/sealed-json.ts'
import { assistants } from '../assistants/table.ts'

export const versionActions = ['created', 'updated', 'restored'] as const
export type VersionAction = (typeof versionActions)[number]

export const versionSources = [
  'regular',
  'advanced',
  'v2',
  'embed',
  'phone_number',
  'restore',
  'platform',
  'reconcile',
  'import',
] as const
export type VersionSource = (typeof versionSources)[number]

/** One difference between two configurations; `from` or `to` is absent where the path did not exist. */
export interface Change {
  path: string
  /** The keys of the path, where one of them has a dot. */
  keys?: string[]
  from?: unknown
  to?: unknown
  /** The lines of long texts that differ, marked `-` and `+`. */
  diff?: string[]
  /** What ids lead to, as it was called then. */
  from_name?: string | string[]
  to_name?: string | string[]
}

/** An assistant's configuration history (contract: versions 1). */
export const assistantVersions = pgTable(
  'assistant_versions',
  {
    id: serial('id').primaryKey(),
    assistantId: integer('assistant_id').notNull(),
    /** Its assistant's. */
    workspaceId: workspaceKey(),
    action: text('action').$type<VersionAction>().notNull(),
    source: text('source').$type<VersionSource>().notNull(),
    actorId: integer('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    changes: sealedJson('changes').$type<Change[]>().notNull(),
    summary: text('summary').notNull(),
    /** The whole configuration as saved, with its rendered live body; null where nothing can be restored. */
    configuration: sealedJson('configuration').$type<Record<string, unknown>>(),
    restoredFrom: integer('restored_from'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'assistant_versions_assistant',
      columns: [table.assistantId, table.workspaceId],
      foreignColumns: [assistants.id, assistants.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('assistant_versions_assistant_id').on(table.assistantId, table.id),
    index('assistant_versions_created_at').on(table.createdAt),
  ],
)
