import type { z } from 'zod'
import type { AccountContext, SubscriptionContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { begun, onceForKey } from '../../api/idempotency/subscription.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import { streamed } from '../../language-model/text-stream.ts'
import { requireChat } from '../chats/find.ts'
import { namedModel, threadModel } from '../models/service.ts'
import { messageRecord, usageRecord } from './record.ts'
import type { MessageEvent, SendMessageInput, SentMessage } from './schema.ts'
import { takeTurn } from './take-turn.ts'

/**
 * Runs a full turn of the assistant (contract: chats 11). Throws 422 on `model`, 404, 403, 402, 429, and 422 with
 * the original text when the generation failed: nothing is stored or charged then.
 */
export async function sendMessage(
  ctx: AccountContext,
  input: z.output<typeof SendMessageInput>,
): Promise<z.input<typeof SentMessage>> {
  const named = await namedModel(ctx, input.model)
  const { agent, chat } = await requireChat(ctx, input.agent_id, input.chat_id)
  const model = named ?? threadModel(ctx, chat.model)
  const { content } = input
  const added = [{ role: 'user' as const, content }]
  const { userMessage, reply } = await takeTurn(ctx, { agent, chat, model, added }).catch((error) => {
    throw error instanceof GenerationFailedError
      ? new ApiError('generation_failed', { extra: { content }, cause: error })
      : error
  })
  const { generation } = reply
  return {
    object: 'message' as const,
    data: {
      user_message: messageRecord(userMessage),
      assistant_message: { ...messageRecord(reply), usage: usageRecord(generation) },
    },
    model: reply.model,
    tools_used: generation.toolsUsed,
    wallet: generation.wallet,
  }
}

async function* eventsOf(
  ctx: SubscriptionContext,
  input: z.output<typeof SendMessageInput>,
  signal: AbortSignal,
): AsyncGenerator<z.input<typeof MessageEvent>> {
  const send = (own: AccountContext) => sendMessage(own, input)
  const message = yield* streamed(signal, (sink) => onceForKey({ ...ctx, ...sink }, send))
  yield { type: 'message', message }
}

/**
 * Runs a turn as `sendMessage` does, as events: the reply while it is written, then the stored turn; of what was kept
 * under an Idempotency-Key the turn alone. A reader who leaves ends the turn, which then stores and charges nothing.
 * Throws as `sendMessage`, and the 422 and 409 of the key.
 */
export async function streamMessage(...asked: Parameters<typeof eventsOf>) {
  const events = eventsOf(...asked)
  const [{ keyed }] = asked
  return keyed ? begun(events) : events
}
