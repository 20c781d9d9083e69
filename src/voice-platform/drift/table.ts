import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, serial, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../db/columns.ts'

export const driftDifferences = ['changed', 'missing', 'unmanaged'] as const
/** What is amiss: the live object was changed outside, is gone, or has no record here. */
export type DriftDifference = (typeof driftDifferences)[number]

export const driftStates = ['open', 'resolved'] as const
export type DriftState = (typeof driftStates)[number]

export const driftResolutions = ['adopted', 'kept_ours', 'kept_theirs', 'merged', 'vanished', 'deleted'] as const
/** How a difference ended; `vanished`: by itself, because both sides were equal again. */
export type DriftResolution = (typeof driftResolutions)[number]

/**
 * What sweeps found to differ between our records and the live platform; the ended ones stay as a history, for
 * `RETENTION_DRIFT_DAYS`.
 */
export const drifts = pgTable(
  'drifts',
  {
    id: serial('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The public id of the resource; null for an object that has no record. */
    ref: text('ref'),
    liveId: text('live_id').notNull(),
    name: text('name').notNull(),
    difference: text('difference').$type<DriftDifference>().notNull(),
    /** The leaves that differ as JSON, sealed: there may be secrets of webhooks among them. */
    leaves: text('leaves').notNull(),
    /** Tells whether another look found the same. */
    digest: text('digest').notNull(),
    state: text('state').$type<DriftState>().notNull().default('open'),
    resolution: text('resolution').$type<DriftResolution>(),
    foundAt: timestamptz('found_at').notNull().defaultNow(),
    changedAt: timestamptz('changed_at').notNull().defaultNow(),
    resolvedAt: timestamptz('resolved_at'),
  },
  (table) => [
    uniqueIndex('drifts_open').on(table.kind, table.liveId).where(sql`state = 'open'`),
    index('drifts_ref').on(table.kind, table.ref),
    index('drifts_state').on(table.state, table.id),
    index('drifts_resolved_at').on(table.resolvedAt).where(sql`state = 'resolved'`),
  ],
)

/** The one row that says when the next sweep is due, who is at it and how far it is. */
export const driftSweeps = pgTable('drift_sweeps', {
  id: integer('id').primaryKey(),
  dueAt: timestamptz('due_at').notNull(),
  owner: uuid('owner'),
  attempts: integer('attempts').notNull().default(0),
  lastError: text('last_error'),
  /** Somebody asked for a sweep of everything. */
  requested: boolean('requested').notNull().default(false),
  startedAt: timestamptz('started_at'),
  finishedAt: timestamptz('finished_at'),
  /** Objects that the last sweep looked at, or the one that runs has so far. */
  checked: integer('checked').notNull().default(0),
  /** By kind: up to which change of the platform's all was looked at. */
  cursors: jsonb('cursors').$type<Record<string, string>>().notNull().default({}),
  /** By kind: the ids of objects that the last sweep could not judge, so that the next one looks at them again. */
  passedOver: jsonb('passed_over').$type<Record<string, string[]>>().notNull().default({}),
  /** When all objects were looked at for the last time, and how many there were. */
  fullAt: timestamptz('full_at'),
  fullCount: integer('full_count').notNull().default(0),
})
