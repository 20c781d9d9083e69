import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { requireAssistant } from '../assistants/read/find.ts'
import { briefCache } from './cache.ts'
import { periodOf } from './period.ts'
import type { StatsInput } from './schema.ts'
import { statisticsOf } from './statistics.ts'

const keepMs = 1_000

const caches = new WeakMap<PlatformClient, ReturnType<typeof briefCache<ReturnType<typeof statisticsOf>>>>()

function cacheOf(platform: PlatformClient) {
  const cache = caches.get(platform) ?? briefCache<ReturnType<typeof statisticsOf>>(keepMs)
  caches.set(platform, cache)
  return cache
}

/** Makes a new call of an assistant, by its platform id, count at once in this process. */
export function forgetStatistics(platform: PlatformClient, liveId: string): void {
  caches.get(platform)?.forget(liveId)
}

/**
 * Statistics of an assistant's calls on the live platform (contract: calls 4), kept for a second.
 * Throws 404, 422 for a period that is none, 500 when the platform does not answer.
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
  const data = await cacheOf(platform)
    .get(key, clock, compute)
    .catch((error) => {
      if (error instanceof PlatformError) throw new ApiError('stats_failed', { cause: error })
      throw error
    })
  return data
}
