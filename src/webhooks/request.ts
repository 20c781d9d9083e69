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

/** What stands in the place of an address's query. */
export const cutQuery = '?***'

/** An address as the log shows it: query, fragment, user and password may be secrets. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return '***'
  const { protocol, host, pathname, search } = new URL(url)
  if (host === '') return '***'
  return `${protocol}//${host}${pathname}${search === '' ? '' : cutQuery}`
}

/** Whether a text is a URL, of whatever protocol. */
export const isUrlText = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text) && !/\s/.test(text)

/** A text as it is shown to others: of an address, without what may be secret in it. */
export const shownText = (text: string): string => (/[?#@]/.test(text) && isUrlText(text) ? shownAddress(text) : text)
