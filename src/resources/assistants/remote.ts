import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import type { PlatformClient } from '../../voice-platform/client.ts'
import type { LiveAssistantBody } from '../../voice-platform/mapping/live-assistant.ts'
import { liveDiffers } from '../../voice-platform/mirror/live-differs.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import { detachTarget } from '../phone-numbers/routing/routing.ts'
import { assistants } from './table.ts'

/** Deletes an assistant, in one transaction with taking it off its numbers. Returns those. */
export async function removeAssistant(tx: Transaction, ref: string): Promise<string[]> {
  const [row] = await tx.select({ id: assistants.id }).from(assistants).where(eq(assistants.assistantId, ref))
  if (!row) return []
  const numbers = await detachTarget(tx, { assistantId: row.id })
  await tx.delete(assistants).where(eq(assistants.id, row.id))
  return numbers
}

/** An assistant and its live twin. */
export function assistantRemote({ assistants: live }: PlatformClient): RemoteKind<LiveAssistantBody> {
  return {
    kind: 'assistant',
    live: {
      create: live.create,
      update: live.update,
      get: live.get,
      delete: live.delete,
      find: live.findByExternalRef,
      differs: liveDiffers,
    },
    local: {
      async read(db, ref) {
        const [row] = await db
          .select({ liveId: assistants.voiceAssistantId, body: assistants.live })
          .from(assistants)
          .where(eq(assistants.assistantId, ref))
        return row && { liveId: row.liveId, body: row.body }
      },
      async remove(tx, ref) {
        await removeAssistant(tx, ref)
      },
    },
  }
}
