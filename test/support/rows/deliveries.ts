import { eq, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { webhookDeliveries } from '../../../src/webhooks/table.ts'

/**
 * Lets every webhook be due; since a second ago, as now itself could be rounded up to a millisecond that is not over
 * yet.
 */
export const makeDeliveriesDue = ({ db }: DatabaseHandle) =>
  db.update(webhookDeliveries).set({ dueAt: sql`now() - interval '1 second'` })

/** All webhooks as they are stored, as text to look for secrets in. */
export const storedDeliveries = async ({ db }: DatabaseHandle) =>
  JSON.stringify(await db.select().from(webhookDeliveries))

/** Gives receivers of what is to be sent one second, the shortest time that there is. */
export const hurryPending = ({ db }: DatabaseHandle) =>
  db.update(webhookDeliveries).set({ timeoutSeconds: 1 }).where(eq(webhookDeliveries.status, 'pending'))

/** What is due was delivered. */
export const endDeliveries = ({ db }: DatabaseHandle) =>
  db.update(webhookDeliveries).set({ status: 'delivered', deliveredAt: sql`now()` })

/** A webhook that no call made. */
export const addDelivery = ({ db }: DatabaseHandle, columns: Partial<typeof webhookDeliveries.$inferInsert>) =>
  db.insert(webhookDeliveries).values({
    liveAssistantId: crypto.randomUUID(),
    callId: crypto.randomUUID(),
    type: 'end-of-call-report',
    address: 'https://example.com/hooks',
    request: 'sealed',
    payload: {},
    timeoutSeconds: 20,
    backoffPlan: { type: 'fixed', maxRetries: 2, baseDelaySeconds: 1 },
    maxAttempts: 3,
    ...columns,
  })

/** A webhook of an assistant that was abandoned. */
export const addDeadDelivery = (
  database: DatabaseHandle,
  assistant: { voice_assistant_id: string; workspace_id: number },
) =>
  addDelivery(database, {
    liveAssistantId: assistant.voice_assistant_id,
    workspaceId: assistant.workspace_id,
    status: 'dead',
    lastError: 'The receiver answered 500.',
  })

/** How often each webhook of a call is sent at most, and how many of these are its plan's retries. */
export const attemptsOfCall = ({ db }: DatabaseHandle, callId: string) =>
  db
    .select({ attempts: webhookDeliveries.maxAttempts, plan: webhookDeliveries.backoffPlan })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.callId, callId))
