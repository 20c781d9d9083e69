import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { isDatabaseFault } from '../../db/unreachable.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import { periodOf } from './period.ts'
import type { StatsInput } from './schema.ts'
import { statisticsOf } from './statistics.ts'

/**
 * Statistics of an assistant's calls on the live platform (contract: calls 4), kept for a second.
 * Throws 404, 422 for a period that is none, 500 when the platform does not respond.
 */
export async function getStatistics(ctx: AccountContext, input: z.output<typeof StatsInput>) {
  const { clock, platform } = ctx
  const period = periodOf(input, clock.now())
  const { voiceAssistantId } = await requireAssistant(ctx, input.assistantId)
  const compute = async () =>
    statisticsOf(await platform.history.totals(voiceAssistantId, period), {
      assistantId: input.assistantId,
      period,
      source: platform.simulation ? 'simulated' : 'live',
      computedAt: clock.now(),
    })
  const key = `${voiceAssistantId} ${period.first} ${period.last} ${period.timeZone}`
  const data = await ctx.statistics.get(key, clock, compute).catch((error) => {
    if (error instanceof PlatformError && !isDatabaseFault(error)) throw new ApiError('stats_failed', { cause: error })
    throw error
  })
  return data
}
