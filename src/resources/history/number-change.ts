import type { Transaction } from '../../db/client.ts'
import { assistantVersions } from './table.ts'

/** Who changed something, as the history names it. */
export interface Actor {
  id: number
  name: string
}

interface NumberChange {
  assistantId: number
  /** The assistant's. */
  workspaceId: number
  actor: Actor
  /** E.164; null for none. */
  from: string | null
  to: string | null
  at: Date
}

/**
 * Notes in an assistant's history that a number was attached or taken away, in the transaction that does it. Such an
 * entry holds no configuration, so it cannot be restored (contract: versions 7).
 */
export async function recordNumberChange(tx: Transaction, change: NumberChange): Promise<void> {
  const { from, to } = change
  if (from === to) return
  await tx.insert(assistantVersions).values({
    assistantId: change.assistantId,
    workspaceId: change.workspaceId,
    action: 'updated',
    source: 'phone_number',
    actorId: change.actor.id,
    actorName: change.actor.name,
    changes: [{ path: 'phone_number', ...(from !== null && { from }), ...(to !== null && { to }) }],
    summary: to === null ? `Phone number ${from} was taken away` : `Phone number ${to} was attached`,
    configuration: null,
    createdAt: change.at,
  })
}
