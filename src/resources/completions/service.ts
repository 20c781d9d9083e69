import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import type { UsableModel } from '../../language-model/models.ts'
import { usageRecord } from '../messages/record.ts'
import { newestUserMessage, type TurnOrder } from '../messages/store.ts'
import { takeTurn } from '../messages/take-turn.ts'
import { threadModel } from '../models/service.ts'
import { ignoredIn, warningOf, wishOf } from './parameters.ts'
import type { Completion, CompletionInput } from './schema.ts'
import { agentFor, threadFor } from './target.ts'

type Input = z.output<typeof CompletionInput>

/** The model that a completion names. Throws 404: the envelope of an unknown model (contract: models 4). */
function chosenModel(ctx: AccountContext, id: string | null | undefined): UsableModel | undefined {
  if (id == null) return undefined
  const model = ctx.languageModels.find(id)
  if (!model) throw new ApiError('model_not_found')
  return model
}

/** Stateful: the newest user message goes to the thread. Stateless: a fresh thread is seeded with all messages. */
async function orderOf(ctx: AccountContext, input: Input): Promise<TurnOrder> {
  const named = chosenModel(ctx, input.model)
  const wish = wishOf(input)
  if (input.chat != null) {
    const { agent, chat } = await threadFor(ctx, input.chat, input.agent)
    const added = [{ role: 'user' as const, content: newestUserMessage(input.messages) }]
    return { agent, chat, model: named ?? threadModel(ctx, chat.model), added, wish, saysWhyItEnds: true }
  }
  const agent = await agentFor(ctx, input.agent)
  const model = named ?? ctx.languageModels.default
  const added = input.messages.map(({ role, content }) => ({ role, content }))
  return { agent, chat: undefined, model, added, wish, saysWhyItEnds: true }
}

/** Errors of a turn in the words of the completions endpoint: a model without a price does not exist here. */
function failureOf(error: unknown): unknown {
  if (error instanceof GenerationFailedError) {
    return new ApiError('completion_failed', { cause: error })
  }
  const refused = error instanceof ApiError && error.code === 'validation_failed' && error.options.fields?.model
  return refused ? new ApiError('model_not_found', { cause: error }) : error
}

/**
 * A turn in the chat-completions format (contract: completions 1). Throws 400 without a user message, 404 for agent,
 * chat and model, 403, 402, 429, and 500 when the generation failed: nothing is stored then.
 */
export async function createCompletion(ctx: AccountContext, input: Input): Promise<z.input<typeof Completion>> {
  if (!input.messages.some(({ role }) => role === 'user')) throw new ApiError('no_user_message')
  const order = await orderOf(ctx, input)
  const ignored = ignoredIn(input, order.model)
  ctx.outcome.ignored = ignored
  const { chatId, reply } = await takeTurn(ctx, order).catch((error) => {
    throw failureOf(error)
  })
  const { generation } = reply
  return {
    id: `chatcmpl-${reply.turnId.replaceAll('-', '')}`,
    object: 'chat.completion',
    created: Math.floor(reply.createdAt.getTime() / 1000),
    model: reply.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.content },
        finish_reason: generation.finishReason,
      },
    ],
    usage: usageRecord(generation),
    service: { agent: order.agent.row.agentId, chat: chatId, tools_used: generation.toolsUsed },
    ...(generation.metadata && { metadata: generation.metadata }),
    ...(ignored.length > 0 && { warnings: ignored.map(warningOf) }),
  }
}
