import { idempotencyKeys, idempotencyResults } from '../../../src/api/idempotency/table.ts'
import type { DatabaseHandle } from '../../../src/db/client.ts'

/** Everything that is kept under Idempotency-Keys, as text to look for secrets in. */
export const storedKeys = async ({ db }: DatabaseHandle) => JSON.stringify(await db.select().from(idempotencyKeys))

/** What is noted of what was made under them, as text. */
export const storedResults = async ({ db }: DatabaseHandle) =>
  JSON.stringify(await db.select().from(idempotencyResults))

/** What a server leaves that is killed after it made something and before it kept the response. */
export const loseResponses = ({ db }: DatabaseHandle) => db.update(idempotencyKeys).set({ status: null, body: null })

/** The same of a server of an earlier release, which kept no ids with its keys. */
export const loseIds = ({ db }: DatabaseHandle) =>
  db.update(idempotencyKeys).set({ status: null, body: null, madeId: null })

/** Lets the database refuse every response that is to be kept. */
export async function refuseResponses({ sql }: DatabaseHandle): Promise<void> {
  await sql`create function refuse_response() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`
  await sql`create trigger refuse_response before update on idempotency_keys
    for each row execute function refuse_response()`
}
