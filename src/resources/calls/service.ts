import type { Vapi } from '@vapi-ai/server-sdk'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { pagination } from '../../api/schemas.ts'
import { secondsOf } from '../../voice-platform/calls/figures.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { requireAssistant } from '../assistants/read/find.ts'
import { requireFunds } from '../billing/spend.ts'
import type { Call, CallListInput, TestCallInput } from './schema.ts'

/** A call of the platform in our names. */
const callOf = (call: Vapi.Call): z.input<typeof Call> => ({
  id: call.id,
  type: call.type ?? null,
  status: call.status ?? null,
  started_at: call.startedAt ?? null,
  ended_at: call.endedAt ?? null,
  duration_seconds: secondsOf(call),
  ended_reason: call.endedReason ?? null,
  cost: call.cost ?? null,
  summary: call.analysis?.summary ?? null,
  transcript: call.artifact?.transcript ?? null,
})

/** What the platform failed at is the caller's 502; a fault of our own stays one. */
function platformFailed(error: unknown): never {
  if (error instanceof PlatformError) throw new ApiError('calls_unavailable', { detail: error.detail, cause: error })
  throw error
}

/** An assistant's calls on the live platform, newest first (contract: calls 1). Throws 404, 502. */
export async function listCalls(ctx: AccountContext, query: z.output<typeof CallListInput>) {
  const { voiceAssistantId } = await requireAssistant(ctx, query.assistantId)
  const window = { limit: query.per_page, offset: (query.page - 1) * query.per_page }
  const { calls, total } = await ctx.platform.history.page(voiceAssistantId, window).catch(platformFailed)
  return {
    data: calls.map(callOf),
    pagination: pagination(query, total, calls.length),
  }
}

/**
 * Simulates a call with an assistant: over its phone number when it has one, from the web otherwise
 * (contract: calls 2).
 * Throws 404, 403 for viewers, 501 on a platform that cannot simulate, 402 when the assistant's workspace cannot pay,
 * 429, 502.
 */
export async function runTestCall(ctx: AccountContext, input: z.output<typeof TestCallInput>) {
  const { voiceAssistantId, phoneNumberId, workspaceId } = await requireAssistant(ctx, input.assistantId)
  const { simulation } = ctx.platform
  if (!simulation) throw new ApiError('test_calls_unavailable')
  await requireFunds(ctx, workspaceId)
  ctx.turnSlots.requireRoom(workspaceId)
  const { messages, scenario } = input
  const call = await simulation
    .run({
      assistantId: voiceAssistantId,
      ...(phoneNumberId !== null && { phoneNumberId }),
      ...(messages && { messages }),
      ...(scenario && { scenario }),
    })
    .catch(platformFailed)
  await ctx.forgetStatistics(voiceAssistantId)
  ctx.webhooks.wake()
  return callOf(call)
}
