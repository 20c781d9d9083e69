import type { RequestContext } from '../../api/context.ts'
import type { Transaction } from '../../db/client.ts'
import type { KeepReply } from '../../voice-platform/converse.ts'
import { recordExchange } from '../conversations/record.ts'
import type { Widget } from './find.ts'

/** What a visitor said, and when. */
interface Said {
  conversationId: string
  message: string
  askedAt: Date
}

/** What a visitor said and was replied, which is kept once for the assistant's owner. */
export interface Exchange {
  /** Keeps it with its reply, and charges that, in one transaction. Throws, and charges nothing, once it is over. */
  keep: KeepReply
  /** It is over: keeps it with the reply that came, or without one, unless it is kept already. */
  end(reply?: string): Promise<void>
}

/**
 * An exchange with a visitor. A reply that is charged is kept, and one that is not kept is not charged, whenever the visitor
 * leaves (contract: widget 14).
 */
export function exchangeOf(
  { db, clock, origin, log, requestId }: RequestContext,
  { assistantId, workspaceId }: Widget,
  said: Said,
): Exchange {
  let keeping: Promise<void> | undefined
  let isOver = false
  const store = (reply: string | undefined, charge?: (tx: Transaction) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      await recordExchange(tx, { ...said, assistantId, workspaceId, origin, reply, repliedAt: clock.now() })
      await charge?.(tx)
    })
  return {
    async keep(reply, charge) {
      if (isOver) throw new Error('nobody waits for the reply any more')
      keeping = store(reply, charge)
      await keeping
    },
    async end(reply) {
      isOver = true
      const isKept = await keeping?.then(
        () => true,
        () => false,
      )
      if (isKept) return
      // A visitor gets the reply all the same when that fails.
      await store(reply).catch((err) =>
        log.error({ event: 'visitor_message_lost', requestId, err }, "a visitor's message was not kept"),
      )
    },
  }
}
