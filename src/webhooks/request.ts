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

/** Whether a text is an address, and holds what in one may be a secret. */
const isTelling = (text: string) => /^(https?|wss?):\/\//i.test(text) && /[?#@]/.test(text) && !/\s/.test(text)

/** A text as a webhook tells it: of an address, without what may be secret in it. */
export const shownText = (text: string): string => (isTelling(text) ? shownAddress(text) : text)
