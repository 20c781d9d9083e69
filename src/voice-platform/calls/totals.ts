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

/** Some of a period's calls, added up so that others can be added to them. */
export interface CallSums extends Omit<CallTotals, 'duration' | 'truncated'> {
  /** Seconds of each call that has a length. */
  lengths: number[]
}

/** A record with zero for each name. */
const zeros = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>

const noCalls = (): CallSums => ({
  calls: zeros('total', ...callDirections, 'in_progress'),
  lengths: [],
  success: zeros('evaluated', 'passed'),
  cost: { total: 0, parts: zeros(...costParts) },
  endedReasons: {},
  days: {},
  firstCallAt: null,
  lastCallAt: null,
})

/** Adds up calls one by one; `dayOf` names the day of each. */
export function sumsOf(figures: Iterable<CallFigures>, dayOf: (time: Date) => string): CallSums {
  const sums = noCalls()
  for (const call of figures) {
    const { direction, ended, seconds, endedReason, passed, cost, parts, createdAt } = call
    sums.calls.total++
    sums.calls[direction]++
    if (!ended) sums.calls.in_progress++
    if (seconds !== null) sums.lengths.push(seconds)
    if (passed !== null) sums.success.evaluated++
    if (passed) sums.success.passed++
    sums.cost.total += cost
    addEach(sums.cost.parts, parts)
    if (endedReason !== null) addEach(sums.endedReasons, { [endedReason]: 1 })
    addDay(sums.days, dayOf(createdAt), { calls: 1, seconds: seconds ?? 0, cost })
    // A call whose time cannot be read has the time zero.
    if (createdAt.getTime() > 0) addTimes(sums, { firstCallAt: createdAt, lastCallAt: createdAt })
  }
  return sums
}

/** A period's calls, added up part by part: whoever reads the parts lets others have the thread in between. */
export function createTotals() {
  const all = noCalls()
  return {
    add(part: CallSums): void {
      addEach(all.calls, part.calls)
      all.lengths.push(...part.lengths)
      addEach(all.success, part.success)
      all.cost.total += part.cost.total
      addEach(all.cost.parts, part.cost.parts)
      addEach(all.endedReasons, part.endedReasons)
      for (const [date, day] of Object.entries(part.days)) addDay(all.days, date, day)
      addTimes(all, part)
    },
    /** All of them; `truncated` says that there were more. */
    totals({ truncated }: { truncated: boolean }): CallTotals {
      const { lengths, ...sums } = all
      return { ...sums, duration: durationOf(lengths), truncated }
    },
  }
}

function addEach(all: Record<string, number>, more: Record<string, number>): void {
  for (const [name, value] of Object.entries(more)) all[name] = (all[name] ?? 0) + value
}

function addDay(days: Record<string, DayTotals>, date: string, { calls, seconds, cost }: DayTotals): void {
  const day = days[date] ?? { calls: 0, seconds: 0, cost: 0 }
  days[date] = { calls: day.calls + calls, seconds: day.seconds + seconds, cost: day.cost + cost }
}

type Times = Pick<CallTotals, 'firstCallAt' | 'lastCallAt'>

function addTimes(all: Times, { firstCallAt: first, lastCallAt: last }: Times): void {
  if (first && !(all.firstCallAt && all.firstCallAt <= first)) all.firstCallAt = first
  if (last && !(all.lastCallAt && all.lastCallAt >= last)) all.lastCallAt = last
}

function durationOf(lengths: readonly number[]): CallTotals['duration'] {
  // Sorted in a tenth of the time that an array takes.
  const sorted = Float64Array.from(lengths).sort()
  const total = sorted.reduce((sum, length) => sum + length, 0)
  return { count: sorted.length, total, median: medianOf(sorted), max: sorted.at(-1) ?? 0 }
}

function medianOf(sorted: Float64Array): number {
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
