import type { Vault } from '../secrets/vault.ts'
import type { WebhookMessage, WebhookQuestion } from './message.ts'
import { sealRequest, shownAddress } from './request.ts'

/** What a delivery keeps of the request that is sent for a message or a question. */
export function sentColumns(vault: Vault, sent: WebhookMessage | WebhookQuestion) {
  const { type, callId, url, headers, credentialId, timeoutSeconds, body } = sent
  return {
    callId,
    type,
    address: shownAddress(url),
    request: sealRequest(vault, { url, headers, ...(credentialId !== undefined && { credentialId }) }),
    payload: body,
    timeoutSeconds: Math.ceil(timeoutSeconds),
  }
}
