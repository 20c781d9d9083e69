import type { z } from 'zod'
import type { RequestContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { ChatReply, ChatThread } from '../../voice-platform/chat.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { allowsOrigin, findWidget, readerOf } from './find.ts'
import type { WidgetMessage } from './schema.ts'
import { openSession, sealSession } from './session.ts'

type Message = { assistantId: string; input: string }

/** A thread that the platform does not know any more gives way to a new one; nothing was done then. */
async function send(ctx: RequestContext, message: Message, thread: ChatThread | undefined): Promise<ChatReply> {
  const { signal } = ctx
  try {
    return await ctx.platform.chat.create({ ...message, ...thread }, { signal })
  } catch (error) {
    const isGone = error instanceof PlatformError && (error.kind === 'not_found' || error.kind === 'rejected')
    if (!isGone || thread === undefined) throw error
    return ctx.platform.chat.create(message, { signal })
  }
}

/**
 * Answers a visitor's message through the live platform (contract: widget 7). Throws 404 for an unknown key, 403 for a
 * widget that is switched off or a page that may not use it, 502 when the platform fails.
 */
export async function answerVisitor(ctx: RequestContext, input: z.output<typeof WidgetMessage>) {
  const { public_key: key, message, session_id: sealed } = input
  const widget = await findWidget(ctx.db, key)
  if (!widget) throw new ApiError('widget_not_found')
  ctx.outcome.readableBy = readerOf(widget, ctx.origin)
  if (!allowsOrigin(widget, ctx.origin)) throw new ApiError('widget_origin_refused')
  if (!widget.enabled) throw new ApiError('widget_disabled')
  const thread = openSession(ctx.vault, key, sealed)
  try {
    const answer = await send(ctx, { assistantId: widget.voiceAssistantId, input: message }, thread)
    return { session_id: sealSession(ctx.vault, key, answer.thread), reply: answer.reply }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    ctx.log.warn({ requestId: ctx.requestId, reason: error.detail }, 'a visitor got no answer')
    throw new ApiError('widget_reply_failed', { cause: error })
  }
}
