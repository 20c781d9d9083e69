import { z } from 'zod'
import { calendarDay, dataOf, isoTime, shownId, uuidId } from '../../api/schemas.ts'
import { isTimeZone } from '../../runtime/time-zone.ts'
import { costParts } from '../../voice-platform/calls/figures.ts'
import { endedCategories } from './ended-reasons.ts'

const dayMeta = { format: 'date', examples: ['2026-01-31'] }
const day = z.string().meta(dayMeta)
const asked = calendarDay.meta(dayMeta)

export const StatsInput = z.object({
  assistantId: uuidId,
  from: asked
    .optional()
    .meta({ description: 'The first day. Default: the 30 days that end with `to`.', 'x-extension': true }),
  to: asked.optional().meta({ description: 'The last day. Default: today.', 'x-extension': true }),
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, { error: 'The timezone field must be a time zone such as Europe/Berlin.' })
    .default('UTC')
    .meta({ description: 'Where days begin and end.', examples: ['Europe/Berlin'], 'x-extension': true }),
})

const seconds = z.number()
const money = z.number()

/** Statistics of an assistant's calls (contract: calls 5). */
export const Statistics = z
  .object({
    assistant_id: shownId,
    period: z.object({ from: day, to: day, timezone: z.string().meta({ examples: ['UTC'] }) }),
    calls: z.object({
      total: z.int(),
      inbound: z.int(),
      outbound: z.int(),
      web: z.int(),
      in_progress: z.int().meta({ description: 'Not ended yet; counted in the others too.' }),
    }),
    duration: z.object({
      total_seconds: seconds,
      total_minutes: z.number(),
      average_seconds: seconds,
      median_seconds: seconds,
      max_seconds: seconds,
    }),
    success: z.object({
      evaluated: z.int(),
      passed: z.int(),
      rate: z.number().nullable().meta({ description: '0 to 1; null when no call was evaluated.' }),
    }),
    cost: z.object({
      currency: z.string().meta({ examples: ['USD'] }),
      total: money,
      average: money.meta({ description: 'Of one call.' }),
      breakdown: z.object(
        Object.fromEntries(costParts.map((part) => [part, money])) as Record<(typeof costParts)[number], typeof money>,
      ),
    }),
    ended_reasons: z.array(
      z.object({
        reason: z.string().meta({ examples: ['customer-ended-call'] }),
        category: z.enum(endedCategories),
        count: z.int(),
        share: z.number().meta({ description: 'Of all calls that ended, 0 to 1.' }),
      }),
    ),
    by_day: z
      .array(z.object({ date: day, calls: z.int(), minutes: z.number(), cost: money }))
      .meta({ description: 'Every day of the period, also those without calls.' }),
    first_call_at: isoTime.nullable(),
    last_call_at: isoTime.nullable(),
    source: z.enum(['live', 'simulated']).meta({ description: 'Whether the platform holds real calls.' }),
    computed_at: isoTime,
    truncated: z.boolean().meta({ description: 'Whether there were more calls than are read: the newest count.' }),
  })
  .meta({ id: 'Statistics' })

export const StatsResponse = dataOf(Statistics)
