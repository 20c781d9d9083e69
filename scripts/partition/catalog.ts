import type { Sql } from 'postgres'

/** What a table has that its partitions share, or have to be given anew. */
export interface Table {
  name: string
  partitioned: boolean
  primaryKey: string
  keyColumns: string[]
  /** Sequences that give its columns their numbers, each with its column. */
  sequences: { name: string; column: string }[]
  indexes: { name: string; definition: string; unique: boolean }[]
  foreignKeys: { name: string; definition: string }[]
  triggers: { name: string; definition: string }[]
}

export interface Partition {
  /** The table that it is a partition of. */
  table: string
  name: string
  /** Unique indexes of its own, which the table does not have. */
  uniques: string[]
}

/** Reads tables of the current schema from the database's own catalog. */
export async function readTables(sql: Sql<{ bigint: number }>, names: readonly string[]): Promise<Table[]> {
  return await sql<Table[]>`
    select c.relname as name, c.relkind = 'p' as partitioned, pk.conname as "primaryKey",
      (select json_agg(a.attname order by k.at) from unnest(pk.conkey) with ordinality as k (number, at)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number) as "keyColumns",
      (select coalesce(json_agg(json_build_object('name', s.relname, 'column', a.attname)), '[]') from pg_depend d
        join pg_class s on s.oid = d.objid and s.relkind = 'S' and d.deptype = 'a'
        join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
        where d.refobjid = c.oid) as sequences,
      (select coalesce(json_agg(json_build_object('name', ix.relname, 'unique', i.indisunique,
          'definition', pg_get_indexdef(ix.oid)) order by ix.relname), '[]')
        from pg_index i join pg_class ix on ix.oid = i.indexrelid
        where i.indrelid = c.oid and not i.indisprimary) as indexes,
      (select coalesce(json_agg(json_build_object('name', f.conname, 'definition', pg_get_constraintdef(f.oid))
          order by f.conname), '[]')
        from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') as "foreignKeys",
      (select coalesce(json_agg(json_build_object('name', t.tgname, 'definition', pg_get_triggerdef(t.oid))
          order by t.tgname), '[]')
        from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers
    from pg_class c join pg_constraint pk on pk.conrelid = c.oid and pk.contype = 'p'
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${[...names]}) order by c.relname`
}

/** Reads the partitions of tables that have some. */
export async function readPartitions(sql: Sql<{ bigint: number }>, names: readonly string[]): Promise<Partition[]> {
  return await sql<Partition[]>`
    select p.relname as table, c.relname as name,
      (select coalesce(json_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid), '[]') from pg_index i
        where i.indrelid = c.oid and i.indisunique
          and not exists (select 1 from pg_inherits own where own.inhrelid = i.indexrelid)) as uniques
    from pg_class p join pg_inherits h on h.inhparent = p.oid join pg_class c on c.oid = h.inhrelid
    where p.relnamespace = current_schema()::regnamespace and p.relkind = 'p' and p.relname = any(${[...names]})
    order by p.relname, c.relname`
}
