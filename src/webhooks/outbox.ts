import type { Transaction } from '../db/client.ts'
import type { Vault } from '../secrets/vault.ts'
import type { WebhookMessage } from './message.ts'
import { sealRequest, shownAddress } from './request.ts'
import { webhookDeliveries } from './table.ts'

/** Queues webhooks within the transaction that records what they tell: neither is there without the other. */
export const webhookOutbox =
  (vault: Vault) =>
  async (tx: Transaction, messages: readonly WebhookMessage[]): Promise<void> => {
    if (messages.length === 0) return
    await tx.insert(webhookDeliveries).values(
      messages.map(({ type, callId, assistantId, url, headers, credentialId, timeoutSeconds, backoffPlan, body }) => ({
        liveAssistantId: assistantId ?? null,
        callId,
        type,
        address: shownAddress(url),
        request: sealRequest(vault, { url, headers, ...(credentialId !== undefined && { credentialId }) }),
        payload: body,
        timeoutSeconds: Math.ceil(timeoutSeconds),
        backoffPlan,
        mostAttempts: 1 + backoffPlan.maxRetries,
      })),
    )
  }
