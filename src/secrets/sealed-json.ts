import {
  type ColumnBaseConfig,
  type ColumnBuilderBaseConfig,
  entityKind,
  getTableColumns,
  getTableName,
} from 'drizzle-orm'
import {
  type AnyPgTable,
  type PgColumn,
  PgJsonb,
  PgJsonbBuilder,
  type PgJsonbBuilderInitial,
} from 'drizzle-orm/pg-core'
import type { DatabaseHandle } from '../db/client.ts'
import { hasSecrets, mapSecrets } from './leaves.ts'
import type { SecretColumn } from './rotate.ts'
import { isSealed, type Vault } from './vault.ts'

/** A body on its way to the database, whose connection seals the secrets in it. */
class Unsealed {
  constructor(
    private readonly body: unknown,
    private readonly context: string,
  ) {}

  /** The body as it is stored. */
  sealed(vault: Vault): string {
    return JSON.stringify(mapSecrets(this.body, (text) => vault.seal(text, this.context)))
  }

  /** What a failed statement says of it. */
  toString(): string {
    return `(${this.context}, with secrets)`
  }

  toJSON(): string {
    return this.toString()
  }
}

/** Read values in which something is sealed, with what opens it. */
const readWith = new WeakMap<object, Vault>()

class SealedJson<T extends ColumnBaseConfig<'json', 'PgJsonb'>> extends PgJsonb<T> {
  static override readonly [entityKind]: string = 'SealedJson'
  /** What its secrets are sealed for; see `Vault.seal`. */
  readonly context: string

  constructor(table: AnyPgTable<{ name: T['tableName'] }>, config: PgJsonbBuilder<T>['config']) {
    super(table, config)
    this.context = `${getTableName(table)}.${config.name}`
  }

  /** The driver takes what is to be sealed as it is: `sealStored` says how it is written. */
  override mapToDriverValue(value: T['data']): string {
    return hasSecrets(value) ? (new Unsealed(value, this.context) as unknown as string) : super.mapToDriverValue(value)
  }

  override mapFromDriverValue(stored: T['data'] | string): T['data'] {
    const value = super.mapFromDriverValue(stored)
    const vault = typeof value === 'object' && value !== null ? readWith.get(value) : undefined
    // What was written by earlier releases is as it was given.
    return vault ? mapSecrets(value, (text) => (isSealed(text) ? vault.open(text, this.context) : text)) : value
  }
}

type JsonConfig<Name extends string> = ColumnBuilderBaseConfig<'json', 'PgJsonb'> & {
  name: Name
  enumValues: undefined
}

class SealedJsonBuilder<T extends ColumnBuilderBaseConfig<'json', 'PgJsonb'>> extends PgJsonbBuilder<T> {
  static override readonly [entityKind]: string = 'SealedJsonBuilder'

  build(table: AnyPgTable): PgColumn {
    return new SealedJson(table, this.config as never)
  }
}

/**
 * A `jsonb` column whose secrets are sealed at rest (see `mapSecrets` for which those are): who writes and reads the
 * column has them in plain. A body without secrets is stored as by `jsonb`. An expression on the column is opened by
 * `.mapWith(column)`.
 */
export const sealedJson = <Name extends string>(name: Name): PgJsonbBuilderInitial<Name> =>
  new SealedJsonBuilder<JsonConfig<Name>>(name)

/** The columns whose secrets are sealed, of the tables that have these keys, for a rotation. */
export const sealedColumnsOf = (...keys: readonly PgColumn[]): SecretColumn[] =>
  keys.flatMap((id) =>
    Object.values<PgColumn>(getTableColumns(id.table)).flatMap((column) =>
      column instanceof SealedJson ? { table: id.table, id, column, context: column.context, isBody: true } : [],
    ),
  )

const jsonbType = 3802
const mark = '"sealed:v1:'

/**
 * What each database was last given: a statement that a connection knows keeps the parser that it was prepared with.
 */
const vaults = new WeakMap<object, Vault>()

/**
 * Has the connections of a database seal what its `sealedJson` columns are given, and open it. A text without anything
 * sealed is read as before.
 */
export function sealStored({ sql: { options } }: Pick<DatabaseHandle, 'sql'>, vault: Vault): void {
  vaults.set(options, vault)
  const current = () => vaults.get(options) ?? vault
  options.serializers[jsonbType] = (value) => (value instanceof Unsealed ? value.sealed(current()) : value)
  options.parsers[jsonbType] = (text: string) => {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && text.includes(mark)) readWith.set(value, current())
    return value
  }
}
