import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { FieldErrors } from '../../api/errors/api-error.ts'
import type { Executor } from '../../db/client.ts'

/** A table of catalogue entries; its column names are the contract's. */
export type EntryTable = PgTable & { id: PgColumn; createdAt: PgColumn; updatedAt: PgColumn }

/** What one kind of the catalogue is: everything else is the same for all of them. */
export interface CatalogueKind<Id, BodyIn, BodyOut, ReplaceIn, Entry> {
  /** The last part of `/admin/{kind}`. */
  path: string
  /** One entry and several, in words. */
  names: [one: string, several: string]
  table: EntryTable
  Id: z.ZodType<Id, Id>
  Body: z.ZodType<BodyOut, BodyIn>
  /** The body with the id of the path. */
  Replace: z.ZodType<BodyOut & { id: Id }, ReplaceIn>
  Entry: z.ZodType<Entry, Entry>
  /** The field that each constraint of the table speaks of. */
  constraints: Record<string, string>
  /** What the schema cannot say of a body. */
  refuse?(body: BodyOut): FieldErrors | undefined
  /** By what an entry is used, where no foreign key says so. */
  usedBy?(executor: Executor, id: Id): Promise<string | undefined>
}

/** Defines a kind with its own types. */
export const catalogueKind = <Id, BodyIn, BodyOut, ReplaceIn, Entry>(
  kind: CatalogueKind<Id, BodyIn, BodyOut, ReplaceIn, Entry>,
) => kind
