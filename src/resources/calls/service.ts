import type { Vapi } from '@vapi-ai/server-sdk'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { pageOfList } from '../../api/paging/walk.ts'
import { isDatabaseFault } from '../../db/unreachable.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import { secondsOf, timeOf } from '../../voice-platform/calls/figures.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { numberOf } from '../../voice-platform/mapping/settings.ts'
import { isScenario, type SimulatedCall, scenarios } from '../../voice-platform/simulation.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import { requireBudget, requireFunds } from '../billing/spend.ts'
import { requireNumber } from '../phone-numbers/read/find.ts'
import { requireSquad } from '../squads/find.ts'
import type { Call, CallListInput, NumberTestCallInput, SquadTestCallInput, TestCallInput } from './schema.ts'

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A call of the platform in our names; what is missing or unreadable is null. */
const callOf = (call: Vapi.Call): z.input<typeof Call> => ({
  id: call.id,
  type: stringOf(call.type),
  status: stringOf(call.status),
  started_at: timeOf(call.startedAt),
  ended_at: timeOf(call.endedAt),
  duration_seconds: secondsOf(call),
  ended_reason: stringOf(call.endedReason),
  cost: numberOf(call.cost) ?? null,
  summary: stringOf(call.analysis?.summary),
  transcript: stringOf(call.artifact?.transcript),
})

/** What the platform failed at is the caller's 502; a fault of our own stays one. */
function platformFailed(error: unknown): never {
  if (error instanceof PlatformError && !isDatabaseFault(error))
    throw new ApiError('calls_unavailable', { detail: error.detail, cause: error })
  throw error
}

/** An assistant's calls on the live platform, newest first (contract: calls 1). Throws 404, 502. */
export async function listCalls(ctx: AccountContext, query: z.output<typeof CallListInput>) {
  const { voiceAssistantId } = await requireAssistant(ctx, query.assistantId)
  let length = Promise.resolve(0)
  const { rows, pagination } = await pageOfList(ctx, query, {
    async read({ after: [createdAt, id] = [], ...window }) {
      const after = id === undefined ? undefined : { createdAt: String(createdAt), id: String(id) }
      const page = ctx.platform.history.page(voiceAssistantId, { ...window, after })
      // What cannot be read is told once, by the page.
      length = page.then(({ total }) => total).catch(() => 0)
      return (await page.catch(platformFailed)).calls
    },
    keysOf: (call) => [call.createdAt, call.id],
    total: () => length,
  })
  return { data: rows.map(callOf), pagination }
}

type Caller = Pick<z.output<typeof TestCallInput>, 'messages' | 'scenario'>

/** Words of one's own are for a language model: the local one plays nobody. Throws 422. */
function requireScenario({ languageModels }: AccountContext, scenario: string | undefined) {
  if (scenario === undefined || isScenario(scenario) || languageModels.default.id !== localModelId) return
  const text = `The scenario field must be one of ${scenarios.join(', ')}: words of your own take a language model.`
  throw validationError({ scenario: [text] })
}

/**
 * Simulates a call to a live object of a workspace, which pays, within the budget of the caller's token. Throws as
 * `runTestCall`.
 */
async function simulate(ctx: AccountContext, workspaceId: number, called: SimulatedCall, caller: Caller) {
  const { idempotencyId: id, platform } = ctx
  const { simulation } = platform
  if (!simulation) throw new ApiError('test_calls_unavailable')
  const before = id && (await simulation.find(id).catch(platformFailed))
  if (before) return callOf(before)
  requireScenario(ctx, caller.scenario)
  await requireFunds(ctx, workspaceId)
  await requireBudget(ctx, workspaceId, ctx.languageModels.default.id)
  ctx.turnSlots.requireRoom(workspaceId)
  const { messages, scenario } = caller
  const { userId, tokenId } = ctx.account
  const asker = { userId, tokenId }
  const call = await simulation
    .run({ ...called, id, asker, ...(messages && { messages }), ...(scenario && { scenario }) })
    .catch(platformFailed)
  if (call.assistantId !== undefined) await ctx.invalidateStatistics(call.assistantId)
  ctx.webhooks.wake()
  return callOf(call)
}

/**
 * Simulates a call with an assistant: over its phone number when it has one, from the web otherwise
 * (contract: calls 2).
 * Throws 404, 403 for viewers, 501 on a platform that cannot simulate, 422 on `scenario`, 402 when the assistant's
 * workspace cannot pay or the caller's budget is used up, 429, 502.
 */
export async function runTestCall(ctx: AccountContext, input: z.output<typeof TestCallInput>) {
  const { voiceAssistantId, phoneNumberId, workspaceId } = await requireAssistant(ctx, input.assistantId)
  const called = { assistantId: voiceAssistantId, ...(phoneNumberId !== null && { phoneNumberId }) }
  return simulate(ctx, workspaceId, called, input)
}

/**
 * Simulates a call from the web to a published squad (contract: calls 15). Throws as `runTestCall`, 422 for a draft.
 */
export async function runSquadTestCall(ctx: AccountContext, input: z.output<typeof SquadTestCallInput>) {
  const squad = await requireSquad(ctx, input)
  if (squad.status !== 'published') throw new ApiError('squad_not_published')
  return simulate(ctx, squad.workspaceId, { squadId: squad.externalSquadId }, input)
}

/**
 * Simulates a call to a number, by its routing (contract: calls 15). Throws as `runTestCall`, 422 before it is
 * registered.
 */
export async function runNumberTestCall(ctx: AccountContext, input: z.output<typeof NumberTestCallInput>) {
  const number = await requireNumber(ctx, input.id)
  if (number.voicePhoneNumberId === null) throw new ApiError('phone_number_not_callable')
  return simulate(ctx, number.workspaceId, { phoneNumberId: number.voicePhoneNumberId }, input)
}
