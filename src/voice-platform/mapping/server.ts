import type { Json } from '../../json/object.ts'

/** The header in which the platform sends what a server knows its requests by. */
export const secretHeader = 'X-Vapi-Secret'

/** Headers with a secret in the one for it, which then stands there in no other spelling; as they are without a secret. */
export function withSecret(headers: Json, secret: string | undefined): Json {
  if (!secret) return { ...headers }
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== secretHeader.toLowerCase())
  return { ...Object.fromEntries(others), [secretHeader]: secret }
}
