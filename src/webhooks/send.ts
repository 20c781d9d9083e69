import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { OutgoingError, type OutgoingReason } from '../outgoing/refusal.ts'
import type { Clock } from '../runtime/clock.ts'
import { version } from '../runtime/version.ts'
import { type Credential, type Credentials, credentialHeaders, type Granted } from './credentials.ts'
import type { QuestionOutcome } from './message.ts'
import type { DeliveryRequest } from './request.ts'

interface Failed {
  delivered: false
  status: number | null
  error: string
  final: boolean
}

/** How an attempt ended; `error` is one short sentence for the owner, `final` that no other attempt can do better. */
export type Attempt = { delivered: true; status: number } | Failed

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

/** The outcome of a question, with the HTTP status of the response; null without one. */
export interface QuestionAttempt {
  outcome: QuestionOutcome
  status: number | null
}

/** What a receiver says of a message is not read, but for so many bytes. */
const maxBytes = 64 * 1024
/** What a receiver says to a question may be a whole assistant. */
const maxResponseBytes = 256 * 1024

/** Refusals that no other attempt changes. */
const refusals: ReadonlySet<OutgoingReason> = new Set([
  'invalid_url',
  'https_only',
  'not_web',
  'credentials',
  'private_address',
  'unsendable_headers',
])

const failed = (error: string, status: number | null = null, final = false): Failed => ({
  delivered: false,
  status,
  error,
  final,
})

/** The credential that a webhook names, or why it cannot be used. */
async function credentialOf(webhook: Outgoing, sender: Sender): Promise<Credential | Failed | undefined> {
  const { credentialId, workspaceId } = webhook
  if (credentialId === undefined) return undefined
  if (!(await sender.isGranted(workspaceId, credentialId))) {
    return failed('The credential of this webhook is not granted to the workspace.')
  }
  return sender.credentials.get(credentialId) ?? failed('The credential of this webhook is not configured.')
}

/** Sends a webhook once, and has a response of 2xx read. Throws the reason of `signal` when that ends it. */
async function post<T>(
  webhook: Outgoing,
  sender: Sender,
  { signal, maxBytes, read }: { signal: AbortSignal; maxBytes: number; read(response: Response): Promise<T> },
): Promise<T | Failed> {
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
  try {
    const response = await outgoing(url, request, { httpAllowed: true, timeoutMs: timeoutSeconds * 1000, maxBytes })
    const { status } = response
    if (response.ok) return await read(response)
    await response.body?.cancel()
    return failed(`The receiver answered with status ${status}.`, status, excludedStatusCodes.includes(status))
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return failed(error.message, null, refusals.has(error.reason))
  }
}

/**
 * Sends a webhook once. Redirects are not followed: the secret goes to the configured address alone.
 * Throws the reason of `signal` when that ends it.
 */
export const sendWebhook = (webhook: Outgoing, sender: Sender, signal: AbortSignal): Promise<Attempt> =>
  post<Attempt>(webhook, sender, {
    signal,
    maxBytes,
    async read(response) {
      await response.body?.cancel()
      return { delivered: true, status: response.status }
    },
  })

/** Sends a webhook that asks something, once, and reads the JSON of the response. Never throws. */
export async function askWebhook(webhook: Outgoing, sender: Sender): Promise<QuestionAttempt> {
  const { signal } = new AbortController()
  let status: number | null = null
  try {
    const response = await post(webhook, sender, {
      signal,
      maxBytes: maxResponseBytes,
      async read(received) {
        status = received.status
        return { body: await received.json() }
      },
    })
    if ('body' in response) return { outcome: response, status }
    return { outcome: { error: response.error }, status: response.status ?? status }
  } catch {
    return { outcome: { error: 'The receiver gave no JSON.' }, status }
  }
}
