import type { ServiceContext } from '../../api/context.ts'
import { uuidPattern } from '../../runtime/uuid.ts'
import { openSession } from './session.ts'

/**
 * Whose an `Idempotency-Key` of a visitor is: the session's, which nobody else has. Before there is one only a key that
 * nobody else can have chosen counts, as many visitors share an address (contract: rest 21).
 */
export function visitorOf(
  { vault, address }: ServiceContext,
  { input, key }: { input: Record<string, unknown>; key: string },
): string | undefined {
  const { public_key: publicKey, session_id: session } = input
  if (typeof session === 'string' && openSession(vault, String(publicKey), session)) return `session ${session}`
  return uuidPattern.test(key) ? `address ${address}` : undefined
}
