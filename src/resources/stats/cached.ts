import { briefCache } from './cache.ts'
import type { statisticsOf } from './statistics.ts'

const keepMs = 1_000

/** Statistics that were worked out lately, by the live id of the assistant and the days. */
export const createStatisticsCache = () => briefCache<ReturnType<typeof statisticsOf>>(keepMs)

export type StatisticsCache = ReturnType<typeof createStatisticsCache>
