import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { timestamptz, workspaceKey } from '../../db/columns.ts'
import { agents } from '../agents/table.ts'

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** How far a file's passages have vectors: nothing to do, waiting or under way, all of them. */
const indexStates = ['none', 'pending', 'done'] as const

/** An agent's knowledge files. */
export const knowledgeFiles = pgTable(
  'knowledge_files',
  {
    id: serial('id').primaryKey(),
    agentId: integer('agent_id').notNull(),
    /** Its agent's. */
    workspaceId: workspaceKey(),
    originalName: text('original_name').notNull(),
    mime: text('mime').notNull(),
    /** Bytes. */
    size: integer('size').notNull(),
    storageKey: text('storage_key').notNull().unique(),
    /** The keyed request that made it, which finds it again when it is sent once more. */
    requestId: uuid('request_id').unique(),
    /** Whether files of this kind are read at all. */
    extractable: boolean('extractable').notNull(),
    /** Whether there was text in it. */
    extracted: boolean('extracted').notNull(),
    indexState: text('index_state').$type<(typeof indexStates)[number]>().notNull(),
    /** What made its vectors: the embedder and the way of splitting. */
    embedderId: text('embedder_id'),
    /** The way of splitting that made its passages. */
    passagesVersion: integer('passages_version').notNull().default(1),
    attempts: integer('attempts').notNull().default(0),
    /** Who indexes it right now; null when nobody does. */
    owner: uuid('owner'),
    /** Indexing is tried again from then on. */
    dueAt: timestamptz('due_at').notNull().defaultNow(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'knowledge_files_agent',
      columns: [table.agentId, table.workspaceId],
      foreignColumns: [agents.id, agents.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    uniqueIndex('knowledge_files_workspace').on(table.workspaceId, table.id),
    index('knowledge_files_agent_id').on(table.agentId, table.id),
    index('knowledge_files_pending').on(table.dueAt).where(sql`index_state = 'pending'`),
  ],
)

/** A passage of a file, searched by its words and, once it has a vector, by its meaning. */
export const knowledgeChunks = pgTable(
  'knowledge_chunks',
  {
    id: serial('id').primaryKey(),
    fileId: integer('file_id').notNull(),
    /** Its file's. */
    agentId: integer('agent_id').notNull(),
    /** Its file's. */
    workspaceId: workspaceKey(),
    position: integer('position').notNull(),
    /** The headings that it stands under, outermost first; null where the file has none. */
    heading: text('heading'),
    text: text('text').notNull(),
    /** What it is found by, each with the agent's id before it, so that one tenant's words cost no other's search. */
    terms: text('terms').array(),
    /** How many words it has that say something. */
    length: integer('length').notNull().default(0),
    embedderId: text('embedder_id'),
    /** A unit vector as `packVector` writes it. */
    vector: bytea('vector'),
  },
  (table) => [
    foreignKey({
      name: 'knowledge_chunks_file',
      columns: [table.fileId, table.workspaceId],
      foreignColumns: [knowledgeFiles.id, knowledgeFiles.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('knowledge_chunks_file_id').on(table.fileId, table.position),
    index('knowledge_chunks_vectors').on(table.fileId).where(sql`${table.vector} is not null`),
    index('knowledge_chunks_agent_id').on(table.agentId),
    // Without a list in which new words wait: a search would read it, or the whole table, for each word that is asked.
    index('knowledge_chunks_terms').using('gin', table.terms).with({ fastupdate: false }),
  ],
)

/** Moves with every change of an agent's passages, so that every instance knows when its cache is old. */
export const knowledgeVersions = pgTable(
  'knowledge_versions',
  {
    agentId: integer('agent_id').primaryKey(),
    /** Its agent's. */
    workspaceId: workspaceKey(),
    version: integer('version').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'knowledge_versions_agent',
      columns: [table.agentId, table.workspaceId],
      foreignColumns: [agents.id, agents.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
  ],
)
