import type { z } from 'zod'
import { daysOf, type Period } from '../../voice-platform/calls/days.ts'
import type { CallTotals } from '../../voice-platform/calls/totals.ts'
import { endedCategory } from './ended-reasons.ts'
import type { Statistics } from './schema.ts'

const round = (value: number, digits: number) => Number(value.toFixed(digits))
const seconds = (value: number) => round(value, 1)
const minutes = (value: number) => round(value / 60, 2)
const money = (value: number) => round(value, 4)

/** A part of a whole, 0 when there is no whole. */
const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

function endedReasons({ endedReasons }: CallTotals) {
  const entries = Object.entries(endedReasons)
  const ended = entries.reduce((sum, [, count]) => sum + count, 0)
  return entries
    .map(([reason, count]) => ({
      reason,
      category: endedCategory(reason),
      count,
      share: round(ratio(count, ended), 4),
    }))
    .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason))
}

interface About {
  assistantId: string
  period: Period
  source: 'live' | 'simulated'
  computedAt: Date
}

/** The statistics object of the calls of a period (contract: calls 5): figures are rounded, empty days filled. */
export function statisticsOf(totals: CallTotals, { assistantId, period, source, computedAt }: About) {
  const { calls, duration, success, cost } = totals
  return {
    assistant_id: assistantId,
    period: { from: period.first, to: period.last, timezone: period.timeZone },
    calls,
    duration: {
      total_seconds: seconds(duration.total),
      total_minutes: minutes(duration.total),
      average_seconds: seconds(ratio(duration.total, duration.count)),
      median_seconds: seconds(duration.median),
      max_seconds: seconds(duration.max),
    },
    success: { ...success, rate: success.evaluated === 0 ? null : round(ratio(success.passed, success.evaluated), 4) },
    cost: {
      currency: 'USD',
      total: money(cost.total),
      average: money(ratio(cost.total, calls.total)),
      breakdown: {
        transport: money(cost.parts.transport),
        transcriber: money(cost.parts.transcriber),
        model: money(cost.parts.model),
        voice: money(cost.parts.voice),
        platform: money(cost.parts.platform),
        other: money(cost.parts.other),
      },
    },
    ended_reasons: endedReasons(totals),
    by_day: daysOf(period).map((date) => {
      const day = totals.days[date] ?? { calls: 0, seconds: 0, cost: 0 }
      return { date, calls: day.calls, minutes: minutes(day.seconds), cost: money(day.cost) }
    }),
    first_call_at: totals.firstCallAt?.toISOString() ?? null,
    last_call_at: totals.lastCallAt?.toISOString() ?? null,
    source,
    computed_at: computedAt.toISOString(),
    truncated: totals.truncated,
  } satisfies z.input<typeof Statistics>
}
