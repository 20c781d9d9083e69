import { rootOf } from '../runtime/log.ts'
import type { DatabaseHandle } from './client.ts'
import { NoTlsError, tellingOfTls } from './tls.ts'

/**
 * PostgreSQL lets nobody in, has no such database, or gives no right: it then names roles, databases and tables alone.
 */
const setUpWrongly = /^(28...|3D000|42501)$/
/** A parameter of the address has a name or a value that it does not take; a statement's would end no connection. */
const wrongParameter = /^(22|42)...$/

/**
 * Why a PostgreSQL server does not take an address, in its words where it says so; undefined of whatever else went
 * wrong.
 */
export function serverRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const root = rootOf(error)
  if (root instanceof NoTlsError) return root.message
  if (root.name !== 'PostgresError' || !('code' in root)) return undefined
  const code = String(root.code)
  const isFatal = 'severity' in root && root.severity === 'FATAL'
  return setUpWrongly.test(code) || (isFatal && wrongParameter.test(code)) ? root.message : undefined
}

/** A server refuses the address that a setting beside DATABASE_URL gives. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'
}

/**
 * Asks a server whether it takes the address of a setting. One that does not respond may do so later.
 * @throws AddressRefusedError
 */
export async function requireAccess(setting: string, database: DatabaseHandle): Promise<void> {
  try {
    await tellingOfTls(database, () => database.ping())
  } catch (cause) {
    const refusal = serverRefusal(cause)
    if (refusal !== undefined) throw new AddressRefusedError(`${setting}: ${refusal}`, { cause })
  }
}
