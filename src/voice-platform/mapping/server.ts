import { isObject, type Json } from '../../json/object.ts'
import { textOf } from './settings.ts'

/** The header in which the platform sends what a server knows its requests by. */
export const secretHeader = 'X-Vapi-Secret'

/**
 * Headers with a secret in the one for it, which then stands there in no other spelling; as they are without a secret.
 */
export function withSecret(headers: Json, secret: string | undefined): Json {
  if (!secret) return { ...headers }
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== secretHeader.toLowerCase())
  return { ...Object.fromEntries(others), [secretHeader]: secret }
}

/** A server block in the platform's form, which has no field for a secret: it travels as a header. */
export function toServer(server: unknown): unknown {
  if (!isObject(server) || !Object.hasOwn(server, 'secret')) return server
  const { secret, ...block } = server
  // What is no text is the platform's to judge.
  if (secret !== null && typeof secret !== 'string') return server
  const headers = withSecret(isObject(block.headers) ? block.headers : {}, textOf(secret))
  return { ...block, ...(Object.keys(headers).length > 0 && { headers }) }
}
