import type { Transaction } from '../db/client.ts'
import { createThreadShare } from '../runtime/thread-share.ts'
import type { Vault } from '../secrets/vault.ts'
import type { WebhookMessage } from './message.ts'
import { sentColumns } from './sent-columns.ts'
import { webhookDeliveries } from './table.ts'

/** The workspaces of live assistants and numbers, by their ids on the platform. */
export type WorkspacesOf = (tx: Transaction, liveIds: string[]) => Promise<ReadonlyMap<string, number>>

/** Characters of bodies that are stored before others get the thread, which an embedded database works on. */
const insertSize = 250_000

/** The messages in groups to store at once, in their order; one that is larger goes alone. */
function grouped(messages: readonly WebhookMessage[]): { group: WebhookMessage[]; size: number }[] {
  const groups: { group: WebhookMessage[]; size: number }[] = []
  for (const message of messages) {
    const size = JSON.stringify(message.body).length
    const last = groups.at(-1)
    if (last && last.size + size <= insertSize) {
      last.group.push(message)
      last.size += size
    } else groups.push({ group: [message], size })
  }
  return groups
}

/** Queues webhooks within the transaction that records what they tell: neither is there without the other. */
export function webhookOutbox(vault: Vault, workspacesOf: WorkspacesOf) {
  const thread = createThreadShare(insertSize)
  return async (tx: Transaction, messages: readonly WebhookMessage[]): Promise<void> => {
    if (messages.length === 0) return
    // The assistant's, else the number's, which nobody may have answered.
    const parties = ({ assistantId, phoneNumberId }: WebhookMessage) => [assistantId ?? [], phoneNumberId ?? []].flat()
    const workspaces = await workspacesOf(tx, [...new Set(messages.flatMap(parties))])
    const rowOf = (message: WebhookMessage): typeof webhookDeliveries.$inferInsert => {
      const { assistantId } = message
      // The platform takes a fraction.
      const maxRetries = Math.ceil(message.backoffPlan.maxRetries)
      return {
        liveAssistantId: assistantId ?? null,
        workspaceId: parties(message).flatMap((id) => workspaces.get(id) ?? [])[0],
        ...sentColumns(vault, message),
        backoffPlan: { ...message.backoffPlan, maxRetries },
        maxAttempts: 1 + maxRetries,
      }
    }
    for (const { group, size } of grouped(messages)) {
      await thread(size)
      await tx.insert(webhookDeliveries).values(group.map(rowOf))
    }
  }
}
