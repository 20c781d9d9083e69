import type { Sql } from 'postgres'
import { key, random } from './rules.ts'

/** A unique key, or a unique index that is none. */
export interface Unique {
  name: string
  kind: 'primary' | 'unique' | 'index'
  columns: string[]
  /** Of an index of some rows alone: which. */
  only: string | null
  /** Why no two workspaces can have the same in it; null when they could. */
  kept: string | null
}

export interface ForeignKey {
  name: string
  /** The table that refers, and the one that it refers to. */
  from: string
  to: string
  /** Whether both sides have the workspace in it. */
  keyed: boolean
  definition: string
}

export interface Table {
  name: string
  hasKey: boolean
  uniques: Unique[]
  triggers: string[]
}

export interface Catalog {
  tables: Table[]
  foreignKeys: ForeignKey[]
}

/** Reads from a database's own catalog what decides how its tables can be spread. */
export async function readCatalog(sql: Sql<{ bigint: number }>): Promise<Catalog> {
  const foreignKeys = await sql<ForeignKey[]>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to,
      pg_get_constraintdef(oid) as definition,
      exists (select 1 from unnest(conkey, confkey) as pair (mine, other)
        join pg_attribute m on m.attrelid = conrelid and m.attnum = pair.mine
        join pg_attribute o on o.attrelid = confrelid and o.attnum = pair.other
        where m.attname = ${key} and o.attname = ${key}) as keyed
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`
  const tables = await sql<Table[]>`
    select c.relname as name,
      exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = ${key} and a.attnotnull) as "hasKey",
      coalesce((select json_agg(json_build_object('name', ix.relname, 'columns', keys.names,
          'kind', case o.contype when 'p' then 'primary' when 'u' then 'unique' else 'index' end,
          'only', pg_get_expr(i.indpred, i.indrelid), 'kept', keys.kept) order by ix.relname)
        from pg_index i join pg_class ix on ix.oid = i.indexrelid
        left join pg_constraint o on o.conindid = i.indexrelid and o.contype in ('p', 'u')
        cross join lateral (select json_agg(coalesce(a.attname, '') order by n.at) as names,
            -- One such column is enough: whoever has the same in it is of the same workspace.
            min(case
              when a.atttypid = 'uuid'::regtype or c.relname || '.' || a.attname = any(${[...random]})
                then a.attname || ' is random'
              when pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' then a.attname || ' comes from one sequence'
              when exists (select 1 from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
                  and cardinality(f.conkey) = 2 and a.attnum = any(f.conkey) and a.attname <> ${key}
                  and exists (select 1 from pg_attribute k
                    where k.attrelid = c.oid and k.attname = ${key} and k.attnum = any(f.conkey)))
                then 'what ' || a.attname || ' names is of one workspace'
            end) as kept
          from unnest(i.indkey::int2[]) with ordinality as n (column_number, at)
          left join pg_attribute a on a.attrelid = c.oid and a.attnum = n.column_number and n.column_number > 0
          left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum) keys
        where i.indrelid = c.oid and i.indisunique), '[]') as uniques,
      array(select tgname::text from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by 1) as triggers
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`
  return { tables, foreignKeys }
}
