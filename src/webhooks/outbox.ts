import type { Transaction } from '../db/client.ts'
import type { Vault } from '../secrets/vault.ts'
import type { WebhookMessage } from './message.ts'
import { sealRequest, shownAddress } from './request.ts'
import { webhookDeliveries } from './table.ts'

/** The workspaces of live assistants and numbers, by their ids on the platform. */
export type WorkspacesOf = (tx: Transaction, liveIds: string[]) => Promise<ReadonlyMap<string, number>>

/** Queues webhooks within the transaction that records what they tell: neither is there without the other. */
export const webhookOutbox =
  (vault: Vault, workspacesOf: WorkspacesOf) =>
  async (tx: Transaction, messages: readonly WebhookMessage[]): Promise<void> => {
    if (messages.length === 0) return
    // The assistant's, else the number's, which nobody may have answered.
    const parties = ({ assistantId, phoneNumberId }: WebhookMessage) => [assistantId ?? [], phoneNumberId ?? []].flat()
    const workspaces = await workspacesOf(tx, [...new Set(messages.flatMap(parties))])
    await tx.insert(webhookDeliveries).values(
      messages.map((message) => {
        const { type, callId, assistantId, url, headers, credentialId, timeoutSeconds, backoffPlan, body } = message
        return {
          liveAssistantId: assistantId ?? null,
          workspaceId: parties(message).flatMap((id) => workspaces.get(id) ?? [])[0],
          callId,
          type,
          address: shownAddress(url),
          request: sealRequest(vault, { url, headers, ...(credentialId !== undefined && { credentialId }) }),
          payload: body,
          timeoutSeconds: Math.ceil(timeoutSeconds),
          backoffPlan,
          maxAttempts: 1 + backoffPlan.maxRetries,
        }
      }),
    )
  }
