import type { Write } from '../book.ts'
import { type ApiRequest, objectAt, textAt } from './api.ts'
import type { Tenant, World } from './world.ts'
import { type Written, write } from './write.ts'

/** What a write is about, before it is sent. */
export type Intent = Pick<Write, 'subject' | 'action' | 'target' | 'token'>

/** Sends a write, now and then under an Idempotency-Key and with retries, and notes what came of it. */
export async function noted(world: World, tenant: Tenant, intent: Intent, request: ApiRequest): Promise<Written> {
  const { random, book, faults } = world
  const keyed = request.method === 'POST' && random.chance(0.6)
  const key = keyed ? `${intent.token}-${random.between(1, 1_000_000)}` : undefined
  const idempotent = request.method !== 'POST' || keyed
  const retry = idempotent && random.chance(0.7)
  const written = await write(tenant.servers, tenant.token, request, {
    ...{ random, key, retry },
    breaking: { faults, random },
  })
  const { startedAt, endedAt, outcome, tries, said } = written
  const id = textAt(objectAt(written.body, 'data'), 'assistant_id')
  book.add({ ...intent, startedAt, endedAt, outcome, tries, said, id })
  return written
}
