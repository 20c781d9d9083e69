import type { Sql } from 'postgres'
import { type Partition, readPartitions, readTables, type Table } from './catalog.ts'

/** The tables whose rows are many and grow old, and the column that says when a row was made. */
export const timed = ['audit_entries', 'messages', 'webhook_deliveries']
const column = 'created_at'

/** The default partition: rows of a month that has none. */
const defaultOf = (table: string) => `${table}_default`

const quoted = (name: string) => `"${name}"`
const list = (names: readonly string[]) => names.map(quoted).join(', ')

/** A calendar month in UTC, by the months since year 0. */
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()

/** `2026_12` of a month. */
const nameOf = (month: number) => `${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`

/** The first instant of a month, as PostgreSQL reads it on every server. */
const startOf = (month: number) => `'${nameOf(month).replace('_', '-')}-01 00:00:00+00'`

/** The partition of everything from before a month. */
const before = (table: string, month: number) => `${table}_before_${nameOf(month)}`

/** The month in the name of a partition. */
function monthIn(name: string): number | undefined {
  const [, year, month] = /_(\d{4})_(\d\d)$/.exec(name) ?? []
  return year === undefined || month === undefined ? undefined : Number(year) * 12 + Number(month) - 1
}

/**
 * The statements that partition tables by the month in which their rows were made, with a partition for every month up
 * to `ahead` months from now. Of a table that is partitioned already: those that are missing. To be run one after the
 * other, each by itself.
 */
export async function planOf(sql: Sql<{ bigint: number }>, now: Date, ahead: number): Promise<string[]> {
  const tables = await readTables(sql, timed)
  const partitions = await readPartitions(sql, timed)
  const last = monthOf(now) + ahead
  return tables.flatMap((table) =>
    table.partitioned ? missing(table.name, last, partitions) : partition(table, monthOf(now) + 1, last),
  )
}

const through = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Makes the partitions that a table lacks, with the unique indexes of one that it has. */
function missing(table: string, last: number, all: readonly Partition[]): string[] {
  const monthly = all.filter(({ table: of, name }) => of === table && monthIn(name) !== undefined)
  const [one] = monthly
  if (!one) return [`-- ${table} is partitioned in another way, and stays as it is.`]
  const first = Math.min(...monthly.map(({ name }) => monthIn(name) ?? last))
  return through(first, last)
    .filter((month) => !monthly.some(({ name }) => name === `${table}_${nameOf(month)}`))
    .flatMap((month) => made(table, month, one.uniques))
}

/**
 * Gives a table's name to a partitioned one: its rows stay where they are, as the partition of what was before `next`.
 */
function partition(table: Table, next: number, last: number): string[] {
  const { name, primaryKey, keyColumns, sequences, indexes, foreignKeys, triggers } = table
  const old = before(name, next)
  const [key, check] = [`${old}_key`, `${old}_check`]
  const uniques = indexes.filter(({ unique }) => unique)
  return [
    `-- ${name}: what takes long comes first, beside the running servers.`,
    `create unique index concurrently ${quoted(key)} on ${quoted(name)} (${list([...keyColumns, column])});`,
    `alter table ${quoted(name)} add constraint ${quoted(check)} check (${column} < ${startOf(next)}) not valid;`,
    `alter table ${quoted(name)} validate constraint ${quoted(check)};`,
    'begin;',
    `lock table ${quoted(name)} in access exclusive mode;`,
    ...triggers.map((trigger) => `drop trigger ${quoted(trigger.name)} on ${quoted(name)};`),
    `alter table ${quoted(name)} drop constraint ${quoted(primaryKey)};`,
    `alter table ${quoted(name)} add constraint ${quoted(key)} primary key using index ${quoted(key)};`,
    ...indexes.map(
      (index) => `alter index ${quoted(index.name)} rename to ${quoted(`${index.name}_${nameOf(next)}`)};`,
    ),
    `alter table ${quoted(name)} rename to ${quoted(old)};`,
    `create table ${quoted(name)} (like ${quoted(old)} including defaults including generated including storage) partition by range (${column});`,
    ...sequences.map(
      (sequence) => `alter sequence ${quoted(sequence.name)} owned by ${quoted(name)}.${quoted(sequence.column)};`,
    ),
    `alter table ${quoted(name)} add constraint ${quoted(primaryKey)} primary key (${list([...keyColumns, column])});`,
    ...indexes.filter(({ unique }) => !unique).map(({ definition }) => `${definition};`),
    ...foreignKeys.map(
      (foreign) => `alter table ${quoted(name)} add constraint ${quoted(foreign.name)} ${foreign.definition};`,
    ),
    `alter table ${quoted(name)} attach partition ${quoted(old)} for values from (minvalue) to (${startOf(next)});`,
    ...triggers.map(({ definition }) => `${definition};`),
    `create table ${quoted(defaultOf(name))} partition of ${quoted(name)} default;`,
    'commit;',
    ...through(next, last).flatMap((month) =>
      made(
        name,
        month,
        uniques.map(({ definition }) => definition),
      ),
    ),
  ]
}

/** Makes the partition of a month. Rows of it that the default partition holds are moved into it. */
function made(table: string, month: number, uniques: readonly string[]): string[] {
  const name = `${table}_${nameOf(month)}`
  const [from, to] = [startOf(month), startOf(month + 1)]
  return [
    'begin;',
    `lock table ${quoted(defaultOf(table))} in access exclusive mode;`,
    `create table ${quoted(name)} (like ${quoted(table)} including defaults including generated including storage);`,
    `with moved as (delete from ${quoted(defaultOf(table))} where ${column} >= ${from} and ${column} < ${to} returning *) insert into ${quoted(name)} select * from moved;`,
    ...uniques.map((definition, index) => `${uniqueOn(definition, name, index)};`),
    `alter table ${quoted(table)} attach partition ${quoted(name)} for values from (${from}) to (${to});`,
    'commit;',
  ]
}

/** A unique index as another table has it, on this one. */
const uniqueOn = (definition: string, table: string, index: number) =>
  definition.replace(
    /^CREATE UNIQUE INDEX \S+ ON (?:ONLY )?\S+/,
    `create unique index ${quoted(`${table}_unique_${index}`)} on ${quoted(table)}`,
  )
