import { expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'

const { sql } = await testDatabase()

test('every foreign key is found by an index, so that a delete of what it names reads no whole table', async () => {
  const without = await sql`
    select key.conrelid::regclass::text as table, key.conname as key from pg_constraint key
    cross join lateral (select array_agg(attnum) as columns from pg_attribute
      where attrelid = key.conrelid and attnum = any(key.conkey)
        and (attname <> 'workspace_id' or cardinality(key.conkey) = 1)) names
    where key.contype = 'f' and key.connamespace = 'public'::regnamespace and not exists (
      select 1 from pg_index i where i.indrelid = key.conrelid and i.indisvalid
        -- An index of the rows alone that have the key will do.
        and (i.indpred is null or (cardinality(key.conkey) = 1 and pg_get_expr(i.indpred, i.indrelid) =
          format('(%I IS NOT NULL)', (select attname from pg_attribute
            where attrelid = key.conrelid and attnum = key.conkey[1]))))
        -- The workspace beside another column adds nothing to what that finds.
        and (i.indkey::int2[])[0:cardinality(names.columns) - 1] @> names.columns)
    order by 1, 2`
  expect([...without]).toEqual([])
})
