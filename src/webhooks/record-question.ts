import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import type { Vault } from '../secrets/vault.ts'
import { noRetries, type QuestionOutcome, type WebhookQuestion } from './message.ts'
import { sentColumns } from './sent-columns.ts'
import { webhookDeliveries } from './table.ts'

/** A question as it was sent, and its outcome. */
export interface EndedQuestion {
  question: WebhookQuestion
  /** Whose it is; 0 when that is not known. */
  workspaceId: number
  /** The assistant that asks, or that the response named; by its id on the platform. */
  assistantId: string | undefined
  /** Whether it was sent at all. */
  sent: boolean
  /** The HTTP status of the response; null without one. */
  status: number | null
  /** A response without what may be secret in it, or why there is none. */
  outcome: QuestionOutcome
}

/** Records a question that has ended among the deliveries, with its one attempt and its response. */
export const recordQuestion =
  (db: Database, vault: Vault) =>
  async ({ question, workspaceId, assistantId, sent, status, outcome }: EndedQuestion): Promise<void> => {
    const delivered = 'body' in outcome
    await db.insert(webhookDeliveries).values({
      liveAssistantId: assistantId ?? null,
      workspaceId,
      ...sentColumns(vault, question),
      backoffPlan: noRetries,
      status: delivered ? 'delivered' : 'dead',
      attempts: sent ? 1 : 0,
      maxAttempts: 1,
      lastStatus: status,
      lastError: delivered ? null : outcome.error,
      response: delivered ? outcome.body : null,
      deliveredAt: delivered ? sql`now()` : null,
    })
  }
