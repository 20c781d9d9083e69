import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
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
 * What a keyed request made before, else what `make` makes: also where that fails because another server took the
 * request over, and made it meanwhile. Throws what `find` and `make` throw.
 */
export async function foundOr<Made>(find: () => Promise<Made | undefined>, make: () => Promise<Made>): Promise<Made> {
  const before = await find()
  if (before !== undefined) return before
  return make().catch(async (error) => {
    const meanwhile = await find().catch(() => undefined)
    if (meanwhile === undefined) throw error
    return meanwhile
  })
}

/**
 * Makes something in one transaction, and once for a request with an Idempotency-Key: the same transaction notes what
 * was made, so that the request finds it when it is sent again after its server was killed (contract: rest 34).
 * @param make its result is plain JSON, as it is given again
 * Throws what `make` throws; nothing is noted then.
 */
export async function makeOnce<Made>(ctx: Keyed, make: (tx: Transaction) => Promise<Made>): Promise<Made> {
  const making = () =>
    ctx.db.transaction(async (tx) => {
      const made = await make(tx)
      await noteMade(ctx, tx, made)
      return made
    })
  return foundOr(() => findMade<Made>(ctx), making)
}
