import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import type { FieldErrors } from '../../api/errors/api-error.ts'
import type { Executor, Transaction } from '../../db/client.ts'

/** A table of catalogue entries; its column names are the contract's. */
export type EntryTable = PgTable & { id: PgColumn; createdAt: PgColumn; updatedAt: PgColumn }

/** What one kind of the catalogue is: everything else is the same for all of them. */
export interface CatalogueKind<Id, BodyIn, BodyOut, UpdateIn, Entry> {
  /** The last part of `/admin/{kind}`. */
  path: string
  /** One entry and several, in words. */
  names: [one: string, several: string]
  table: EntryTable
  Id: z.ZodType<Id, Id>
  Body: z.ZodType<BodyOut, BodyIn>
  /** What an update says, with the id of the path. */
  Update: z.ZodType<Partial<BodyOut> & { id: Id }, UpdateIn>
  Entry: z.ZodType<Entry, Entry>
  /** The field that each constraint of the table speaks of. */
  constraints: Record<string, string>
  /** What the schema cannot say of a body. */
  refuse?(body: BodyOut): FieldErrors | undefined
  /** What an update says besides, where it does not say otherwise. */
  implied?(said: Partial<BodyOut>): Partial<BodyOut>
  /** A body in which what it names is as the platform is told it. Throws 422. */
  resolve?(ctx: AccountContext, body: BodyOut): Promise<BodyOut>
  /** Locks what a body names while it is saved, and returns the body as it is kept. Throws 422. */
  lock?(tx: Transaction, body: BodyOut): Promise<BodyOut>
  /** By what an entry is used, where no foreign key says so; asked while its row is locked. */
  usedBy?(executor: Executor, id: Id): Promise<string | undefined>
  /** The id of an entry now, which may have had another one before. */
  idNow?(executor: Executor, id: Id): Promise<Id>
  /** Writes that reach the platform before they are recorded; without it, only the record is written. */
  live?: LiveEntries<Id, BodyOut>
}

/** What records a write, in its transaction. */
export type Commit<T> = (tx: Transaction) => Promise<T>

/** The steps of an update that are the same for all kinds. */
interface UpdateSteps<Id, BodyOut, T> {
  /** The entry as it is to be, from what is stored; asked as its only writer. Throws 404, 422. */
  read(): Promise<BodyOut>
  /** Records it, under the id that the entry has by then. */
  commit(tx: Transaction, id: Id, body: BodyOut): Promise<T>
}

/** How a kind's entries are written on the platform first. Each throws its own errors, and what `commit` throws. */
export interface LiveEntries<Id, BodyOut> {
  /** `commit` takes the columns that the platform decided. */
  create<T>(
    ctx: AccountContext,
    body: BodyOut,
    commit: (tx: Transaction, columns: Record<string, unknown>) => Promise<T>,
  ): Promise<T>
  update<T>(ctx: AccountContext, id: Id, steps: UpdateSteps<Id, BodyOut, T>): Promise<T>
  /** `check` throws what forbids it, before anything is sent. */
  remove<T>(ctx: AccountContext, id: Id, steps: { check: Commit<void>; commit: Commit<T> }): Promise<T>
}

/** Defines a kind with its own types. */
export const catalogueKind = <Id, BodyIn, BodyOut, UpdateIn, Entry>(
  kind: CatalogueKind<Id, BodyIn, BodyOut, UpdateIn, Entry>,
) => kind
