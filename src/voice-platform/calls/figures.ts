import { isObject } from '../../json/object.ts'

import { numberOf, textOf } from '../mapping/settings.ts'

/**
 * What a call's cost is made of, in the order in which it is shown; `other` is what the platform does not break down.
 */
export const costParts = ['transport', 'transcriber', 'model', 'voice', 'platform', 'other'] as const
export type CostPart = (typeof costParts)[number]

/** The platform's names in `costBreakdown`. */
const platformParts: Record<Exclude<CostPart, 'other'>, string> = {
  transport: 'transport',
  transcriber: 'stt',
  model: 'llm',
  voice: 'tts',
  platform: 'vapi',
}

export const callDirections = ['inbound', 'outbound', 'web'] as const
export type CallDirection = (typeof callDirections)[number]

/** What statistics need of one call. Seconds, and money in the platform's currency. */
export interface CallFigures {
  createdAt: Date
  direction: CallDirection
  ended: boolean
  /** From start to end; null while it runs, and when it never started. */
  seconds: number | null
  endedReason: string | null
  /** Whether it was judged a success; null when it was not judged. */
  passed: boolean | null
  cost: number
  parts: Record<CostPart, number>
}

const directions: Record<string, CallDirection> = { inboundPhoneCall: 'inbound', outboundPhoneCall: 'outbound' }

const passing = /^(true|pass|passed|success|successful|yes|excellent|good|agree|strongly agree)$/i
const failing = /^(false|fail|failed|no|fair|poor|neutral|disagree|strongly disagree)$/i
const scored = /^(\d+(?:\.\d+)?)\s*(%|\/\s*\d+)?$/

/**
 * Whether an evaluation is a pass. It arrives as a boolean, or as a text in the words of its rubric: a grade from
 * "good" on, or a score of at least six tenths. Free text, such as a checklist, is no judgement.
 */
export function passedOf(evaluation: unknown): boolean | null {
  if (typeof evaluation === 'boolean') return evaluation
  const text = typeof evaluation === 'number' ? String(evaluation) : textOf(evaluation)?.trim()
  if (text === undefined) return null
  if (passing.test(text)) return true
  if (failing.test(text)) return false
  const [, score, scale] = scored.exec(text) ?? []
  if (score === undefined) return null
  const max = scale === '%' || (scale === undefined && Number(score) > 10) ? 100 : Number(scale?.slice(1) ?? 10)
  return Number(score) / max >= 0.6
}

const dateOf = (value: unknown): Date | undefined => {
  const date = new Date(textOf(value) ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** A time of a call, or null where it is missing or unreadable. */
export const timeOf = (value: unknown): string | null => dateOf(value)?.toISOString() ?? null

/** Seconds from a call's start to its end, or null. */
export function secondsOf(call: { startedAt?: unknown; endedAt?: unknown }): number | null {
  const [start, end] = [dateOf(call.startedAt), dateOf(call.endedAt)]
  return start && end ? Math.max(0, (end.getTime() - start.getTime()) / 1000) : null
}

/** Reads a call as the platform returns it; what is missing or unreadable counts as nothing. */
export function figuresOf(call: object): CallFigures {
  const body: Record<string, unknown> = { ...call }
  const breakdown = isObject(body.costBreakdown) ? body.costBreakdown : {}
  const cost = numberOf(body.cost) ?? numberOf(breakdown.total) ?? 0
  const part = (name: Exclude<CostPart, 'other'>) => numberOf(breakdown[platformParts[name]]) ?? 0
  const parts = {
    transport: part('transport'),
    transcriber: part('transcriber'),
    model: part('model'),
    voice: part('voice'),
    platform: part('platform'),
  }
  const named = Object.values(parts).reduce((sum, value) => sum + value, 0)
  return {
    createdAt: dateOf(body.createdAt) ?? new Date(0),
    direction: directions[textOf(body.type) ?? ''] ?? 'web',
    ended: body.status === 'ended',
    seconds: body.status === 'ended' ? secondsOf(body) : null,
    endedReason: textOf(body.endedReason) ?? null,
    passed: isObject(body.analysis) ? passedOf(body.analysis.successEvaluation) : null,
    cost,
    parts: { ...parts, other: Math.max(0, cost - named) },
  }
}
