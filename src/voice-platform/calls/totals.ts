import { dayOf } from '../../runtime/time-zone.ts'
import { type CallDirection, type CallFigures, type CostPart, callDirections, costParts } from './figures.ts'

/** The calls of one calendar day. */
export interface DayTotals {
  calls: number
  seconds: number
  cost: number
}

/** The calls of a period, added up. Seconds, and money in the platform's currency. */
export interface CallTotals {
  calls: Record<CallDirection | 'total' | 'in_progress', number>
  /** Of the calls that have a length. */
  duration: { count: number; total: number; median: number; max: number }
  success: { evaluated: number; passed: number }
  cost: { total: number; parts: Record<CostPart, number> }
  /** How many calls ended for each reason. */
  endedReasons: Record<string, number>
  /** By `YYYY-MM-DD`, days with calls only. */
  days: Record<string, DayTotals>
  firstCallAt: Date | null
  lastCallAt: Date | null
  /** Whether there were more calls than could be read: the newest were. */
  truncated: boolean
}

/** A record with a value for each name. */
function each<Name extends string>(names: readonly Name[], value: (name: Name) => number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, number>
}

function medianOf(sorted: number[]): number {
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** Adds calls up one by one, by the days of a time zone. */
export function addUp(figures: Iterable<CallFigures>, timeZone: string, truncated = false): CallTotals {
  const all = [...figures]
  const seconds = all.flatMap((call) => call.seconds ?? []).sort((a, b) => a - b)
  // A call whose time cannot be read has the time zero.
  const times = all.map(({ createdAt }) => createdAt.getTime()).filter((time) => time > 0)
  const days: Record<string, DayTotals> = {}
  const endedReasons: Record<string, number> = {}
  for (const call of all) {
    const date = dayOf(call.createdAt, timeZone)
    const day = days[date] ?? { calls: 0, seconds: 0, cost: 0 }
    days[date] = { calls: day.calls + 1, seconds: day.seconds + (call.seconds ?? 0), cost: day.cost + call.cost }
    if (call.endedReason !== null) endedReasons[call.endedReason] = (endedReasons[call.endedReason] ?? 0) + 1
  }
  return {
    calls: {
      ...each(callDirections, (name) => all.filter(({ direction }) => direction === name).length),
      total: all.length,
      in_progress: all.filter(({ ended }) => !ended).length,
    },
    duration: { count: seconds.length, total: sum(seconds), median: medianOf(seconds), max: seconds.at(-1) ?? 0 },
    success: {
      evaluated: all.filter(({ passed }) => passed !== null).length,
      passed: all.filter(({ passed }) => passed === true).length,
    },
    cost: {
      total: sum(all.map(({ cost }) => cost)),
      parts: each(costParts, (name) => sum(all.map(({ parts }) => parts[name]))),
    },
    endedReasons,
    days,
    firstCallAt: times.length > 0 ? new Date(times.reduce((a, b) => Math.min(a, b))) : null,
    lastCallAt: times.length > 0 ? new Date(times.reduce((a, b) => Math.max(a, b))) : null,
    truncated,
  }
}
