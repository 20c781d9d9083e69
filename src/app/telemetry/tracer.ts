import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Attributes, Span, SpanOptions, Tracing } from '../../runtime/tracing.ts'

/** A span that has ended, times in milliseconds since 1970. */
export interface EndedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: SpanOptions['kind']
  startMs: number
  endMs: number
  attributes: Attributes
  failed: boolean
}

interface Place {
  traceId: string
  spanId: string
  sampled: boolean
}

interface TracerOptions {
  /** Part of the traces that begin here which are sent, from 0 to 1. */
  ratio: number
  /** Milliseconds since 1970, as exact as can be. */
  now(): number
  chance(): number
  ended(span: EndedSpan): void
}

const form = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-|$)/
const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/** Where a caller's trace is (W3C Trace Context); undefined for what is none. */
function callersPlace(traceparent: string | null | undefined): Place | undefined {
  const [, traceId = '', spanId = '', flags = ''] = form.exec(traceparent ?? '') ?? []
  if (traceparent?.startsWith('ff') || /^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Tracing that calls `ended` with every span; what runs within what is known by the asynchronous context. */
export function createTracer({ ratio, now, chance, ended }: TracerOptions): Tracing {
  const context = new AsyncLocalStorage<Place>()

  const open = (name: string, { kind, attributes = {}, root = false, traceparent }: SpanOptions, alone = true) => {
    const parent = root ? undefined : (callersPlace(traceparent) ?? context.getStore())
    const place = {
      traceId: parent?.traceId ?? hex(16),
      spanId: hex(8),
      sampled: parent?.sampled ?? (alone && chance() < ratio),
    }
    const state = { name, attributes: { ...attributes }, failed: false }
    const startMs = now()
    const span: Span = {
      traceId: place.traceId,
      set: (more) => void Object.assign(state.attributes, more),
      rename: (better) => {
        state.name = better
      },
      fail: () => {
        state.failed = true
      },
    }
    const end = () => {
      if (!place.sampled) return
      const { traceId, spanId } = place
      ended({ traceId, spanId, parentSpanId: parent?.spanId, ...state, kind, startMs, endMs: now() })
    }
    return { place, span, end }
  }

  return {
    async run(name, options, work) {
      const { place, span, end } = open(name, options)
      try {
        return await context.run(place, () => work(span))
      } catch (error) {
        span.fail()
        throw error
      } finally {
        end()
      }
    },
    begin(name, options) {
      const { span, end } = open(name, options, false)
      return {
        end(failed = false) {
          if (failed) span.fail()
          end()
        },
      }
    },
  }
}
