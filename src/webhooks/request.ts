import { z } from 'zod'
import type { Vault } from '../secrets/vault.ts'

/** What is sealed of a delivery. */
const Request = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  credentialId: z.string().optional(),
})
export type DeliveryRequest = z.output<typeof Request>

/** What sealed requests are sealed with; see `Vault.seal`. */
export const requestContext = 'webhooks.request'

/** A request as the queue keeps it, sealed. */
export const sealRequest = (vault: Vault, request: DeliveryRequest): string =>
  vault.seal(JSON.stringify(request), requestContext)

/** Throws SealedSecretError when no key opens it. */
export const openRequest = (vault: Vault, sealed: string): DeliveryRequest =>
  Request.parse(JSON.parse(vault.open(sealed, requestContext)))

/** An address as the log shows it: query, user and password may be secrets. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return '***'
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search === '' ? '' : '?***'}`
}

/** What only addresses begin with, and what in one may be a secret. */
const telling = /^(https?|wss?):\/\/\S*[?#@]\S*$/i

/** A text as a webhook tells it: of an address, without what may be secret in it. */
export const shownText = (text: string): string => (telling.test(text) ? shownAddress(text) : text)
