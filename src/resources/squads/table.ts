import { foreignKey, index, integer, pgTable, primaryKey, serial, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamps, workspaceKey } from '../../db/columns.ts'
import type { Json } from '../../json/object.ts'
import { sealedJson } from '../../secrets/sealed-json.ts'
import type { LiveSquadBody } from '../../voice-platform/mapping/squad.ts'
import { assistants } from '../assistants/table.ts'
import { resellers } from '../resellers/table.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'
import type { StoredMember } from './schema.ts'

const squadStatuses = ['draft', 'published'] as const
export type SquadStatus = (typeof squadStatuses)[number]

/** Squads: drafts are local, published ones have a remote object on the voice platform. */
export const squads = pgTable(
  'squads',
  {
    id: serial('id').primaryKey(),
    /**
     * Stays the same when a draft is published; the remote object carries it in
     * `membersOverrides.metadata.external_ref`.
     */
    ref: uuid('ref').notNull().unique(),
    /** The id in paths: `draft_<slug>`, or the live id once published. */
    externalSquadId: text('external_squad_id').notNull().unique(),
    status: text('status').$type<SquadStatus>().notNull(),
    name: text('name').notNull(),
    members: sealedJson('members').$type<StoredMember[]>().notNull(),
    membersOverrides: sealedJson('members_overrides').$type<Json>(),
    variableValues: sealedJson('variable_values').$type<Json>(),
    metadata: sealedJson('metadata').$type<Json>(),
    /** What the remote object was last told: the whole body; null for drafts. */
    live: sealedJson('live').$type<LiveSquadBody>(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    createdBy: integer('created_by').notNull(),
    resellerId: integer('reseller_id')
      .notNull()
      .references(() => resellers.id),
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('squads_workspace').on(table.workspaceId, table.id),
    index('squads_reseller_id').on(table.resellerId, table.id),
    index('squads_user_id').on(table.userId),
  ],
)

/** Which assistants a squad names, so that none of them can be deleted. */
export const squadAssistants = pgTable(
  'squad_assistants',
  {
    squadId: integer('squad_id').notNull(),
    /** Its squad's. */
    workspaceId: workspaceKey(),
    assistantId: integer('assistant_id')
      .notNull()
      .references(() => assistants.id),
  },
  (table) => [
    primaryKey({ columns: [table.squadId, table.assistantId] }),
    foreignKey({
      name: 'squad_assistants_squad',
      columns: [table.squadId, table.workspaceId],
      foreignColumns: [squads.id, squads.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('squad_assistants_assistant_id').on(table.assistantId),
  ],
)
