import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { OutgoingError, type OutgoingReason } from '../outgoing/refusal.ts'
import type { Clock } from '../runtime/clock.ts'
import { version } from '../runtime/version.ts'
import { type Credentials, credentialHeaders } from './credentials.ts'
import type { DeliveryRequest } from './request.ts'

/** How an attempt ended; `error` is one short sentence for the owner, `final` that no other attempt can do better. */
export type Attempt =
  | { delivered: true; status: number }
  | { delivered: false; status: number | null; error: string; final: boolean }

/** What requests are sent with. */
export interface Sender {
  outgoing: GuardedFetch
  clock: Clock
  credentials: Credentials
}

export interface Outgoing extends DeliveryRequest {
  payload: object
  timeoutSeconds: number
  excludedStatusCodes?: number[]
}

/** What a receiver says is not read, but for so many bytes. */
const mostBytes = 64 * 1024

/** Refusals that no other attempt changes. */
const refusals: ReadonlySet<OutgoingReason> = new Set([
  'invalid_url',
  'https_only',
  'not_web',
  'credentials',
  'private_address',
])

const failed = (error: string, status: number | null = null, final = false): Attempt => ({
  delivered: false,
  status,
  error,
  final,
})

/**
 * Sends a webhook once. Redirects are not followed: the secret goes to the configured address alone.
 * Throws the reason of `signal` when that ends it.
 */
export async function sendWebhook(
  webhook: Outgoing,
  { outgoing, clock, credentials }: Sender,
  signal: AbortSignal,
): Promise<Attempt> {
  const { url, headers, credentialId, payload, timeoutSeconds, excludedStatusCodes = [] } = webhook
  const credential = credentialId === undefined ? undefined : credentials.get(credentialId)
  if (credentialId !== undefined && !credential) return failed('The credential of this webhook is not configured.')
  const body = JSON.stringify(payload)
  const request = {
    method: 'POST',
    headers: {
      'user-agent': `Switchboard/${version}`,
      ...headers,
      ...(credential && credentialHeaders(credential, body, clock.now())),
      'content-type': 'application/json',
    },
    body,
    signal,
  }
  const bounds = { httpAllowed: true, timeoutMs: timeoutSeconds * 1000, maxBytes: mostBytes }
  try {
    const answer = await outgoing(url, request, bounds)
    await answer.body?.cancel()
    const { status } = answer
    if (answer.ok) return { delivered: true, status }
    const final = excludedStatusCodes.includes(status)
    return failed(`The receiver answered with status ${status}.`, status, final)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return failed(error.message, null, refusals.has(error.reason))
  }
}
