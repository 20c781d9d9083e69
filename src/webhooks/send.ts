import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { OutgoingError, type OutgoingReason } from '../outgoing/refusal.ts'
import type { Clock } from '../runtime/clock.ts'
import { version } from '../runtime/version.ts'
import { type Credential, type Credentials, credentialHeaders, type Granted } from './credentials.ts'
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
  isGranted: Granted
}

export interface Outgoing extends DeliveryRequest {
  /** Whose webhook it is; 0 when that is not known. */
  workspaceId: number
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

/** The credential that a webhook names, or why it cannot be used. */
async function credentialOf(webhook: Outgoing, sender: Sender): Promise<Credential | Attempt | undefined> {
  const { credentialId, workspaceId } = webhook
  if (credentialId === undefined) return undefined
  if (!(await sender.isGranted(workspaceId, credentialId))) {
    return failed('The credential of this webhook is not granted to the workspace.')
  }
  return sender.credentials.get(credentialId) ?? failed('The credential of this webhook is not configured.')
}

/**
 * Sends a webhook once. Redirects are not followed: the secret goes to the configured address alone.
 * Throws the reason of `signal` when that ends it.
 */
export async function sendWebhook(webhook: Outgoing, sender: Sender, signal: AbortSignal): Promise<Attempt> {
  const { outgoing, clock } = sender
  const { url, headers, payload, timeoutSeconds, excludedStatusCodes = [] } = webhook
  const credential = await credentialOf(webhook, sender)
  if (credential && 'delivered' in credential) return credential
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
