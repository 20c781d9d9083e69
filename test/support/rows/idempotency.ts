import { idempotencyKeys, idempotencyResults } from '../../../src/api/idempotency/table.ts'
import type { DatabaseHandle } from '../../../src/db/client.ts'

/** Everything that is kept under Idempotency-Keys, as text to look for secrets in. */
export const storedKeys = async ({ db }: DatabaseHandle) => JSON.stringify(await db.select().from(idempotencyKeys))

/** What is noted of what was made under them, as text. */
export const storedResults = async ({ db }: DatabaseHandle) =>
  JSON.stringify(await db.select().from(idempotencyResults))

/** What a server leaves that is killed after it made something and before it kept the response. */
export const loseResponses = ({ db }: DatabaseHandle) => db.update(idempotencyKeys).set({ status: null, body: null })
