import { type AllowedPlaces, isAddress, isPublicAddress, plainHost } from './places.ts'

/** Why a request to a host that a user named was not made, or not finished. */
export const outgoingTexts = {
  invalid_url: 'must be a valid URL',
  https_only: 'must be an https URL',
  not_web: 'must be an http or https URL',
  credentials: 'must not carry a user name or password',
  private_address: 'must not lead to a private network',
  unsendable_headers: 'is asked with headers that cannot be sent',
  unresolved: 'names a host that cannot be found',
  unreachable: 'names a host that cannot be reached',
  redirect: 'answers with a redirect, which is not followed',
  encoded: 'answers with a compressed body, which was not asked for',
  too_large: 'gives an answer that is too large',
  timeout: 'does not answer in time',
} as const

export type OutgoingReason = keyof typeof outgoingTexts

/** A request that was refused or failed; the message may be shown to whoever named the host. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'

  constructor(
    readonly reason: OutgoingReason,
    options?: { cause?: unknown },
  ) {
    super(`The URL ${outgoingTexts[reason]}.`, options)
  }
}

/** Which URLs may be asked for: those of the public internet, and what the operator allowed besides. */
export interface UrlPolicy {
  allowed: AllowedPlaces
  /** `http:` too; without it only https, and http for the hosts that the operator allowed (contract: connectors 4). */
  httpAllowed?: boolean
}

/**
 * Why a URL cannot be used, as far as it shows without asking for its name: for checks when it is saved. Addresses
 * are seen in every form that a URL can give them (decimal, hex, octal, short, IPv6). Undefined when it is sound.
 */
export function literalRefusal(text: string | URL, { allowed, httpAllowed }: UrlPolicy): OutgoingReason | undefined {
  if (!URL.canParse(text)) return 'invalid_url'
  const url = new URL(text)
  const host = plainHost(url.hostname)
  const isAllowed = allowed.hasName(host) || allowed.hasAddress(host)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return httpAllowed ? 'not_web' : 'https_only'
  if (url.protocol === 'http:' && !httpAllowed && !isAllowed) return 'https_only'
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (isAddress(host) && !isAllowed && !isPublicAddress(host)) return 'private_address'
  return undefined
}
