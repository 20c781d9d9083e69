import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Executor } from '../../../db/client.ts'
import { oneFound } from '../../../db/one-found.ts'
import { preparedStatement } from '../../../db/prepared/statement.ts'
import type { Entry } from './entry.ts'
import { liveWrites } from './table.ts'

const deletion = (executor: Executor) =>
  executor
    .delete(liveWrites)
    .where(
      and(
        eq(liveWrites.id, sql.placeholder('id')),
        eq(liveWrites.owner, sql.placeholder('owner')),
        or(
          sql`${sql.placeholder('always')}::boolean`,
          isNull(liveWrites.lateUntil),
          lte(liveWrites.lateUntil, sql`now()`),
        ),
      ),
    )
    .returning({ id: liveWrites.id })

/** Deletes a row that is ours and that nothing late can concern, or `always`; gives nothing where it is another. */
export const endRow = preparedStatement(deletion)

const endOneRow = preparedStatement((executor) => {
  const ended = executor.$with('ended').as(deletion(executor))
  return executor.with(ended).select({ found: oneFound }).from(ended)
})

/**
 * Ends a row in one statement that fails, with all of its transaction, where there is no such row: see `isNoneFound`.
 */
export async function endOrFail(executor: Executor, { id, owner }: Entry): Promise<void> {
  await endOneRow(executor, { id, owner, always: false })
}
