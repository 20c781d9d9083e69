import type { Logger } from 'pino'
import type { Metric } from '../../runtime/metrics.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Attributes } from '../../runtime/tracing.ts'
import { otlpMetrics } from './metrics.ts'
import type { EndedSpan } from './tracer.ts'

/** Where telemetry goes, and as whose. */
export interface Collector {
  /** Without a slash at its end; `/v1/traces` and `/v1/metrics` are added. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
}

interface ExporterOptions {
  collector: Collector
  version: string
  instance: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  log: Logger
  timers: Timers
  /** Metrics of this process, as they are now. */
  metrics(): Metric[]
  /** Milliseconds since 1970. */
  now(): number
}

/** Spans that wait; later ones are dropped, and counted. */
const maxWaiting = 4096
const spansAtOnce = 512
const spansEveryMs = 5_000
const metricsEveryMs = 60_000
const timeoutMs = 10_000
const closingTimeoutMs = 2_000

const kinds = { internal: 1, server: 2, client: 3 }
const failedStatus = 2

const nanos = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n)

/** Attributes in the form of OTLP. */
export const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]): { key: string; value: object }[] => {
    if (value === undefined) return []
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }]
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }]
  })

const spanOf = ({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failed }: EndedSpan) => ({
  ...{ traceId, spanId, ...(parentSpanId !== undefined && { parentSpanId }), name, kind: kinds[kind] },
  ...{ startTimeUnixNano: nanos(startMs), endTimeUnixNano: nanos(endMs) },
  attributes: attributesOf(attributes),
  status: failed ? { code: failedStatus } : {},
})

/**
 * Sends spans and metrics to a collector as OTLP over HTTP, in JSON: spans every five seconds, or 512 at once, metrics
 * every minute. What a collector does not take is dropped.
 */
export function createExporter(options: ExporterOptions) {
  const { collector, version, instance, log, timers, metrics: read, now } = options
  const resource = {
    attributes: attributesOf({
      'service.name': collector.serviceName,
      'service.version': version,
      'service.instance.id': instance,
    }),
  }
  const scope = { name: 'switchboard', version }
  const startedMs = now()
  let waiting: EndedSpan[] = []
  let dropped = 0
  let failing = false
  let closing = false

  const send = async (path: string, body: unknown) => {
    try {
      const response = await options.fetch(`${collector.endpoint}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...collector.headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(closing ? closingTimeoutMs : timeoutMs),
        redirect: 'manual',
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The collector responded with ${response.status}`)
      failing = false
    } catch (error) {
      if (!failing) log.warn({ event: 'telemetry_failed', err: error }, 'telemetry could not be sent')
      failing = true
    }
  }

  const sendSpans = async () => {
    // A stop waits for no collector that is away.
    while (waiting.length > 0 && !(closing && failing)) {
      const spans = waiting.slice(0, spansAtOnce).map(spanOf)
      waiting = waiting.slice(spansAtOnce)
      await send('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] })
    }
    if (dropped > 0) log.warn({ event: 'spans_dropped', count: dropped }, 'more spans than could be sent')
    dropped = 0
  }
  let sending: Promise<void> | undefined
  const flush = () => {
    sending ??= sendSpans().finally(() => {
      sending = undefined
    })
    return sending
  }
  const sendMetrics = () => {
    const metrics = otlpMetrics(read(), nanos(startedMs), nanos(now()))
    return send('/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] })
  }
  const ends = [timers.every(spansEveryMs, () => void flush()), timers.every(metricsEveryMs, () => void sendMetrics())]

  return {
    add(span: EndedSpan): void {
      if (waiting.length >= maxWaiting) dropped++
      else waiting.push(span)
      if (waiting.length === spansAtOnce) void flush()
    },
    /** Sends the spans that wait, and the metrics once more. */
    async close(): Promise<void> {
      for (const end of ends) end()
      closing = true
      await flush()
      await Promise.all([flush(), sendMetrics()])
    },
  }
}
