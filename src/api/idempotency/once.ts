import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { violationOf } from '../../db/violations.ts'
import type { RequestContext } from '../context.ts'
import { idempotencyResults, resultContext } from './table.ts'

type Keyed = Pick<RequestContext, 'db' | 'clock' | 'vault' | 'idempotencyId'>

/** What a keyed request made when it was sent before; undefined when it made nothing yet. */
export async function findMade<Made>({ db, vault, idempotencyId: id }: Keyed): Promise<Made | undefined> {
  if (id === undefined) return undefined
  const [known] = await db.select().from(idempotencyResults).where(eq(idempotencyResults.id, id))
  return known && JSON.parse(vault.open(known.result, resultContext))
}

/** Notes what a keyed request made, for `findMade`, in the transaction that makes it. `made` is plain JSON. */
export async function noteMade(ctx: Keyed, tx: Transaction, made: unknown): Promise<void> {
  const { idempotencyId: id, vault, clock } = ctx
  if (id === undefined) return
  const result = vault.seal(JSON.stringify(made), resultContext)
  await tx.insert(idempotencyResults).values({ id, result, createdAt: clock.now() })
}

/**
 * Makes something in one transaction, and once for a request with an Idempotency-Key: the same transaction notes what was
 * made, so that the request finds it when it is sent again after its server was killed (contract: rest 34).
 * @param make its result is plain JSON, as it is given again
 * Throws what `make` throws; nothing is noted then.
 */
export async function makeOnce<Made>(ctx: Keyed, make: (tx: Transaction) => Promise<Made>): Promise<Made> {
  const known = await findMade<Made>(ctx)
  if (known !== undefined) return known
  const making = ctx.db.transaction(async (tx) => {
    const made = await make(tx)
    await noteMade(ctx, tx, made)
    return made
  })
  return making.catch(async (error) => {
    // Another server may have taken the request over, and have made it meanwhile.
    const meanwhile = violationOf(error)?.kind === 'unique' ? await findMade<Made>(ctx) : undefined
    if (meanwhile === undefined) throw error
    return meanwhile
  })
}
