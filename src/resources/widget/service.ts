import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { ServiceContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { findMade } from '../../api/idempotency/once.ts'
import { isDatabaseFault } from '../../db/unreachable.ts'
import type { ChatReply, ChatThread } from '../../voice-platform/chat.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { outOfFundsOf, requireFunds } from '../billing/spend.ts'
import { type Exchange, exchangeOf } from './exchange.ts'
import { allowsOrigin, findWidget, readerOf, type Widget } from './find.ts'
import type { VisitorReply, WidgetMessage } from './schema.ts'
import { openSession, sealSession } from './session.ts'

type Message = { assistantId: string; input: string }

/** A thread that the platform does not know any more gives way to a new one; nothing was done then. */
async function send(
  { platform, signal, onText }: ServiceContext,
  message: Message,
  thread: ChatThread | undefined,
  { keep }: Exchange,
): Promise<ChatReply> {
  const options = { signal, onText, keep }
  try {
    return await platform.chat.create({ ...message, ...thread }, options)
  } catch (error) {
    const isGone = error instanceof PlatformError && (error.kind === 'not_found' || error.kind === 'rejected')
    if (!isGone || thread === undefined) throw error
    return platform.chat.create(message, options)
  }
}

/** Visitors have no account: whatever they use is their assistant's workspace's to pay. */
const spenderOf = ({ db, signal }: ServiceContext) => ({ db, signal, account: undefined })

/** What the platform failed at, as the visitor's response. */
async function failureOf(ctx: ServiceContext, { workspaceId }: Widget, error: PlatformError): Promise<ApiError> {
  ctx.log.warn(
    { event: 'visitor_unanswered', requestId: ctx.requestId, reason: error.detail },
    'a visitor got no reply',
  )
  if (isDatabaseFault(error)) return new ApiError('service_unavailable', { cause: error })
  if (error.status === 402) return outOfFundsOf(spenderOf(ctx), workspaceId)
  if (error.status === 429) return new ApiError('too_many_requests', { headers: { 'retry-after': '5' } })
  return new ApiError('widget_reply_failed', { cause: error })
}

/**
 * The widget that a visitor writes to. Throws 404 for an unknown key, 403 where it is switched off or not for this
 * page.
 */
export async function requireWidget(ctx: ServiceContext, key: string): Promise<Widget> {
  const widget = await findWidget(ctx.db, key)
  if (!widget) throw new ApiError('widget_not_found')
  ctx.outcome.readableBy = readerOf(widget, ctx.origin)
  if (!allowsOrigin(widget, ctx.origin)) throw new ApiError('widget_origin_refused')
  if (!widget.enabled) throw new ApiError('widget_disabled')
  return widget
}

/**
 * Replies to a visitor's message through the live platform (contract: widget 7). Throws 404 for an unknown key, 403 for
 * a widget that is switched off or a page that may not use it, 402 when its workspace cannot pay, 429 when too many of
 * its conversations wait for a reply, 502 when the platform fails.
 */
export async function replyToVisitor(ctx: ServiceContext, input: z.output<typeof WidgetMessage>) {
  const { public_key: key, message, session_id: sealed } = input
  const widget = await requireWidget(ctx, key)
  const before = await findMade<VisitorReply>(ctx)
  if (before) return before
  await requireFunds(spenderOf(ctx), widget.workspaceId)
  const session = openSession(ctx.vault, key, sealed)
  const { conversationId = ctx.idempotencyId ?? crypto.randomUUID(), ...thread } = session ?? {}
  const responseTo = ({ reply, thread }: ChatReply) => {
    const next = { ...thread, conversationId }
    const isSame = sealed && isDeepStrictEqual(session, next)
    return { session_id: isSame ? sealed : sealSession(ctx.vault, key, next), reply }
  }
  const exchange = exchangeOf(ctx, widget, { conversationId, message, askedAt: ctx.clock.now(), responseTo })
  try {
    const known = 'sessionId' in thread || 'previousChatId' in thread ? thread : undefined
    const work = () => send(ctx, { assistantId: widget.voiceAssistantId, input: message }, known, exchange)
    // The embedded platform's model takes a slot by itself.
    const reply = await (ctx.platform.simulation ? work() : ctx.turnSlots.run(widget.workspaceId, work))
    return (await exchange.end(reply)) ?? responseTo(reply)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const kept = await exchange.end()
    if (kept) return kept
    throw await failureOf(ctx, widget, error)
  }
}
