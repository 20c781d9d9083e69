import type { ServiceContext } from '../../api/context.ts'
import { findMade, noteMade } from '../../api/idempotency/once.ts'
import type { Transaction } from '../../db/client.ts'
import type { ChatReply, KeepChat } from '../../voice-platform/chat.ts'
import { recordExchange } from '../conversations/record.ts'
import type { Widget } from './find.ts'
import type { VisitorReply } from './schema.ts'

/** What a visitor said, and when. */
interface Said {
  conversationId: string
  message: string
  askedAt: Date
  /** The response that gives the visitor a reply. */
  responseTo(reply: ChatReply): VisitorReply
}

/** What a visitor said and was replied, which is kept once for the assistant's owner. */
export interface Exchange {
  /**
   * Keeps it with its reply, and charges that, in one transaction. Throws, and charges nothing, once it is over, and
   * where another server that took the request over has kept it.
   */
  keep: KeepChat
  /**
   * It is over: keeps it with the reply that came, or without one, unless it is kept already. Gives the response that
   * it is kept with, by whichever server.
   */
  end(reply?: ChatReply): Promise<VisitorReply | undefined>
}

/**
 * An exchange with a visitor. A reply that is charged is kept, and one that is not kept is not charged, whenever the
 * visitor leaves (contract: widget 14).
 */
export function exchangeOf(
  ctx: ServiceContext,
  { assistantId, workspaceId }: Widget,
  { responseTo, ...said }: Said,
): Exchange {
  const { db, clock, origin, log, requestId } = ctx
  let keeping: Promise<VisitorReply | undefined> | undefined
  let isOver = false
  const store = (response: VisitorReply | undefined, charge?: (tx: Transaction) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      // First: whoever else keeps it at the same time is waited for here, before anything is locked.
      if (response) await noteMade(ctx, tx, response)
      const exchange = { ...said, assistantId, workspaceId, origin, reply: response?.reply, repliedAt: clock.now() }
      await recordExchange(tx, exchange)
      await charge?.(tx)
      return response
    })
  const find = () => findMade<VisitorReply>(ctx).catch(() => undefined)
  return {
    async keep(reply, charge) {
      if (isOver) throw new Error('nobody waits for the reply any more')
      keeping = store(responseTo(reply), charge)
      await keeping
    },
    async end(reply) {
      isOver = true
      const known = (await keeping?.catch(() => undefined)) ?? (await find())
      if (known) return known
      const response = reply && responseTo(reply)
      return store(response).catch(async (err) => {
        const meanwhile = await find()
        if (meanwhile) return meanwhile
        log.error({ event: 'visitor_message_lost', requestId, err }, "a visitor's message was not kept")
        // A visitor gets the reply all the same.
        return response
      })
    },
  }
}
